/** The records of isolates in the database: species, segments and values that an isolate can disagree on. */
import { groupKey, isMissing } from "@seqreg/core/contract/values";
import type { SideColumn } from "@seqreg/again/open_side";
import { createDateTable } from "./_date_table.ts";
import { presentValue, type RecordTable, textOf, valueOf } from "./_record_table.ts";
import { OBSERVED, readSegments, type SpeciesSegments } from "./segment_names.ts";

export interface IsolateSpecies extends SpeciesSegments {
  readonly species: string;
  readonly records: number;
}

/** Maximum of different combinations of species and segment: a field with more does not name segments. */
const MOST_NAMES = 1_000_000;

/** Numbers of texts that mean no segment. */
export const [NO_SEGMENT, AMBIGUOUS] = [1_000_000, 1_000_001];

/** What an isolate's records should agree on, where the source has it. */
const AGREED = ["country", "host", "collectionDate"] as const;

/**
 * Reads the species and creates the tables `species` (`species_no`, `species`, `source`, `names` of segments) and
 * `kinds` (`species_no` and `no` of the segment by the texts of both fields).
 */
export async function createSpecies(records: RecordTable, isolate: SideColumn): Promise<IsolateSpecies[]> {
  const { sql } = records;
  const [species, genus, family, segment] = (["species", "genus", "family", "segment"] as const)
    .map((role) => records.find(role));
  const text = (column: SideColumn | undefined) => column === undefined ? "''" : `coalesce(${textOf(column)}, '')`;
  const rows = `SELECT ${[species, genus, family, segment].map(text).join(", ")}, count(*) FROM records ` +
    `WHERE ${valueOf(isolate)} IS NOT NULL GROUP BY ALL`;
  const found = new Map<string, FoundSpecies>();
  let names = 0;
  for await (const batch of sql.stream(rows)) {
    names += batch.rows;
    if (names > MOST_NAMES) {
      throw new RangeError(
        `Cannot group isolates: ${species?.name ?? "records"} and ${segment?.name} have more than ` +
          `${MOST_NAMES.toLocaleString("en")} values together; name other fields, as in --field segment=NAME`,
      );
    }
    const columns = [0, 1, 2, 3, 4].map((at) => batch.column(at));
    for (let row = 0; row < batch.rows; row++) {
      const [species_, genus_, family_, segment_] = columns.map((column) => String(column[row]));
      if (species !== undefined && isMissing(species_)) continue;
      const key = groupKey(species_);
      const one = found.get(key) ?? { texts: new Set(), taxa: new Set([key]), segments: new Map(), records: 0 };
      found.set(key, one);
      const count = Number(columns[4][row]);
      one.texts.add(species_);
      one.taxa.add(genus_).add(family_);
      one.records += count;
      one.segments.set(segment_, (one.segments.get(segment_) ?? 0) + count);
    }
  }
  const all = [...found].sort(([a], [b]) => a < b ? -1 : 1).map(([species, { texts, taxa, segments, records }]) => ({
    texts,
    species: { ...readSegments([...taxa], segments), species, records },
  }));
  await insertSpecies(records, all);
  return all.map(({ species }) => species);
}

interface FoundSpecies {
  readonly texts: Set<string>;
  readonly taxa: Set<string>;
  readonly segments: Map<string, number>;
  records: number;
}

async function insertSpecies(
  { sql }: RecordTable,
  all: readonly { readonly texts: ReadonlySet<string>; readonly species: IsolateSpecies }[],
): Promise<void> {
  await sql.run("CREATE TABLE all_species (species_no INTEGER, species VARCHAR, source VARCHAR)");
  await sql.run("CREATE TABLE segments (species_no INTEGER, no INTEGER, segment VARCHAR)");
  await sql.run("CREATE TABLE kinds (species_no INTEGER, species_text VARCHAR, segment_text VARCHAR, no INTEGER)");
  const rows = all.map(({ species: { species, source, segments } }, at) => [
    String(at),
    species,
    segments.length === 0 ? null : source === OBSERVED ? OBSERVED : "table",
  ]);
  await sql.insert("all_species", [0, 1, 2].map((column) => rows.map((row) => row[column])));
  const segments = all.flatMap(({ species }, at) => species.segments.map((name, no) => [String(at), String(no), name]));
  await sql.insert("segments", [0, 1, 2].map((column) => segments.map((row) => row[column])));
  await sql.run(
    "CREATE TABLE species AS SELECT s.*, coalesce(names, []) AS names FROM all_species s LEFT JOIN " +
      "(SELECT species_no, list(segment ORDER BY no) AS names FROM segments GROUP BY 1) USING (species_no)",
  );
  const kinds = all.flatMap(({ texts, species }, at) => {
    const numbers = new Map(species.segments.map((name, no) => [name, String(no)]));
    return [...texts].flatMap((text) =>
      [...species.texts].map(([written, { segment, isAmbiguous }]) => [
        String(at),
        text,
        written,
        segment === undefined ? String(isAmbiguous ? AMBIGUOUS : NO_SEGMENT) : numbers.get(segment)!,
      ])
    );
  });
  await sql.insert("kinds", [0, 1, 2, 3].map((column) => kinds.map((row) => row[column])));
}

