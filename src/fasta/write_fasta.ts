/**
 * Writes FASTA: plain, as every tool reads it, and as the registry has it.
 *
 * @module
 */
import { GREATER, LETTER_CLASS, LF, SEMICOLON, WHITE_SPACE } from "./_letters.ts";
import { GrowingBytes } from "./_growing.ts";
import { FIELDS_PREFIX } from "./_fields_line.ts";
import { headerValue, withoutBreaks } from "./header_template.ts";

/** What a plain FASTA is written from; a {@linkcode FastaRecord} is one. */
export interface PlainFastaInput {
  /** The header line, without `>`. */
  readonly header: string;
  /** The letters. White space in them is left out. */
  readonly sequence: string;
}

/** What a registry FASTA is written from; a {@linkcode FastaRecord} of a registry FASTA is one. */
export interface RegistryFastaInput {
  /** One value for each field, the accession first. */
  readonly values: readonly string[];
  /** The letters. White space in them is left out. */
  readonly sequence: string;
}

/** Options of {@linkcode writePlainFasta}. */
export interface WriteFastaOptions {
  /** Letters of a line; 0 for one line a sequence; 70 by default. */
  readonly wrap?: number;
}

/** Options of {@linkcode writeRegistryFasta}. */
export interface WriteRegistryFastaOptions extends WriteFastaOptions {
  /** Names of the values, the accession's first; at least one. */
  readonly fields: readonly string[];
}

/** Bytes of a chunk, about. */
const CHUNK_BYTES = 1 << 18;

/**
 * Writes plain FASTA, which every tool reads: no `;` line, a header that is one line.
 *
 * A line break in a header becomes a space. An empty sequence has no line. A line of a sequence that would begin with `>`
 * or `;` (letters that no sequence should hold) is set off by a space, which readers drop, so that it begins no record.
 *
 * @param records What to write, such as a reader of {@linkcode readFasta}.
 * @param options Length of lines.
 * @returns Chunks of bytes. A consumer that stops early stops the records too.
 * @throws {RangeError} If `wrap` is not a whole number from 0 to 1,000,000,000.
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
  const text = new FastaText(options.wrap);
  return write(records, text, ({ header, sequence }) => text.addRecord(withoutBreaks(header), sequence));
}

/**
 * Writes FASTA as the registry has it: a `;fields=` line, then headers of values joined by `|`.
 *
 * A raw `|` in a value becomes `/`, a line break a space: a header cannot hold them. The `;fields=` line is written even
 * when there is no record.
 *
 * @param records What to write, such as a reader of {@linkcode readFasta}.
 * @param options Names of the values, length of lines.
 * @returns Chunks of bytes. A consumer that stops early stops the records too.
 * @throws {TypeError} If there are no fields, a name is empty or comes twice; and while writing, if a record has
 * another number of values than there are fields.
 * @throws {RangeError} If `wrap` is not a whole number from 0 to 1,000,000,000.
 * @see Specification 4.2, rule 3. What stands for `|` and line breaks is our choice: the specification does not show it.
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
  const fields = options.fields.map(headerValue);
  if (fields.length === 0 || fields.includes("") || new Set(fields).size < fields.length) {
    throw new TypeError("Cannot write a registry FASTA: its fields need names that differ, the accession's first");
  }
  const text = new FastaText(options.wrap);
  text.addLine(FIELDS_PREFIX + fields.join("|"));
  return write(records, text, ({ values, sequence }) => {
    if (values.length !== fields.length) {
      throw new TypeError(
        `Cannot write record ${JSON.stringify(values[0])}: it has ${values.length} values for ${fields.length} fields`,
      );
    }
    text.addRecord(values.map(headerValue).join("|"), sequence);
  });
}

async function* write<T>(
  records: AsyncIterable<T> | Iterable<T>,
  text: FastaText,
  add: (record: T) => void,
): AsyncGenerator<Uint8Array> {
  for await (const record of records) {
    add(record);
    if (text.length >= CHUNK_BYTES) yield text.take();
  }
  if (text.length > 0) yield text.take();
}

/** FASTA in the making, in memory that is used again. */
class FastaText {
  readonly #wrap: number;
  readonly #out = new GrowingBytes(CHUNK_BYTES * 2);
  readonly #letters = new GrowingBytes(1 << 16);
  readonly #encoder = new TextEncoder();

  constructor(wrap = 70) {
    if (!Number.isInteger(wrap) || wrap < 0 || wrap > 1_000_000_000) {
      throw new RangeError(`Cannot wrap lines at ${wrap} letters: expected a whole number from 0 to 1000000000`);
    }
    this.#wrap = wrap === 0 ? Infinity : wrap;
  }

  get length(): number {
    return this.#out.length;
  }

  take(): Uint8Array {
    const bytes = this.#out.view().slice();
    this.#out.clear();
    return bytes;
  }

  addRecord(header: string, sequence: string): void {
    this.addLine(`>${header}`);
    this.#letters.reserve(sequence.length * 3);
    this.addSequence(this.#letters.bytes.subarray(0, this.#encoder.encodeInto(sequence, this.#letters.bytes).written));
    this.#letters.clear();
  }

  addLine(line: string): void {
    const out = this.#out;
    out.reserve(line.length * 3 + 1);
    out.length += this.#encoder.encodeInto(line, out.bytes.subarray(out.length)).written;
    out.bytes[out.length++] = LF;
  }

  addSequence(letters: Uint8Array): void {
    const lines = Math.ceil(letters.length / this.#wrap) + 1;
    // Every line may need a space before it, and a line end.
    this.#out.reserve(letters.length + 2 * lines);
    const bytes = this.#out.bytes;
    let out = this.#out.length;
    let room = 0;
    for (let at = 0; at < letters.length; at++) {
      const letter = letters[at];
      if (LETTER_CLASS[letter] === WHITE_SPACE) continue;
      if (room === 0) {
        if (out > this.#out.length) bytes[out++] = LF;
        if (letter === GREATER || letter === SEMICOLON) bytes[out++] = 0x20;
        room = this.#wrap;
      }
      bytes[out++] = letter;
      room -= 1;
    }
    if (out > this.#out.length) bytes[out++] = LF;
    this.#out.length = out;
  }
}
