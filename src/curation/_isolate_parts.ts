/** Records grouped by isolate: some species, or part of a large one, at a time, as memory allows. */
import { sqlText } from "@seqreg/core/engine/local/scratch_sql";
import type { SideColumn } from "@seqreg/again/open_side";
import { createAgreed, isolateRecords, type IsolateSpecies, NO_SEGMENT, someIsolates } from "./_isolate_tables.ts";
import type { RecordTable } from "./_record_table.ts";

/** Most records that are grouped together, but for those of one isolate. */
const RECORDS_OF_PART = 1_500_000;
/** Numbers of segments begin here in texts, so that all have as many digits and texts sort as numbers do. */
const FIRST_NUMBER = 1_000_000;
const DIGITS = 7;
const EVERY = 512;

/**
 * Creates the view `isolates`, ordered by species and isolate, with the columns of an `IsolateRow`; instead of
 * `accessions` it has two lists, `accession` and `segment` (null if none is known).
 */
export async function groupIsolates(
  records: RecordTable,
  { isolate, species, recordsOfPart = RECORDS_OF_PART, every = EVERY }: IsolateGroups,
): Promise<void> {
  const { sql } = records;
  const agreed = await createAgreed(records);
  const roles = agreed.conflicts.map(({ role, condition }) => `CASE WHEN ${condition} THEN ${sqlText(role)} END`);
  // A join could change the order of the rows: the species are a value instead, whose type null would not have.
  await sql.run(
    "SET VARIABLE all_species = (SELECT coalesce(list({species: species, source: source, names: names} " +
      "ORDER BY species_no), []) FROM species)",
  );
  const isSegment = `one < '${FIRST_NUMBER + NO_SEGMENT}'`;
  const number = `one[:${DIGITS}]::INTEGER - ${FIRST_NUMBER}`;
  const rows = (part: string) =>
    `SELECT species_no, isolate, count(*) AS records, min(no) AS least_no, ` +
    `string_agg((${FIRST_NUMBER} + no)::VARCHAR || replace(accession, chr(31), ' '), chr(31)) AS texts, ` +
    `string_agg(replace(text, chr(31), ' '), chr(31)) AS odd, [${roles.join(", ")}]::VARCHAR[] AS conflicts ` +
    `FROM ${part} GROUP BY species_no, isolate ORDER BY species_no, isolate`;
  const from = (part: string) =>
    "SELECT isolate, records, virus, all_of, CASE WHEN len(virus.names) = 0 THEN [] WHEN records = 1 THEN " +
    `(CASE WHEN least_no < ${NO_SEGMENT} THEN [least_no] ELSE [] END) ELSE list_distinct(list_transform(` +
    `list_filter(all_of, lambda one: ${isSegment}), lambda one: ${number})).list_sort() END AS nos, ` +
    "conflicts, odd FROM (SELECT *, getvariable('all_species')[species_no + 1] AS virus, CASE WHEN records = 1 THEN " +
    `[texts] ELSE list_sort(string_split(texts, chr(31))) END AS all_of FROM (${rows(part)}))`;
  const columns = [
    "virus.species AS species",
    "isolate",
    "records::BIGINT AS records",
    "list_transform(nos, lambda no: names[no + 1]) AS segments",
    "CASE WHEN len(nos) = len(names) THEN [] ELSE list_filter(names, lambda name, position: " +
    "NOT list_contains(nos, (position - 1)::INTEGER)) END AS missing",
    "CASE WHEN len(names) > 0 THEN len(nos) = len(names) END AS complete",
    "virus.source AS source",
    `CASE WHEN records = len(nos) OR len(nos) = 0 THEN [] ELSE list_transform(list_filter(nos, lambda no: len(` +
    `list_filter(all_of, lambda one: ${number} = no)) > 1), lambda no: names[no + 1]) END AS duplicate`,
    "list_filter(conflicts, lambda role: role IS NOT NULL) AS conflicting",
    "CASE WHEN odd IS NULL THEN [] ELSE list_sort(list_distinct(string_split(odd, chr(31)))) END AS ambiguous",
    `list_transform(all_of, lambda one: one[${DIGITS + 1}:]) AS accession`,
    `list_transform(all_of, lambda one: names[${number} + 1]) AS segment`,
  ].map((column) => column.replaceAll(/\bnames\b/g, "virus.names"));
  const isolated = isolateRecords(records, { isolate, agreed });
  const borders = await divide(records, { isolate, species, recordsOfPart, every });
  // Each part is a file of its own: all of the source would be read anew for each of them otherwise.
  await sql.run(`SET VARIABLE part_of_species = ${partOfSpecies(species, borders)}`);
  const parts = await sql.partition(`SELECT *, ${partOf(borders)} AS part FROM (${isolated})`, "part");
  const grouped = parts.length === 0 ? [`(${isolated} LIMIT 0)`] : parts;
  const files: string[] = [];
  for (const part of grouped) files.push(await sql.copyParquet(`SELECT ${columns.join(", ")} FROM (${from(part)})`));
  await sql.run(`CREATE VIEW isolates AS SELECT * FROM ${await sql.parquet(files)}`);
}

