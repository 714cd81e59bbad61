/** The records that a sample is drawn from: their groups, and what is left out beforehand. */
import { sqlText } from "@seqreg/core/engine/local/scratch_sql";
import type { SideColumn } from "@seqreg/again/open_side";
import { createDateTable } from "./_date_table.ts";
import { textAsItCame } from "./_record_lines.ts";
import { numberOf, presentValue, type RecordTable, textOf, valueOf } from "./_record_table.ts";

/** Groups, priority, and forced and excluded records of a sample. */
export interface CandidateOptions {
  readonly by: readonly string[];
  readonly priority?: string;
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  readonly seed: number;
}

/** Groups that are made from the date of collection. */
const UNITS: readonly string[] = ["year", "month", "isoweek"];

/** Separates the values of a group; removed from the values themselves. */
const BETWEEN = "chr(31)";

export interface Candidates {
  /**
   * A subquery of all records, or of those of a chunk, with the columns `row`, `accession`, `key` of the group,
   * `precedence` (the least first), `forced` and `reason` (null if it can be drawn).
   */
  readonly rows: (chunk?: string) => string;
  /** Number of a record in the order of the draw, of a column `accession`: the least first. */
  readonly draw: string;
}

/**
 * Prepares the candidates and creates the tables `sizes` (`key`, `precedence`, `size`, `forced`) and `groups` (`id`,
 * `key`, `name`, `size`, `forced`, `turn`) of those that can be drawn.
 */
export async function createCandidates(records: RecordTable, options: CandidateOptions): Promise<Candidates> {
  const { sql } = records;
  const { by, include, exclude, seed } = options;
  const parts = await groupParts(records, by);
  const accession = `coalesce(${textOf(records.accession())}, '')`;
  const dateless = parts.filter(({ unit }) => unit !== undefined)
    .map(({ value, unit }) => `WHEN ${value} IS NULL THEN ${sqlText(`no-${unit}`)}`);
  const precedence = options.priority === undefined
    ? "0"
    : `coalesce((${await priorityOf(records, records.column(options.priority))})::DOUBLE, 'infinity'::DOUBLE)`;
  const value = ({ value }: GroupPart) => `replace(coalesce(${value}, '?'), ${BETWEEN}, ' ')`;
  const joins = [
    ...new Set(parts.map(({ join }) => join)),
    ...await namesJoin(records, { table: "included", names: include, accession }),
    ...await namesJoin(records, { table: "left_out", names: exclude, accession }),
  ];
  const isForced = include.length > 0 ? "seqreg_included IS NOT NULL" : "false";
  const branches = [
    `WHEN ${accession} = '' THEN 'no-accession'`,
    `WHEN ${isForced} THEN NULL`,
    ...exclude.length > 0 ? ["WHEN seqreg_left_out IS NOT NULL THEN 'excluded'"] : [],
    ...dateless,
  ];
  const before = (chunk: string) =>
    `SELECT seqreg_row AS row, ${accession} AS accession, concat_ws(${BETWEEN}, ${parts.map(value).join(", ")}) AS ` +
    `key, (${precedence})::DOUBLE AS precedence, ${isForced} AS forced, CASE ${branches.join(" ")} END AS reason ` +
    `FROM ${chunk} records ${joins.join(" ")}`;
  const isRepeated = await findRepeated(records, before("records"));
  const rows = (chunk = "records") =>
    isRepeated
      ? "(SELECT c.* REPLACE (CASE WHEN reason IS NULL AND r.row IS NOT NULL THEN 'accession-repeated' ELSE reason END " +
        `AS reason) FROM (${before(chunk)}) c LEFT JOIN repeated r ON r.row = c.row)`
      : `(${before(chunk)})`;
  await sql.run(
    "CREATE TABLE sizes AS SELECT key, precedence, count(*) AS size, count(*) FILTER (WHERE forced) AS forced " +
      `FROM ${rows()} WHERE reason IS NULL GROUP BY ALL`,
  );
  await sql.run(
    "CREATE TABLE groups AS SELECT row_number() OVER (ORDER BY key) - 1 AS id, key, " +
      `replace(key, ${BETWEEN}, '|') AS name, size, forced, md5_number_lower(concat(${
        sqlText(`${seed}:`)
      }, key)) AS turn FROM (SELECT key, sum(size)::BIGINT AS size, sum(forced)::BIGINT AS forced FROM sizes GROUP BY 1)`,
  );
  return { rows, draw: drawOrder(seed) };
}

/** The number by which a record is drawn, in SQL: of the seed and the column `accession`. */
export function drawOrder(seed: number | string): string {
  return `md5_number_lower(concat(${seed}, ':', accession))`;
}

interface GroupPart {
  /** Its value in SQL; null where it is missing. */
  readonly value: string;
  /** What has to be joined to the records for it. */
  readonly join: string;
  /** Part of a date, if it is one. */
  readonly unit?: string;
}

