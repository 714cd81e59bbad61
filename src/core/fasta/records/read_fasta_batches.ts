/** Reads FASTA in batches of columns. */
import type { ByteSource } from "../../io/bytes/byte_source.ts";
import { BatchSource } from "./batch_source.ts";
import type { FastaBatch } from "../text/fasta_batch.ts";
import type { FastaReader } from "./fasta_reader.ts";
import { SourceReader } from "./source_reader.ts";
import { READ_FASTA_BATCHES_OPTIONS, type ReadFastaBatchesOptions } from "../text/read_options.ts";
import { checkOptions } from "../../options/check_options.ts";

/**
 * Reads FASTA, plain or of the registry, plain, gzip or Zstandard, in batches of bounded memory.
 *
 * All ASCII white space in a sequence is dropped; bases are kept as they are. Good records come out; what is wrong is
 * in the reader's `problems` and `ledger`: a header whose number of values differs from `;fields=` is left out, and the
 * ledger is incomplete; an empty header or sequence, an unexpected character, an id that came before,
 * a comment line are kept or skipped with a warning.
 *
 * @param source Where the FASTA is.
 * @param options What is kept, limits, signal.
 * @returns A reader of batches; each is valid until the next one is asked for.
 * @throws {RangeError} If an option is out of its range.
 * @throws {FastaError} While reading: if there is text before the first `>`, a `;fields=` line in the middle differs
 * from the first, a record or header is longer than its limit, or anything is wrong and `strict` is set.
 * @throws {GzipError} While reading: if gzip data is damaged.
 * @throws {RegistryError} While reading: with code `disk` if the file cannot be read.
 * @see Specification 4.2, rule 3. What to do with faults is our choice: the specification does not show it.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { readFastaBatches } from "./read_fasta_batches.ts";
 *
 * const text = ";fields=registry_accession|Country\n>vj000000000001|Chile\nACG\nTN\n";
 * const reader = readFastaBatches(new TextEncoder().encode(text));
 * for await (const batch of reader) {
 *   assertEquals(batch.ids, ["vj000000000001"]);
 *   assertEquals(batch.gc(0), 0.5);
 * }
 * assertEquals(reader.ledger.complete, true);
 * ```
 */
export function readFastaBatches(source: ByteSource, options: ReadFastaBatchesOptions = {}): FastaReader<FastaBatch> {
  checkOptions("readFastaBatches()", options, READ_FASTA_BATCHES_OPTIONS);
  const batches = new BatchSource(source, options);
  return new SourceReader(batches, batches.batches());
}
