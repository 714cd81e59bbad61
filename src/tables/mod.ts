/**
 * Tables typed by field definitions: hits, exports, archives and FASTA to polars frames, with the values that did not
 * fit, and a ledger. polars is loaded when a frame is asked for.
 *
 * @module
 */
export { type AccessionsTable, accessionsTable, type AccessionsTableOptions } from "./accessions_table.ts";
export { archiveTable } from "./archive_table.ts";
export { buildLake, type BuildLakeOptions, type BuiltTable } from "./build_lake.ts";
export { type Cast, type CastDefinition, castText, type CellValue } from "./cast.ts";
export { type DefinitionsTable, definitionsTable, type DefinitionsTableOptions } from "./definitions_table.ts";
export { type CsvTableOptions, tableFromCsv } from "./from_csv.ts";
export {
  type FastaFrame,
  type FastaFrames,
  fastaFrames,
  type FastaFramesOptions,
  fastaTable,
  type FastaTableOptions,
} from "./from_fasta.ts";
export {
  type FastaParquet,
  type ParquetFastaRecord,
  readFastaParquet,
  writeFastaParquet,
  type WriteFastaParquetOptions,
  type WrittenFastaParquet,
} from "./fasta_parquet.ts";
export { tableFromHits } from "./from_hits.ts";
export { tableFromXml, type XmlTableOptions } from "./from_xml.ts";
export type { LakeColumn, LakeFile, LakeManifest, LakeSource } from "./lake_manifest.ts";
export {
  type Lake,
  type LakeJoin,
  type LakeJoinOptions,
  type LakeTable,
  type LakeTableOptions,
  openLake,
  type OpenLakeOptions,
} from "./open_lake.ts";
export type { SqlParameter, SqlParameters } from "./_lake_sql.ts";
export { type DatePrecision, formatDay, type PartialDate, readPartialDate } from "./partial_date.ts";
export { type ReadDefinitions, readDefinitions } from "./read_definitions.ts";
export type { DateColumns, TableColumn, TableOptions, TypedTable, WriteTableOptions } from "./table.ts";
export { type FrameFormat, writeFrame, type WriteFrameOptions } from "./write_frame.ts";
export type { ByteSource } from "../io/byte_source.ts";
export type { OnProgress, ProgressEvent } from "../io/progress.ts";
export type { ArchiveId } from "../contract/datasets.ts";
export type { Ledger, Problem } from "../contract/ledger.ts";
export type { FieldDefinition, FieldType } from "../contract/metadata.ts";
export type { Naming } from "../contract/naming.ts";
export type { SearchHit } from "../contract/search.ts";
