/**
 * Tables typed by field definitions: hits, exports, archives and FASTA to polars frames, with the values that did not
 * fit, and a ledger. polars is loaded when a frame is asked for.
 *
 * @module
 */
export { type AccessionsTable, type AccessionsTableOptions, tableFromAccessions } from "./from/from_accessions.ts";
export { tableFromArchive } from "./from/from_archive.ts";
export type { BuildLakeOptions } from "./lake/build/build_lake.ts";
export type { BuiltTable } from "./lake/build/lake_layout.ts";
export { buildLake } from "./lake/objects/build_any_lake.ts";
export { type Cast, type CastDefinition, castText, type CellValue } from "../contract/values/mod.ts";
export { type DefinitionsTable, type DefinitionsTableOptions, tableFromDefinitions } from "./from/from_definitions.ts";
export { type CsvTableOptions, tableFromCsv } from "./from/from_csv.ts";
export {
  type FastaFrame,
  type FastaFrames,
  fastaFrames,
  type FastaFramesOptions,
  type FastaTableOptions,
  tableFromFasta,
} from "./from/from_fasta.ts";
export {
  type FastaParquet,
  type FastaParquetCheck,
  type ParquetFastaRecord,
  readFastaParquet,
  writeFastaParquet,
  type WriteFastaParquetOptions,
  type WrittenFastaParquet,
} from "./from/fasta_parquet.ts";
export { accessionsTable, archiveTable, definitionsTable, fastaTable } from "./from/older_names.ts";
export type { FileChecks } from "../parquet/write/file_checks.ts";
export { tableFromHits } from "./from/from_hits.ts";
export { tableFromXml, type XmlTableOptions } from "./from/from_xml.ts";
export type { LakeColumn, LakeFile, LakeManifest, LakeSource } from "./lake/build/lake_manifest.ts";
export type { CheckedPart, LakeCheck, Recipe, RecipeNumbers } from "./lake/open/lake.ts";
export {
  type Lake,
  type LakeJoin,
  type LakeJoinOptions,
  type LakeTable,
  type LakeTableOptions,
  openLake,
  type OpenLakeOptions,
} from "./lake/open/open_lake.ts";
export { type LakeVerdict, verifyLake, type VerifyLakeOptions } from "./lake/open/verify_lake.ts";
export type { SqlParameter, SqlParameters } from "../engine/engine.ts";
export type {
  ColumnDtype,
  Engine,
  EngineAbilities,
  EngineColumn,
  EngineFacts,
  EngineLake,
  EnginePart,
  EngineQueryOptions,
  EngineSession,
  EngineTable,
} from "../engine/engine.ts";
export { type DatePrecision, formatDay, type PartialDate, readPartialDate } from "../contract/values/mod.ts";
export { type ReadDefinitions, readDefinitions, type RecognisedColumns } from "../contract/answers/read_definitions.ts";
export type { DateColumns, TableColumn, TableOptions, TypedTable, WriteTableOptions } from "./types/table.ts";
export { type FrameFormat, writeFrame, type WriteFrameOptions } from "./types/write_frame.ts";
export type { StoreAccess } from "../io/objects/store_access.ts";
export type { ObjectStoreOptions, StoreKey } from "../io/objects/store_options.ts";
export { type ObjectFailure, type ObjectFault, ObjectStoreError } from "../io/objects/object_store_error.ts";
export type { ByteSource } from "../io/bytes/byte_source.ts";
export type { OnProgress, ProgressEvent } from "../io/tasks/progress.ts";
export type { ArchiveId } from "../contract/datasets.ts";
export type { Ledger, Problem } from "../contract/ledger.ts";
export type { FieldDefinition, FieldType } from "../contract/metadata.ts";
export type { Naming, NamingRoles } from "../contract/naming.ts";
export type { SearchHit } from "../contract/search.ts";
export type { LedgerEntry, SavedEntry } from "../contract/ledger_entries.ts";
export { ParseError, RegistryError, type RegistryErrorCode } from "../errors.ts";
export type { FastaHead } from "../fasta/text/fasta_batch.ts";
export { LEDGER_CODES, type LedgerCode, type LedgerCodeInfo, type LedgerLevel } from "../contract/ledger_codes.ts";
export { FastaError } from "../fasta/text/fasta_error.ts";
export { GzipError } from "../io/gzip/gunzip.ts";