/** Each text of a field is read once. */
async function groupParts(records: RecordTable, by: readonly string[]): Promise<GroupPart[]> {
  const { sql } = records;
  const date = records.find("collectionDate");
  const isUnit = (name: string) => date !== undefined && UNITS.includes(name);
  if (by.some(isUnit)) await createDateTable(sql, { name: "seqreg_dates", column: date! });
  const parts: GroupPart[] = [];
  for (const [at, name] of by.entries()) {
    if (isUnit(name)) {
      const join = `LEFT JOIN seqreg_dates ON seqreg_text = ${textOf(date!)}`;
      parts.push({ value: `seqreg_${name}`, unit: name, join });
      continue;
    }
    const table = `seqreg_by_${at}`;
    const column = records.column(name);
    const { text, join } = await textAsItCame(records, { column, alias: `seqreg_raw_by_${at}` });
    await sql.run(
      `CREATE TABLE ${table} AS SELECT text AS ${table}_text, nfc_normalize(${
        presentValue("text", column)
      }) AS ${table}_value FROM ` +
        `(SELECT DISTINCT ${text} AS text FROM records ${join})`,
    );
    parts.push({ value: `${table}_value`, join: `${join} LEFT JOIN ${table} ON ${table}_text = ${text}` });
  }
  return parts;
}

/** Creates a table of names, and returns the join that finds records with one of them. */
async function namesJoin(
  { sql }: RecordTable,
  { table, names, accession }: {
    readonly table: string;
    readonly names: readonly string[];
    readonly accession: string;
  },
): Promise<string[]> {
  await sql.run(`CREATE TABLE ${table} (seqreg_${table} VARCHAR)`);
  await sql.insert(table, [[...new Set(names)].filter((name) => name !== "")]);
  return names.length === 0 ? [] : [`LEFT JOIN ${table} ON seqreg_${table} = ${accession}`];
}

/**
 * Of several rows with one accession one can be drawn: by what they hold, so that their order makes no difference.
 *
 * @returns Whether there are others; the table `repeated` has their `row`.
 */
async function findRepeated(records: RecordTable, rows: string): Promise<boolean> {
  const { sql, table } = records;
  if (table.unique !== undefined && table.unique === table.rows && table.idField === records.accession().name) {
    return false;
  }
  // Numbers take less memory than names; names with equal numbers are compared below.
  await sql.run(
    "CREATE TABLE seqreg_hashes AS SELECT hash(accession) AS hash FROM " +
      `(${rows}) WHERE reason IS NULL GROUP BY 1 HAVING count(*) > 1`,
  );
  const [[count]] = await sql.all("SELECT count(*) FROM seqreg_hashes");
  if (Number(count) === 0) return false;
  const cells: { readonly text: string; readonly join: string }[] = [];
  for (const [at, column] of table.columns.entries()) {
    cells.push(await textAsItCame(records, { column, alias: `seqreg_same_${at}` }));
  }
  const content = `md5(concat_ws(${BETWEEN}, ${cells.map(({ text }) => `coalesce(${text}, '')`).join(", ")}))`;
  const joins = cells.map(({ join }) => join).join(" ");
  await sql.run(
    "CREATE TABLE repeated AS SELECT row FROM (SELECT c.row, c.accession, content FROM " +
      `(SELECT * FROM (${rows}) WHERE reason IS NULL AND hash(accession) IN (FROM seqreg_hashes)) c ` +
      `JOIN (SELECT seqreg_row AS row, ${content} AS content FROM records ${joins}) USING (row)) ` +
      "QUALIFY row_number() OVER (PARTITION BY accession ORDER BY content, row) > 1",
  );
  return true;
}

/** Words by which records come first, the best before the others. */
const BEST_FIRST = [
  "complete",
  "high-quality",
  "medium-quality",
  "near-complete",
  "partial",
  "low-quality",
  "fragment",
  "not-determined",
];

/** The precedence of records by a field: the greatest number first, or words of completeness and quality. */
async function priorityOf(records: RecordTable, column: SideColumn): Promise<string> {
  // "Complete genome" is as good as "complete".
  const short = `regexp_replace(lower(${valueOf(column)}), '[\\s_]+(genome|sequence|cds)$', '')`;
  const word = `regexp_replace(${short}, '[\\s_]+', '-', 'g')`;
  const position = `list_position([${BEST_FIRST.map(sqlText).join(", ")}], ${word})`;
  const [[present, numbers, words]] = await records.sql.all(
    `SELECT count(${valueOf(column)}), count(${numberOf(column)}), count(${position}) FROM records`,
  );
  if (Number(numbers) > 0) return `-${numberOf(column)}`;
  if (Number(words) > 0 || Number(present) === 0) return position;
  throw new RangeError(
    `Cannot order records by the field "${column.name}": expected numbers (the greatest first) or one of ` +
      BEST_FIRST.join(", "),
  );
}
