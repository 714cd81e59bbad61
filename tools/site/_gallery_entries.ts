/** The gallery: each analysis with the question that it answers, and the code that draws it. */

/** One picture. `lake` is open; names of `seqreg/analysis` are in scope. */
export interface GalleryEntry {
  readonly question: string;
  /** An expression that evaluates to an analysis. */
  readonly code: string;
  /** Registry of the lake: the synthetic sample, or the real genomes of Zika virus. */
  readonly data: "sample" | "zika";
}

const DAY = 'snapshot: "2026-01-31"';

/** The pictures, by what they are about. */
export const GALLERY: Readonly<Record<string, readonly GalleryEntry[]>> = {
  "What is in the data": [
    sample("How complete is each field?", "fieldCompleteness(lake)"),
    sample("Which sources fill in their fields?", "completenessBySource(lake)"),
  ],
  "Who is in it": [
    sample("Which species have the most records?", "topTaxa(lake)"),
    sample("From which hosts are they?", 'topTaxa(lake, { by: "host" })'),
    sample("How many hosts does each species have?", "hostRange(lake)"),
    sample("Would more records show more species?", "rarefaction(lake)"),
    sample("Which records are in several sets?", "compareSets(lake)"),
    sample("What does an even draw keep of each species?", "stratifiedSample(lake, { most: 10 })"),
  ],
  "When and where": [
    sample("When were the samples collected?", `recordsInTime(lake, { by: "year", ${DAY} })`),
    sample("How does a collection grow?", `recordsInTime(lake, { date: "release", cumulative: true, ${DAY} })`),
    sample("How long until a sample is a record?", `releaseLag(lake, { ${DAY} })`),
    sample("Where were the samples taken?", "worldMap(lake)"),
    sample("Who submits samples of other countries?", "submissionFlow(lake)"),
    zika("An epidemic in 34 genomes: when?", 'recordsInTime(lake, { by: "month", snapshot: "2026-11-25" })'),
    zika("An epidemic in 34 genomes: where?", "worldMap(lake)"),
  ],
  "How long, how good, how alike": [
    sample("How long are the sequences?", "lengthDistribution(lake)"),
    sample("How long are those of each family?", "lengthByFamily(lake)"),
    sample("Are complete genomes as long as others?", "compareLengths(lake)"),
    sample("How does GC content differ by molecule?", "gcByMolecule(lake)"),
    sample("Is the GC content of the metadata that of the sequences?", "gcAgreement(lake)"),
    sample("How many records are good enough?", "qualityTiers(lake)"),
    sample("How many segments does an isolate have?", "segmentsPerIsolate(lake)"),
  ],
  "Clusters and taxonomies": [
    sample("How large are clusters of equal sequences?", "clusterSizes(lake)"),
    sample("Do members of a cluster agree?", "clusterQuality(lake)"),
    sample("Do two taxonomies agree?", "taxonomyAgreement(lake)"),
  ],
};

function sample(question: string, code: string): GalleryEntry {
  return { question, code, data: "sample" };
}

function zika(question: string, code: string): GalleryEntry {
  return { question, code, data: "zika" };
}
