/**
 * seqreg: complete or explained access to a Sequence Registry of viral genome records.
 *
 * {@linkcode Registry} is the main class: search, metadata, sequences, accessions, definitions and datasets of a live
 * registry or of one embedded in this process. Each result has rows, a polars frame, a ledger that reports whether it
 * is complete and why not, and its provenance. {@linkcode show} displays any of them in a notebook. Importing this
 * module does no I/O.
 *
 * Other entry points: `seqreg/client` (the five operations), `seqreg/datasets` (archives, checksums, cache),
 * `seqreg/fasta` (reading and writing FASTA), `seqreg/tables` (typed frames), `seqreg/service` (the embedded registry),
 * `seqreg/sample` (synthetic archives, and your own genomes as archives), `seqreg/notebook` (displays),
 * `seqreg/analysis` (charts and recipes), `seqreg/contract` (the contract; `seqreg/spec` is an alias).
 *
 * @example The built-in sample is synthetic and needs no network
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { Registry } from "seqreg";
 *
 * const cacheFolder = await Deno.makeTempDir();
 * {
 *   await using registry = await Registry.open(undefined, { cacheFolder });
 *   const hits = await registry.search("country:Kenya", { pageSize: 5 });
 *
 *   assertEquals(hits.rows.length, 5);
 *   assertEquals(hits.ledger.complete, true);
 * }
 * await Deno.remove(cacheFolder, { recursive: true });
 * ```
 *
 * @module
 */
export {
  type AccessionsOptions,
  AccessionsResult,
  type DatasetOptions,
  DatasetResult,
  type DefinitionsOptions,
  DefinitionsResult,
  findNaming,
  type FindNamingOptions,
  type FoundNaming,
  type LearnedLimits,
  type MetadataOptions,
  type OpenOptions,
  type Records,
  Registry,
  RegistryResult,
  type Row,
  type SearchOptions,
  SearchResult,
  type SequencesOptions,
  SequencesResult,
} from "./src/registry/mod.ts";
export { ParseError, RegistryError, type RegistryErrorCode } from "./src/errors.ts";
export { show, viewOf } from "./src/notebook/show.ts";
export { stopSignal } from "./src/notebook/stop.ts";
export { createProgress } from "./src/notebook/progress.ts";
export type { Ledger, Problem, Provenance } from "./src/contract/ledger.ts";
export { type Naming, namingOf, parseNaming } from "./src/contract/naming.ts";
export { VERSION } from "./src/contract/version.ts";
