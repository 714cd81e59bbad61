/**
 * FASTA, plain or of the registry: reads it as a stream, says what is wrong with it, counts it, writes it.
 *
 * @example Lengths and GC of a registry FASTA
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { readFasta } from "./mod.ts";
 *
 * const text = ";fields=registry_accession|Country\n>vj000000000001|Chile\nACGTN\n";
 * const reader = readFasta(new TextEncoder().encode(text));
 * for await (const { id, values, length, gc } of reader) {
 *   assertEquals([id, values[1], length, gc], ["vj000000000001", "Chile", 5, 0.5]);
 * }
 * assertEquals(reader.ledger.complete, true);
 * ```
 *
 * @module
 */
export type { ByteSource } from "../io/bytes/byte_source.ts";
export { gzipBytes, type GzipOptions } from "../io/gzip/gzip_bytes.ts";
export type { Ledger, Problem } from "../contract/ledger.ts";
export { ParseError, RegistryError, type RegistryErrorCode } from "../errors.ts";
export type { BgzfBlock } from "./bgzf/bgzf_block.ts";
export { buildFastaIndex, type BuildFastaIndexOptions, type FastaIndex } from "./index/build_fasta_index.ts";
export { type Composition, DINUCLEOTIDES, readComposition, type ReadCompositionOptions } from "./stats/composition.ts";
export type { FastaBatch, FastaHead } from "./text/fasta_batch.ts";
export { FastaError } from "./text/fasta_error.ts";
export { type FastaIndexEntry, formatFastaIndex, parseFastaIndex } from "./index/fasta_index.ts";
export type { FastaReader } from "./records/fasta_reader.ts";
export { type FastaStats, fastaStats } from "./stats/fasta_stats.ts";
export {
  type HeaderMaker,
  type HeaderTemplate,
  headerTemplate,
  headerValue,
  parseHeaderTemplate,
} from "./write/header_template.ts";
export { type FastaFile, type FetchedFasta, openFasta, type OpenFastaOptions } from "./index/open_fasta.ts";
export { plainFasta, type PlainFastaOptions } from "./write/plain_fasta.ts";
export { type FastaRecord, readFasta } from "./records/read_fasta.ts";
export { readFastaBatches } from "./records/read_fasta_batches.ts";
export type { ReadFastaBatchesOptions, ReadFastaOptions } from "./text/read_options.ts";
export { type SequenceDigests, sequenceDigests } from "./stats/sequence_digests.ts";
export { textAt, type TextColumn, textsOf } from "./text/text_column.ts";
export {
  type PlainFastaInput,
  type RegistryFastaInput,
  type WriteFastaOptions,
  writePlainBatches,
  type WritePlainBatchesOptions,
  writePlainFasta,
  writeRegistryFasta,
  type WriteRegistryFastaOptions,
} from "./write/write_fasta.ts";
export type { LedgerEntry } from "../contract/ledger_entries.ts";
export { LEDGER_CODES, type LedgerCode, type LedgerCodeInfo, type LedgerLevel } from "../contract/ledger_codes.ts";
export { GzipError } from "../io/gzip/gunzip.ts";