/** Values of a record that its isolate's records should agree on. */
export interface AgreedValues {
  /** Names of the columns that `joins` add to the records. */
  readonly columns: readonly string[];
  readonly joins: readonly string[];
  /** Roles, and the aggregate that is true of records that disagree. */
  readonly conflicts: readonly { readonly role: string; readonly condition: string }[];
}

/** Creates the tables of these values. Dates disagree if no day is in all of them. */
export async function createAgreed(records: RecordTable): Promise<AgreedValues> {
  const columns: string[] = [];
  const joins: string[] = [];
  const conflicts: { role: string; condition: string }[] = [];
  for (const role of AGREED) {
    const column = records.find(role);
    if (column === undefined) continue;
    if (role === "collectionDate") {
      await createDateTable(records.sql, { name: "seqreg_dates", column });
      columns.push("seqreg_earliest", "seqreg_latest");
      joins.push(`LEFT JOIN seqreg_dates ON seqreg_text = ${textOf(column)}`);
      conflicts.push({ role, condition: "max(seqreg_earliest) > min(seqreg_latest)" });
      continue;
    }
    const name = `seqreg_${role}`;
    await records.sql.run(
      // A condition on the value would be computed of each record, not of each text.
      `CREATE TABLE ${name}s AS SELECT text AS ${name}_text, CASE WHEN value IS NOT NULL THEN ` +
        `dense_rank() OVER (ORDER BY value) END AS ${name} FROM ` +
        `(SELECT text, nfc_normalize(${presentValue("text", column)}) AS value FROM ` +
        `(SELECT DISTINCT ${textOf(column)} AS text FROM records))`,
    );
    columns.push(name);
    joins.push(`LEFT JOIN ${name}s ON ${name}_text = ${textOf(column)}`);
    conflicts.push({ role, condition: `min(${name}) <> max(${name})` });
  }
  return { columns, joins, conflicts };
}

/**
 * All records that may have an isolate: `species_no`, `isolate` (null if its text is a word for missing), `accession`,
 * `no`, `text`, and what should agree.
 */
export function isolateRecords(
  records: RecordTable,
  { isolate, agreed }: { readonly isolate: SideColumn; readonly agreed?: AgreedValues },
): string {
  const columns = [
    "seqreg_species_no AS species_no",
    `nfc_normalize(${valueOf(isolate)}) AS isolate`,
    `coalesce(${textOf(records.accession())}, '') AS accession`,
    "seqreg_no AS no",
    `CASE WHEN seqreg_no = ${AMBIGUOUS} THEN seqreg_segment_text END AS text`,
    ...agreed?.columns ?? [],
  ];
  return `SELECT ${columns.join(", ")} FROM records JOIN ${kindsOf(records)} ${(agreed?.joins ?? []).join(" ")} ` +
    `WHERE ${textOf(isolate)} IS NOT NULL`;
}

/** Texts of isolates as they are written, one of so many: `species_no`, `isolate`. */
export function someIsolates(
  records: RecordTable,
  { isolate, every }: { readonly isolate: SideColumn; readonly every: number },
): string {
  return `SELECT seqreg_species_no AS species_no, ${textOf(isolate)} AS isolate FROM records JOIN ` +
    `${kindsOf(records)} WHERE hash(${textOf(isolate)}) % ${every} = 0 AND ${textOf(isolate)} IS NOT NULL`;
}

/** The species and the segment of a record, to join. */
function kindsOf(records: RecordTable): string {
  const text = (role: "species" | "segment") => {
    const column = records.find(role);
    return column === undefined ? "''" : `coalesce(${textOf(column)}, '')`;
  };
  return "(SELECT species_no AS seqreg_species_no, species_text AS seqreg_species_text, segment_text AS " +
    `seqreg_segment_text, no AS seqreg_no FROM kinds) ON seqreg_species_text = ${text("species")} AND ` +
    `seqreg_segment_text = ${text("segment")}`;
}
