/**
 * The same data at another time: what changed between two versions, what a source
 * is made of, and how it is cited.
 *
 * @module
 */
export { archiveChecksums, type CitedArchive, citeSource, type CiteSourceOptions } from "./cite/cite_source.ts";
export { type Crate, type CrateAuthor, type CrateOptions, writeCrate } from "./crate/crate.ts";
export { isOrcid } from "./crate/orcid.ts";
export type { Citation } from "@seqreg/core/registry";
export { DISPLAY, type Displayable, type MediaBundle } from "@seqreg/core/io/display";
export { ParseError, RegistryError, type RegistryErrorCode, type TextPosition } from "@seqreg/core/errors";
export { diffLakes, type DiffOptions } from "./diff/diff.ts";
export type { Diff, DiffCounts, DiffSource, RenamedTaxon, TableDiff } from "./diff/diff_result.ts";
export type { GroupCounts } from "./diff/group_counts.ts";
export { type ChangedField, HOW_CHANGED, type HowChanged, howChanged } from "./diff/how_changed.ts";
export type { ColumnChanges } from "./diff/match_columns.ts";
export type { RenamedColumn } from "./diff/propose_renames.ts";
export type { ChangedValue, FieldChange, RecordChange, SequenceChange } from "./diff/record_change.ts";
export { CHANGE_COLUMNS, diffToCsv } from "./diff/formats/csv.ts";
export { diffToDaff } from "./diff/formats/daff.ts";
export { diffToHtml } from "./diff/formats/html.ts";
export { diffToJsonl } from "./diff/formats/jsonl.ts";
export { diffToText } from "./diff/text.ts";
export { type Replay, replay, type ReplayOptions } from "./replay/replay.ts";
export { replayText } from "./replay/replay_text.ts";
export type { CallComparison } from "./replay/compare_calls.ts";
export type { CellComparison } from "./replay/run_notebook.ts";
export type { OutputDifference } from "./replay/compare_outputs.ts";
export type { ArchiveId, FieldType, LedgerEntry, Naming, NamingRoles } from "@seqreg/core/contract";
export {
  LEDGER_CODES,
  type LedgerCode,
  type LedgerCodeInfo,
  type LedgerLevel,
} from "@seqreg/core/contract/ledger_codes";
export type { FieldValues, Schema, SchemaField, SchemaTable } from "./schema/fields.ts";
export { schemaOf, type SchemaOptions } from "./schema/schema.ts";
export { driftOf, type FieldDrift, type SchemaDrift } from "./schema/drift.ts";
export { schemaToFrictionless } from "./schema/formats/frictionless.ts";
export { schemaToTypeScript } from "./schema/formats/typescript.ts";
export type { OnProgress, ProgressEvent } from "@seqreg/core/io/tasks";
