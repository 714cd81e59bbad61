/**
 * Sequences that are alike: sketches of genomes, and the records of an index that are nearest to a query.
 *
 * @example A sketch as sourmash makes it
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { exchangeSketch } from "./mod.ts";
 *
 * const { hashes, md5 } = exchangeSketch("ACGTTGCATGCATCGATCGATTTGCA", { k: 21, scaled: 2 });
 *
 * assertEquals([hashes.length, md5], [4, "dc09e1e9a70d8920bf0f56ab7811dd08"]);
 * ```
 *
 * @module
 */
export { type ExchangeOptions, type ExchangeSketch, exchangeSketch, maxHashOf } from "./sketch/exchange_sketch.ts";
export { writeSignatures, type WriteSignaturesOptions, type WrittenSignatures } from "./sketch/write_signatures.ts";
export { type NamedSketch, readSignatures } from "./sketch/read_signatures.ts";
export type { ReadSequencesOptions } from "./sketch/read_sequences.ts";
export { buildAlikeIndex, type BuiltAlikeIndex } from "./index/build_index.ts";
export type { IndexFile, IndexManifest } from "./index/index_files.ts";
export { type AlikeIndex, type IndexParts, type OnShared, openAlikeIndex } from "./index/open_index.ts";
export { nearest, type NearestOptions } from "./nearest/nearest.ts";
export type { NearestAnswer, NearHit, QueryPart } from "./nearest/nearest_answer.ts";
export {
  clusterGenomes,
  type ClusterGenomesOptions,
  type ClusterMember,
  type GenomeClusters,
} from "./clusters/cluster_genomes.ts";
export {
  checkClusters,
  type CheckClustersOptions,
  type CheckedClusters,
  type CheckedPair,
  type PairVerdict,
} from "./clusters/check_clusters.ts";
export type { StatedPair } from "./clusters/cluster_pairs.ts";
export type { DuplicateKind } from "./clusters/genome_digest.ts";
export { alignGenomes, type GenomeAlignment } from "./align/align_genomes.ts";
export type {
  ContextSource,
  GetRecords,
  KnownResult,
  RegistryRecords,
  WriteRecords,
} from "./context/candidate_records.ts";
export { context, type ContextOptions } from "./context/context.ts";
export type { ContextRecord, ContextSet, LeftOutRecord } from "./context/context_set.ts";
export type { ByteSource } from "@seqreg/core/io/bytes";
export type { Ledger, LedgerEntry, Provenance } from "@seqreg/core/contract";
export {
  LEDGER_CODES,
  type LedgerCode,
  type LedgerCodeInfo,
  type LedgerLevel,
} from "@seqreg/core/contract/ledger_codes";
export { FastaError } from "@seqreg/core/fasta/text";
export { GzipError } from "@seqreg/core/io/gzip";
export { ParseError, RegistryError, type RegistryErrorCode } from "@seqreg/core/errors";
