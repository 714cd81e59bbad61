/**
 * 480 untidy records, as registries have them, with what each value means written beside it by hand: the numbers of
 * analyses are worked out from the meanings, without any reading of the toolkit.
 */
import pl, { type DataFrame } from "nodejs-polars";
import type { AnalysisLake } from "../../src/analysis/mod.ts";

export const RECORDS = 480;

/** A value as it stands in the data, and the group that it belongs to; null for none. */
type Meant = readonly [raw: string | null, key: string | null];

const MISSING: readonly Meant[] = [
  [null, null],
  ["", null],
  ["  ", null],
  ["?", null],
  [" ?", null],
  ["N/a", null],
  ["Not Available", null],
  ["unknown", null],
  ["UNKNOWN\t", null],
  ["missing: lab stock", null],
  ["not collected\u00a0", null],
  ["restricted access", null],
];

const FAMILIES: readonly Meant[] = [
  ["Flaviviridae", "Flaviviridae"],
  ["Flaviviridae ", "Flaviviridae"],
  ["\u00a0Flaviviridae", "Flaviviridae"],
  ["Poxviridae", "Poxviridae"],
  ["poxviridae", "poxviridae"],
  ["Re\u0301ovirus", "R\u00e9ovirus"],
  ["R\u00e9ovirus\n", "R\u00e9ovirus"],
];
const SPECIES: readonly Meant[] = [
  ["Zika virus", "Zika virus"],
  ["Zika virus ", "Zika virus"],
  ["\tZika virus", "Zika virus"],
  ["Vaccinia virus", "Vaccinia virus"],
  ["Nairobi", "Nairobi"],
  ["nan virus", "nan virus"],
];
const HOSTS: readonly Meant[] = [["Homo sapiens", "Homo sapiens"], [" Homo sapiens", "Homo sapiens"], [
  "Sus scrofa",
  "Sus scrofa",
], [
  "Naja naja",
  "Naja naja",
]];
const COUNTRIES: readonly Meant[] = [
  ["Kenya", "Kenya"],
  ["Kenya: Nairobi", "Kenya"],
  ["KENYA ", "Kenya"],
  ["French Guiana", "French Guiana"],
  ["Re\u0301union", "R\u00e9union"],
  ["Reunion", "R\u00e9union"],
  ["Baltic Sea", "Baltic Sea"],
  ["USSR", "USSR"],
  ["Atlantis", "Atlantis"],
];
const MOLECULES: readonly Meant[] = [["ssRNA(+)", "ssRNA(+)"], ["ssRNA(+) ", "ssRNA(+)"], ["dsDNA", "dsDNA"]];
const COMPLETENESS: readonly Meant[] = [["complete", "complete"], [" complete", "complete"], ["partial", "partial"]];
const SOURCES: readonly Meant[] = [["GenBank", "GenBank"], ["GenBank ", "GenBank"], ["BV-BRC", "BV-BRC"]];
const ISOLATES: readonly Meant[] = Array.from(
  { length: 40 },
  (_, at): Meant => [`iso ${at}${at % 3 === 0 ? " " : ""}`, `iso ${at}`],
);
const CLUSTERS: readonly Meant[] = [
  ...Array.from({ length: 30 }, (_, at): Meant => [`c${at % 15}${at < 15 ? "" : "\u2003"}`, `c${at % 15}`]),
];
const RANKS: readonly Meant[] = [["species", "species"], ["species ", "species"], ["genus", "genus"]];
const RELATIONS: readonly Meant[] = [["exact", "exact"], ["exact\t", "exact"], ["broader", "broader"]];

/** A date as it stands in the data; the period that it lies in, how much of it is known, its day if it is. */
export interface DateMeaning {
  readonly raw: string | null;
  readonly state: "known" | "missing" | "unreadable" | "early" | "late";
  readonly year?: string;
  readonly month?: string;
  readonly precision?: "year" | "month" | "day";
  /** Days since 2013-01-01. */
  readonly day?: number;
}

