/** Writes FASTA: plain, as every tool reads it, and as the registry has it. */
import type { FastaBatch } from "../text/fasta_batch.ts";
import { FastaText } from "./_fasta_text.ts";
import { FIELDS_PREFIX } from "../text/fields_line.ts";
import { type HeaderMaker, headerValue, withoutBreaks } from "./header_template.ts";
import { textsOf } from "../text/text_column.ts";
import type { OptionRules } from "../../options/option_rule.ts";
import * as rule from "../../options/rules.ts";
import { checkArgument, checkOptions } from "../../options/check_options.ts";
import { WRAP } from "../text/wrap.ts";

/** What a plain FASTA is written from; a {@linkcode FastaRecord} is one. */
export interface PlainFastaInput {
  /** The header line, without `>`. */
  readonly header: string;
  /** The bases. White space in them is left out. */
  readonly sequence: string;
}

/** What a registry FASTA is written from; a {@linkcode FastaRecord} of a registry FASTA is one. */
export interface RegistryFastaInput {
  /** One value for each field, the accession first. */
  readonly values: readonly string[];
  /** The bases. White space in them is left out. */
  readonly sequence: string;
}

/** Options of {@linkcode writePlainFasta}. */
export interface WriteFastaOptions {
  /** Bases of a line; 0 for one line a sequence; 70 by default. */
  readonly wrap?: number;
}

/** A text is an iterable too, of its characters. */
const RECORDS = rule.required(
  rule.like<unknown>(
    "records, such as a list or a reader of FASTA",
    (value) =>
      typeof value === "object" && value !== null && (Symbol.asyncIterator in value || Symbol.iterator in value),
  ),
);
const TEXT = rule.required<unknown>(rule.like("a text", (value) => typeof value === "string"));
const TEXTS = rule.required<unknown>(
  rule.like("a list of texts", (value) => Array.isArray(value) && value.every((one) => typeof one === "string")),
);

const WRITE_FASTA_OPTIONS = { wrap: WRAP } satisfies OptionRules<WriteFastaOptions>;

/** Options of {@linkcode writeRegistryFasta}. */
export interface WriteRegistryFastaOptions extends WriteFastaOptions {
  /** Names of the values, the accession's first; at least one. */
  readonly fields: readonly string[];
}

const WRITE_REGISTRY_FASTA_OPTIONS = {
  ...WRITE_FASTA_OPTIONS,
  fields: rule.required(rule.texts),
} satisfies OptionRules<WriteRegistryFastaOptions>;

/**
 * Writes plain FASTA, which every tool reads: no `;` line, a header that is one line.
 *
 * A line break in a header becomes a space. An empty sequence has no line. A line of a sequence that would begin with
 * `>` or `;` (bases that no sequence should hold) is set off by a space, which readers drop, so that it begins no
 * record.
 *
 * @param records What to write, such as a reader of {@linkcode readFasta}.
 * @param options Length of lines.
 * @returns Chunks of bytes. A consumer that stops early stops the records too.
 * @throws {RangeError} If `wrap` is not a whole number from 0 to 1,000,000,000.
 * @throws {TypeError} If the records are no iterable; and while writing, if a header or a sequence is not text.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { writePlainFasta } from "./write_fasta.ts";
 *
 * let text = "";
 * for await (const chunk of writePlainFasta([{ header: "a", sequence: "ACGTN" }], { wrap: 4 })) {
 *   text += new TextDecoder().decode(chunk);
 * }
 * assertEquals(text, ">a\nACGT\nN\n");
 * ```
 */
export function writePlainFasta(
  records: AsyncIterable<PlainFastaInput> | Iterable<PlainFastaInput>,
  options: WriteFastaOptions = {},
): AsyncGenerator<Uint8Array> {
  checkOptions("writePlainFasta()", options, WRITE_FASTA_OPTIONS);
  const caller = "writePlainFasta()";
  checkArgument<unknown>(caller, "records", records, RECORDS);
  const text = new FastaText(options.wrap);
  const headerOf = ({ header }: PlainFastaInput, index: number) => {
    if (typeof header !== "string") checkArgument<unknown>(caller, `records[${index}].header`, header, TEXT);
    return header;
  };
  return copied(writeRecords(records, { caller, text, headerOf }));
}

/** Options of {@linkcode writePlainBatches}. */
export interface WritePlainBatchesOptions extends WriteFastaOptions {
  /** Makes a header of a record's values; the first of them alone by default. */
  readonly header?: HeaderMaker;
}

const WRITE_PLAIN_BATCHES_OPTIONS = {
  ...WRITE_FASTA_OPTIONS,
  header: rule.callback(),
} satisfies OptionRules<WritePlainBatchesOptions>;

/**
 * Writes batches of records as plain FASTA, by the rules of {@linkcode writePlainFasta}, at the speed of memory: no
 * base becomes text on its way.
 *
 * @param batches What to write, such as a reader of {@linkcode readFastaBatches}.
 * @param options Header, length of lines.
 * @returns Chunks of bytes, each valid until the next is asked for. A consumer that stops early stops the batches too.
 * @throws {RangeError} If `wrap` is not a whole number from 0 to 1,000,000,000.
 * @throws {TypeError} While writing: if a batch holds no sequences.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { readFastaBatches } from "../records/read_fasta_batches.ts";
 * import { writePlainBatches } from "./write_fasta.ts";
 *
 * const reader = readFastaBatches(new TextEncoder().encode(";fields=acc|Host\n>v1|bat\nAC\nGT\n"));
 * let text = "";
 * for await (const chunk of writePlainBatches(reader)) text += new TextDecoder().decode(chunk);
 *
 * assertEquals(text, ">v1\nACGT\n");
 * ```
 */
