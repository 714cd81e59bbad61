/** FASTA of any kind to plain FASTA, text to text. */
import type { ByteSource } from "../../io/bytes/byte_source.ts";
import { sourceName } from "../../io/bytes/source_name.ts";
import { BatchSource, USUAL_STRATEGY } from "../records/batch_source.ts";
import type { FastaReader } from "../records/fasta_reader.ts";
import { parseHeaderTemplate } from "./header_template.ts";
import { HeaderWriter } from "./_header_writer.ts";
import { READ_FASTA_OPTIONS, type ReadFastaOptions } from "../text/read_options.ts";
import { makeRewrapRoutines, type RewrapRoutines } from "./_rewrap_routines.ts";
import { INPUT_BYTES, OUTPUT_BYTES, RewrapScanner } from "./_rewrap_scanner.ts";
import { SourceReader } from "../records/source_reader.ts";
import { WRAP } from "../text/wrap.ts";
import type { OptionRules } from "../../options/option_rule.ts";
import * as rule from "../../options/rules.ts";
import { checkOptions } from "../../options/check_options.ts";

/** Options of {@linkcode plainFasta}. */
export interface PlainFastaOptions extends ReadFastaOptions {
  /** What headers hold: a template such as `{registry_accession}|{Country}`; the id alone by default. */
  readonly header?: string;
  /** Bases of a line; 0 for one line a sequence; 70 by default. */
  readonly wrap?: number;
}

const PLAIN_FASTA_OPTIONS = {
  ...READ_FASTA_OPTIONS,
  header: rule.text,
  wrap: WRAP,
} satisfies OptionRules<PlainFastaOptions>;

/** How a FASTA is rewritten; tests choose others than the usual one. */
export interface RewrapStrategy {
  readonly makeRoutines: (inputBytes: number, outputBytes: number) => RewrapRoutines;
}

/**
 * Rewrites FASTA, plain or of the registry, plain, gzip or Zstandard, as plain FASTA, which every tool reads.
 *
 * What comes out is what `writePlainBatches(readFastaBatches(source))` writes, and problems and ledger are the same, in
 * a fraction of the time: lines go from text to text without a record in between.
 *
 * @param source Where the FASTA is.
 * @param options Header, length of lines, limits, strictness, signal.
 * @returns A reader of chunks of text. A chunk stays as it is while the next is made, so that it may be written
 * meanwhile, and no longer.
 * @throws {RangeError} If an option is out of its range.
 * @throws {TypeError} If the template is malformed; while reading: if it names a field that the file does not have.
 * @throws {FastaError | GzipError | RegistryError} While reading, as {@linkcode readFastaBatches} does.
 * @see Specification 4.2, rule 3.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { plainFasta } from "./plain_fasta.ts";
 *
 * const reader = plainFasta(new TextEncoder().encode(";fields=acc|Host\n>v1|bat\nAC\nGT\n"),
 *   { header: "{acc} {Host}" });
 * let text = "";
 * for await (const chunk of reader) text += new TextDecoder().decode(chunk);
 *
 * assertEquals(text, ">v1 bat\nACGT\n");
 * assertEquals(reader.ledger.received, 1);
 * ```
 */
export function plainFasta(source: ByteSource, options: PlainFastaOptions = {}): FastaReader<Uint8Array> {
  return rewriteBy({ makeRoutines: makeRewrapRoutines }, source, options);
}

/** {@linkcode plainFasta} by other strategy. */
export function rewriteBy(
  strategy: RewrapStrategy,
  source: ByteSource,
  options: PlainFastaOptions,
): FastaReader<Uint8Array> {
  checkOptions("plainFasta()", options, PLAIN_FASTA_OPTIONS);
  const { header, wrap = 70, ...reading } = options;
  if (header !== undefined) parseHeaderTemplate(header);
  const name = options.name ?? sourceName(source);
  const routines = strategy.makeRoutines(INPUT_BYTES, OUTPUT_BYTES);
  const scanners: RewrapScanner[] = [];
  const makeScanner = (limits: ConstructorParameters<typeof RewrapScanner>[0]["limits"]) => {
    const scanner = new RewrapScanner({ routines, limits, wrap });
    scanners.push(scanner);
    return scanner;
  };
  const batches = new BatchSource(source, { ...reading, name, sequences: true }, { ...USUAL_STRATEGY, makeScanner });
  async function* texts(): AsyncGenerator<Uint8Array> {
    try {
      const head = await batches.head();
      const [scanner] = scanners;
      scanner.writeHeaders(head, new HeaderWriter(head, header));
      for await (const _ of batches.batches()) yield* scanner.takeText();
    } finally {
      await batches.close();
    }
  }
  return new SourceReader(batches, texts());
}