const DATES: readonly DateMeaning[] = [
  { raw: "2013", state: "known", year: "2013", precision: "year" },
  { raw: "2013-00-00", state: "known", year: "2013", precision: "year" },
  { raw: "2013-XX-05", state: "known", year: "2013", precision: "year" },
  { raw: "2013-05", state: "known", year: "2013", month: "2013-05", precision: "month" },
  { raw: "May-2013", state: "known", year: "2013", month: "2013-05", precision: "month" },
  { raw: " 2013-05-xx", state: "known", year: "2013", month: "2013-05", precision: "month" },
  { raw: "05-May-2013", state: "known", year: "2013", month: "2013-05", precision: "day", day: 124 },
  { raw: "2013-05-05 ", state: "known", year: "2013", month: "2013-05", precision: "day", day: 124 },
  { raw: "2013-01-31", state: "known", year: "2013", month: "2013-01", precision: "day", day: 30 },
  { raw: "2013-05/2013-06", state: "known", year: "2013", precision: "year" },
  { raw: "2014-12-31T10:30:00Z", state: "known", year: "2014", month: "2014-12", precision: "day", day: 729 },
  { raw: "03/04/2020", state: "unreadable" },
  { raw: "2020-05-051", state: "unreadable" },
  { raw: "2013-02-30", state: "unreadable" },
  { raw: "soon", state: "unreadable" },
  { raw: "0020-01-01", state: "early" },
  { raw: "1899", state: "early" },
  { raw: "2030-01-01", state: "late" },
  { raw: "2031", state: "late" },
  ...MISSING.map(([raw]): DateMeaning => ({ raw, state: "missing" })),
];

/** The day of the data. */
export const SNAPSHOT = "2026-01-31";

const LENGTHS: readonly (number | null)[] = [
  29_903,
  10_794,
  10_807,
  190_000,
  999,
  1000,
  1,
  5_000_000,
  null,
  0,
  -5,
  1e15,
  5_000_001,
];
const GCS: readonly (number | null)[] = [0.38, 0.41, 0.5, 0.47, 0, 1, null, 0.62, 0.55, 101, -0.2];
const AMBIGUOUS: readonly (number | null)[] = [0, 0, 10, 2000, null, -1, 500];
const IDENTITIES: readonly (number | null)[] = [100, 99.5, 97, 92, 80, 12, 0.9, null, 250, -4];

/** One record: values as they stand in the data, and what they mean. */
export interface UntidyRecord {
  readonly id: string;
  readonly raw: Readonly<Record<string, string | number | null>>;
  /** Groups by field; null for a value that says that there is none. */
  readonly key: Readonly<Record<string, string | null>>;
  readonly collected: DateMeaning;
  readonly released: DateMeaning;
  /** GC content in percent, as it was computed from the bases. */
  readonly computed: number;
}