export function writePlainBatches(
  batches: AsyncIterable<FastaBatch>,
  options: WritePlainBatchesOptions = {},
): AsyncGenerator<Uint8Array> {
  checkOptions("writePlainBatches()", options, WRITE_PLAIN_BATCHES_OPTIONS);
  return writeBatches(batches, new FastaText(options.wrap), options.header);
}

/**
 * Writes FASTA as the registry has it: a `;fields=` line, then headers of values joined by `|`.
 *
 * A raw `|` in a value becomes `/`, a line break a space: a header cannot hold them. The `;fields=` line is written
 * even for zero records.
 *
 * @param records What to write, such as a reader of {@linkcode readFasta}.
 * @param options Names of the values, length of lines.
 * @returns Chunks of bytes. A consumer that stops early stops the records too.
 * @throws {TypeError} If the list of fields is empty, a name is empty or duplicate; and while writing, if the number of
 * values of a record differs from the number of fields, or a value or a sequence is not text.
 * @throws {RangeError} If `wrap` is not a whole number from 0 to 1,000,000,000.
 * @see Specification 4.2, rule 3. What stands for `|` and line breaks is our choice: the specification does not show
 * it.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { writeRegistryFasta } from "./write_fasta.ts";
 *
 * const records = [{ values: ["vj000000000001", "bat | Chile"], sequence: "ACGT" }];
 * let text = "";
 * for await (const chunk of writeRegistryFasta(records, { fields: ["registry_accession", "Isolate"] })) {
 *   text += new TextDecoder().decode(chunk);
 * }
 * assertEquals(text, ";fields=registry_accession|Isolate\n>vj000000000001|bat / Chile\nACGT\n");
 * ```
 */
export function writeRegistryFasta(
  records: AsyncIterable<RegistryFastaInput> | Iterable<RegistryFastaInput>,
  options: WriteRegistryFastaOptions,
): AsyncGenerator<Uint8Array> {
  checkOptions("writeRegistryFasta()", options, WRITE_REGISTRY_FASTA_OPTIONS);
  const caller = "writeRegistryFasta()";
  checkArgument<unknown>(caller, "records", records, RECORDS);
  const fields = options.fields.map(headerValue);
  if (fields.length === 0 || fields.includes("") || new Set(fields).size < fields.length) {
    throw new TypeError("Cannot write a registry FASTA: its fields need names that differ, the accession's first");
  }
  const text = new FastaText(options.wrap);
  const headerOf = ({ values }: RegistryFastaInput, index: number) => {
    checkArgument<unknown>(caller, `records[${index}].values`, values, TEXTS);
    if (values.length === fields.length) return values.map(headerValue).join("|");
    throw new TypeError(
      `Cannot write record ${JSON.stringify(values[0])}: it has ${values.length} values for ${fields.length} fields`,
    );
  };
  return copied(writeRecords(records, { caller, text, headerOf, firstLine: FIELDS_PREFIX + fields.join("|") }));
}

async function* writeRecords<T extends { readonly sequence: string }>(
  records: AsyncIterable<T> | Iterable<T>,
  { caller, text, headerOf, firstLine }: {
    readonly caller: string;
    readonly text: FastaText;
    readonly headerOf: (record: T, index: number) => string;
    readonly firstLine?: string;
  },
): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  if (firstLine !== undefined) yield* text.addLine(firstLine);
  let index = 0;
  for await (const record of records) {
    yield* text.addLine(`>${withoutBreaks(headerOf(record, index))}`);
    const { sequence } = record;
    if (typeof sequence !== "string") checkArgument<unknown>(caller, `records[${index}].sequence`, sequence, TEXT);
    index++;
    const bases = /[\t\n\v\f\r ]/.test(sequence) ? sequence.replace(/[\t\n\v\f\r ]+/g, "") : sequence;
    yield* text.addBases(encoder.encode(bases));
  }
  yield* text.rest();
}

async function* writeBatches(
  batches: AsyncIterable<FastaBatch>,
  text: FastaText,
  header?: HeaderMaker,
): AsyncGenerator<Uint8Array> {
  for await (const batch of batches) {
    const { sequences, ids } = batch;
    if (sequences === null) {
      throw new TypeError("Cannot write batches that hold no sequences: read them with sequences");
    }
    const columns = header === undefined ? [] : batch.columns.map(textsOf);
    for (let row = 0; row < batch.rows; row++) {
      const line = header === undefined ? ids[row] : header(columns.map((column) => column[row]));
      yield* text.addLine(`>${withoutBreaks(line)}`);
      yield* text.addBases(sequences.data.subarray(sequences.offsets[row], sequences.offsets[row + 1]));
    }
  }
  yield* text.rest();
}

/** Chunks that a caller may keep. */
async function* copied(chunks: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) yield chunk.slice();
}
