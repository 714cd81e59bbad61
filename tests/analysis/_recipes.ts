/** Every analysis, as most people call it. */
import * as analysis from "../../src/analysis/mod.ts";

/** Analyses by name; what each counts must add up to the rows of the source, where it says so. */
export const RECIPES: Readonly<
  Record<string, (source: analysis.AnalysisSource, snapshot?: string) => Promise<analysis.Analysis>>
> = {
  lengthDistribution: (source) => analysis.lengthDistribution(source),
  topTaxa: (source) => analysis.topTaxa(source),
  "topTaxa by host": (source) => analysis.topTaxa(source, { by: "host" }),
  "recordsInTime by year": (source, snapshot) => analysis.recordsInTime(source, { ...snapshot && { snapshot } }),
  "recordsInTime by month": (source, snapshot) =>
    analysis.recordsInTime(source, { by: "month", ...snapshot && { snapshot } }),
  "recordsInTime, cumulative": (source) => analysis.recordsInTime(source, { date: "release", cumulative: true }),
  gcByMolecule: (source) => analysis.gcByMolecule(source, { atLeast: 1 }),
  lengthByFamily: (source) => analysis.lengthByFamily(source, { atLeast: 1 }),
  clusterSizes: (source) => analysis.clusterSizes(source),
  rarefaction: (source) => analysis.rarefaction(source),
  fieldCompleteness: (source) => analysis.fieldCompleteness(source),
  completenessBySource: (source) => analysis.completenessBySource(source),
  hostRange: (source) => analysis.hostRange(source),
  submissionFlow: (source) => analysis.submissionFlow(source),
  worldMap: (source) => analysis.worldMap(source),
  "worldMap of submission": (source) => analysis.worldMap(source, { country: "submission" }),
  qualityTiers: (source) => analysis.qualityTiers(source),
  segmentsPerIsolate: (source) => analysis.segmentsPerIsolate(source),
  stratifiedSample: (source) => analysis.stratifiedSample(source, { most: 2 }),
  clusterQuality: (source) => analysis.clusterQuality(source),
  taxonomyAgreement: (source) => analysis.taxonomyAgreement(source),
  releaseLag: (source) => analysis.releaseLag(source),
  schemaCard: (source) => analysis.schemaCard(source),
};

/** Analyses that need a lake: they read several of its tables. */
export const LAKE_RECIPES: Readonly<
  Record<string, (source: analysis.AnalysisLake, snapshot?: string) => Promise<analysis.Analysis>>
> = {
  compareSets: (source) => analysis.compareSets(source),
  compareLengths: (source) => analysis.compareLengths(source),
  gcAgreement: (source) => analysis.gcAgreement(source),
};

/** Analyses whose source line does not count rows. */
export const COUNTS_OTHERS: readonly string[] = ["segmentsPerIsolate", "schemaCard"];