/** Numbers that look random and are the same in every run. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor(state / 2 ** 32 * below);
  };
}

function makeRecords(): UntidyRecord[] {
  const random = numbers(14);
  const pick = <Value>(values: readonly Value[]): Value => values[random(values.length)];
  // Every fifth value is a missing one.
  const meant = (values: readonly Meant[]): Meant => random(5) === 0 ? pick(MISSING) : pick(values);
  return Array.from({ length: RECORDS }, (_, row) => {
    const id = `vj${String(row).padStart(12, "0")}`;
    const texts: Record<string, Meant> = {
      "Family": meant(FAMILIES),
      "Species": meant(SPECIES),
      "Host Species": meant(HOSTS),
      "Country": meant(COUNTRIES),
      "Submitter Country": meant(COUNTRIES),
      "Molecule Type": meant(MOLECULES),
      "Genome Completeness": meant(COMPLETENESS),
      "Data Source": meant(SOURCES),
      "Isolate": meant(ISOLATES),
      "Cluster": meant(CLUSTERS),
      "Rank": meant(RANKS),
      "Relation": meant(RELATIONS),
      "Representative": [
        `vj${String(row - row % 3).padStart(12, "0")}`,
        `vj${String(row - row % 3).padStart(12, "0")}`,
      ],
      "Member": [id, id],
    };
    const [collected, released] = [pick(DATES), pick(DATES)];
    const raw = {
      "Registry Accession": id,
      ...Object.fromEntries(Object.entries(texts).map(([field, [raw]]) => [field, raw])),
      "Collection Date": collected.raw,
      "Release Date": released.raw,
      "Sequence Length": pick(LENGTHS),
      "GC Content": pick(GCS),
      "Ambiguous Bases": pick(AMBIGUOUS),
      "Identity": pick(IDENTITIES),
      "Coverage": pick(IDENTITIES),
      // As JavaScript arrays of whole numbers become.
      "Segment": random(6) === 0 ? null : 1 + random(8),
    };
    const key = {
      ...Object.fromEntries(Object.entries(texts).map(([field, [, key]]) => [field, key])),
      "Segment": raw.Segment === null ? null : String(raw.Segment),
    };
    return { id, raw, key, collected, released, computed: 30 + random(30) };
  });
}

export const UNTIDY: readonly UntidyRecord[] = makeRecords();

const NUMBERS: readonly string[] = [
  "Sequence Length",
  "GC Content",
  "Ambiguous Bases",
  "Identity",
  "Coverage",
  "Segment",
];

/** Names of the columns of the frame. */
export const COLUMNS: readonly string[] = Object.keys(UNTIDY[0].raw);

/** Some of the records as a frame: every one by default. */
export function untidyFrame(records: readonly UntidyRecord[] = UNTIDY): DataFrame {
  return pl.DataFrame(COLUMNS.map((name) => {
    const values = records.map(({ raw }) => raw[name]);
    return NUMBERS.includes(name) ? pl.Series(name, values, pl.Float64) : pl.Series(name, values, pl.String);
  }));
}

/** Records of the three sets: all, every second one, every third one. */
export const SETS: Readonly<Record<string, readonly UntidyRecord[]>> = {
  "all records": UNTIDY,
  "unique sequences": UNTIDY.filter((_, row) => row % 2 === 0),
  "representatives": UNTIDY.filter((_, row) => row % 3 === 0),
};

/** A lake of the three sets, with the computed GC content of all. */
export function untidyLake(): AnalysisLake {
  const columns = COLUMNS.map((name) => {
    const isNumber = NUMBERS.includes(name);
    return {
      name,
      field: name,
      type: isNumber ? "float" as const : "string" as const,
      dtype: isNumber ? "Float64" as const : "String" as const,
    };
  });
  const facts = { idField: "Registry Accession", unique: RECORDS, files: [], definitions: [], misfits: {} };
  const frames = new Map(
    ["full_dataset_metadata", "unique_seqs_metadata", "votu_clusters_metadata"].map((table, at) =>
      [table, untidyFrame(Object.values(SETS)[at])] as const
    ),
  );
  const computed = pl.DataFrame([
    pl.Series("Registry Accession", UNTIDY.map(({ id }) => id).reverse(), pl.String),
    pl.Series("gc", UNTIDY.map(({ computed }) => computed / 100).reverse(), pl.Float64),
  ]);
  frames.set("full_dataset_sequence", computed);
  const gc = { name: "gc", field: "gc", type: "float", dtype: "Float64" } as const;
  return {
    folder: "",
    main: "full_dataset_metadata",
    tables: new Map(
      [...frames.keys()].map((table) =>
        [table, { ...facts, columns: table === "full_dataset_sequence" ? [columns[0], gc] : columns }] as const
      ),
    ),
    scan: (table = "full_dataset_metadata") => frames.get(table)!.lazy(),
  };
}