export interface IsolateGroups {
  readonly isolate: SideColumn;
  readonly species: readonly IsolateSpecies[];
  /** Most records that are grouped together (default: 1,500,000). */
  readonly recordsOfPart?: number;
  /** Of so many names of isolates one is looked at, to find where a large species is divided (default: 512). */
  readonly every?: number;
}

/** Where a part ends: before a species, or before an isolate of a species, in the order of bytes. */
interface Border {
  readonly species: number;
  readonly isolate?: string;
}

/** The number of the part in which each species begins, as a list of SQL. */
function partOfSpecies(species: readonly IsolateSpecies[], borders: readonly Border[]): string {
  let part = 0;
  const parts = species.map((_, at) => {
    while (part < borders.length && (borders[part].species < at || isWhole(borders[part], at))) part++;
    return part;
  });
  return `[${parts.join(", ")}]::INTEGER[]`;
}

function isWhole({ species, isolate }: Border, at: number): boolean {
  return species === at && isolate === undefined;
}

/** The number of a record's part in SQL: that of its species, and more in a large one; null without an isolate. */
function partOf(borders: readonly Border[]): string {
  const inside = new Map<number, string[]>();
  for (const { species, isolate } of borders) {
    if (isolate !== undefined) inside.set(species, [...inside.get(species) ?? [], isolate]);
  }
  const cases = [...inside].map(([species, names]) =>
    `WHEN ${species} THEN ${names.map((name) => `(isolate >= ${sqlText(name)})::INTEGER`).join(" + ")}`
  );
  const more = cases.length === 0 ? "0" : `CASE species_no ${cases.join(" ")} ELSE 0 END`;
  return `CASE WHEN isolate IS NOT NULL THEN getvariable('part_of_species')[species_no + 1] + ${more} END`;
}

/** Ends of all parts but the last. */
async function divide(
  records: RecordTable,
  { isolate, species, recordsOfPart, every }: Required<IsolateGroups>,
): Promise<Border[]> {
  const large = species.flatMap(({ records }, at) => records > recordsOfPart ? [at] : []);
  const names = await someNames(records, { isolate, species: large, every });
  const borders: Border[] = [];
  let sum = 0;
  for (const [at, { records: count }] of species.entries()) {
    if (sum > 0 && sum + count > recordsOfPart) {
      borders.push({ species: at });
      sum = 0;
    }
    sum += count;
    const some = names.get(at) ?? [];
    const wanted = Math.ceil(count / recordsOfPart);
    const inside = Array.from({ length: wanted - 1 }, (_, part) => some[Math.floor((part + 1) * some.length / wanted)]);
    for (const name of new Set(inside)) if (name !== undefined) borders.push({ species: at, isolate: name });
  }
  return borders;
}

/** Some names of isolates of large species, in order; some twice. */
async function someNames(
  records: RecordTable,
  { isolate, species, every }: {
    readonly isolate: SideColumn;
    readonly species: readonly number[];
    readonly every: number;
  },
): Promise<Map<number, string[]>> {
  const found = new Map<number, string[]>();
  if (species.length === 0) return found;
  const rows = someIsolates(records, { isolate, every });
  const query = `SELECT species_no, isolate FROM (${rows}) WHERE species_no IN (${species.join(", ")}) ORDER BY 1, 2`;
  for (const [no, name] of await records.sql.all(query)) {
    const names = found.get(Number(no));
    if (names === undefined) found.set(Number(no), [String(name)]);
    else names.push(String(name));
  }
  return found;
}
