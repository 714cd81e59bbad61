/**
 * Charts, and the analyses that users of such data make: each one function that reads a frame, a result of a registry
 * or a lake, and gives the numbers, a chart of them, and notes on what was left out and where the picture misleads.
 *
 * Fields are found by their role (`roles.ts`), through the definitions. The drawing library is loaded when a chart is
 * drawn. Output does not depend on clock, locale or randomness: the same data gives the same bytes.
 *
 * @example Records of the built-in sample in time
 * ```ts
 * import { assert } from "@std/assert";
 * import { Registry } from "seqreg";
 * import { recordsInTime } from "seqreg/analysis";
 *
 * const cacheFolder = await Deno.makeTempDir();
 * {
 *   await using registry = await Registry.open(undefined, { cacheFolder });
 *   const kenya = await registry.metadata({ query: "country:Kenya" }, { fields: ["Collection Date"] });
 *   const { frame, chart } = await recordsInTime(kenya, { by: "year" });
 *
 *   assert(frame.height > 0);
 *   assert(chart?.svg.startsWith("<svg"));
 * }
 * await Deno.remove(cacheFolder, { recursive: true });
 * ```
 *
 * @module
 */
// In a notebook this import has frames draw themselves.
import "@seqreg/jupyter/notebook/install";
export { Analysis, type AnalysisOptions } from "./run/analysis.ts";
export {
  Chart,
  chart,
  type ChartMeta,
  type ChartSource,
  type ChartSpec,
  describeSource,
  type SaveChartOptions,
} from "./chart/chart.ts";
export { clusterQuality } from "./recipes/cluster_quality.ts";
export { clusterSizes } from "./recipes/cluster_sizes.ts";
export { compareLengths, type CompareLengthsOptions } from "./recipes/compare_lengths.ts";
export { compareSets, type CompareSetsOptions } from "./recipes/taxa/compare_sets.ts";
export { completenessBySource, type CompletenessBySourceOptions } from "./recipes/completeness_by_source.ts";
export { fieldCompleteness, type FieldCompletenessOptions } from "./recipes/field_completeness.ts";
export { gcAgreement, type GcAgreementOptions } from "./recipes/gc_agreement.ts";
export { gcByMolecule, type GcByMoleculeOptions } from "./recipes/gc_by_molecule.ts";
export { hostRange, type HostRangeOptions } from "./recipes/taxa/host_range.ts";
export { lengthByFamily, type LengthByFamilyOptions } from "./recipes/length_by_family.ts";
export { lengthDistribution, type LengthDistributionOptions } from "./recipes/length_distribution.ts";
export { CATEGORY_COLOURS, NEUTRAL_COLOUR, SEQUENCE_COLOURS, SEQUENCE_COLOURS_DARK } from "./chart/palette.ts";
export { PLACE_NAMES, SHORT_NAMES, UNPLACED_NAMES } from "./places/place_names.ts";
export type { GlobePoint } from "./places/place_points.ts";
export {
  type Country,
  loadPlaces,
  type Place,
  type PlaceReader,
  type ReadPlaceOptions,
  type Spot,
} from "./places/places.ts";
export { qualityTiers } from "./recipes/quality_tiers.ts";
export { rarefaction, type RarefactionOptions } from "./recipes/taxa/rarefaction.ts";
export type { HillOrder } from "./statistics/hill_numbers.ts";
export { recordsInTime, type RecordsInTimeOptions } from "./recipes/records_in_time.ts";
export { releaseLag, type ReleaseLagOptions } from "./recipes/release_lag.ts";
export {
  describeRole,
  findRole,
  type FindRoleOptions,
  type Role,
  type RoleFields,
  type RolePreferences,
  ROLES,
  SOURCE_WORDS,
} from "./source/roles.ts";
export type { FilterRange, FilterValue, RecordFilter } from "./source/record_filter.ts";
export type { PlausibleRanges } from "./run/plausible.ts";
export { schemaCard, type SchemaCardOptions } from "./recipes/schema_card.ts";
export { segmentsPerIsolate } from "./recipes/segments_per_isolate.ts";
export {
  type AnalysisLake,
  type AnalysisSource,
  type LakeSource,
  type OpenSource,
  openSource,
  type OpenSourceOptions,
  type SourceFacts,
  type TableSource,
} from "./source/source.ts";
export type { SourceColumn } from "./source/source_column.ts";
export { StratifiedSample, stratifiedSample, type StratifiedSampleOptions } from "./recipes/taxa/stratified_sample.ts";
export { submissionFlow, type SubmissionFlowOptions } from "./recipes/submission_flow.ts";
export { taxonomyAgreement, type TaxonomyAgreementOptions } from "./recipes/taxa/taxonomy_agreement.ts";
export { type TaxonRole, topTaxa, type TopTaxaOptions } from "./recipes/taxa/top_taxa.ts";
export { worldMap, type WorldMapOptions } from "./recipes/world_map.ts";
export type { PeriodUnit } from "./chart/periods.ts";
export type { LegendEntry } from "./chart/compose.ts";
export type { PlotLibrary } from "./chart/plot.ts";
export type {
  ArchiveId,
  FieldDefinition,
  FieldType,
  Ledger,
  LedgerEntry,
  Naming,
  NamingRoles,
  Problem,
  SavedEntry,
} from "@seqreg/core/contract";
export { DISPLAY, type Displayable, type MediaBundle } from "@seqreg/core/io/display";
export type {
  Engine,
  EngineAbilities,
  EngineColumn,
  EngineFacts,
  EngineLake,
  EnginePart,
  EngineQueryOptions,
  EngineSession,
  EngineTable,
  SqlParameter,
  SqlParameters,
} from "@seqreg/core/engine/engine";
export type {
  CheckedPart,
  DateColumns,
  Lake,
  LakeCheck,
  LakeColumn,
  LakeFile,
  LakeJoin,
  LakeJoinOptions,
  LakeManifest,
  LakeSource as LakeTableSource,
  LakeTable,
  LakeTableOptions,
  Recipe,
  RecipeNumbers,
  TableColumn,
  TypedTable,
  WriteTableOptions,
} from "@seqreg/core/tables";
export {
  LEDGER_CODES,
  type LedgerCode,
  type LedgerCodeInfo,
  type LedgerLevel,
} from "@seqreg/core/contract/ledger_codes";
export type { ColumnDtype } from "@seqreg/core/engine/frames";
export type { FileChecks } from "@seqreg/core/parquet/write/file_checks";
export type { StoreAccess, StoreKey } from "@seqreg/core/io/objects";
export { RegistryError, type RegistryErrorCode } from "@seqreg/core/errors";
