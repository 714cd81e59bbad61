/**
 * A set for an analysis: what is kept, what is left out and why.
 *
 * @module
 */
export { curate, type CurateOptions, type Curation, type ExcludedRecord, type RuleCount } from "./curate.ts";
export {
  type CurationRules,
  FIELD_NAMES,
  RULE_NAMES,
  type RuleWords,
  WORD_RULES,
  type WordRule,
} from "./curation_rules.ts";
export {
  type SampledGroup,
  type Subsample,
  subsample,
  type SubsampleOptions,
  type UndrawnRecord,
} from "./subsample.ts";
export { type Isolates, isolates, type IsolatesOptions, type SpeciesOfIsolates } from "./isolates.ts";
export type { IsolateRecord, IsolateRow } from "./_isolate_rows.ts";
export { SEGMENT_TABLE, type SegmentNames, type SegmentTable } from "./segment_names.ts";
export type { SourceOptions } from "./source_options.ts";
export type { GroupWeight } from "./group_weights.ts";
export type { PlausibleRanges } from "@seqreg/analysis";
export type { ArchiveId, Ledger, LedgerEntry, Naming, NamingRoles } from "@seqreg/core/contract";
export {
  LEDGER_CODES,
  type LedgerCode,
  type LedgerCodeInfo,
  type LedgerLevel,
} from "@seqreg/core/contract/ledger_codes";
export type { OnProgress, ProgressEvent } from "@seqreg/core/io/tasks";
export { ParseError } from "@seqreg/core/errors";
