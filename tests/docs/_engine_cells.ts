/** The table of `docs/engines.md` that compares the engines' SQL: what each piece of SQL in it must give. */
import { assertEquals, assertRejects } from "@std/assert";
import { join } from "node:path";
import { define } from "../core/tables/_lake_files.ts";
import { buildLake, type Lake } from "../../src/core/tables/mod.ts";

const PAGE = new URL("../../docs/engines.md", import.meta.url);

/** Engines by their column of the table. */
export const ENGINES = ["DuckDB", "Spark"] as const;
export type EngineName = typeof ENGINES[number];

/** What a piece of SQL is part of, and what the column `v` of that statement holds. */
interface Check {
  /** The whole statement. */
  readonly sql: (code: string) => string;
  /** Values in their order, or what the error says. */
  readonly expected: readonly unknown[] | RegExp;
  readonly parameters?: Readonly<Record<string, string>>;
}

const CSV = `Registry Accession,Country,Length,Hosts,Notes
vj000000000001,Kenya,40,x;y,a virus
vj000000000002,Peru,20,y,plain
vj000000000003,Kenya,,,
vj000000000004,Peru,10,x,virus
`;

/** Statements that the page calls unchanged on both engines, by what it names. */
const SHARED: Readonly<
  Record<string, { readonly sql: string; readonly expected: readonly unknown[]; readonly parameters?: string[] }>
> = {
  "GROUP BY ALL": {
    sql: `SELECT "Country", count(*) AS v FROM lake GROUP BY ALL ORDER BY "Country"`,
    expected: [2, 2],
  },
  "QUALIFY": {
    sql: `SELECT "Country" AS c, "Length" AS v FROM lake WHERE "Length" > 0
      QUALIFY row_number() OVER (PARTITION BY "Country" ORDER BY "Length" DESC) = 1 ORDER BY c`,
    expected: [40, 20],
  },
  "count(*) FILTER (WHERE …)": { sql: `SELECT count(*) FILTER (WHERE "Length" > 15) AS v FROM lake`, expected: [2] },
  "median()": { sql: `SELECT median("Length") AS v FROM lake`, expected: [20] },
  "FROM lake SELECT …": { sql: `FROM lake SELECT count(*) AS v`, expected: [4] },
  "?": {
    sql: `SELECT "Length" AS v FROM lake WHERE "Country" = ? AND "Length" > 0`,
    expected: [40],
    parameters: ["Kenya"],
  },
};

const of = (column: string) => (code: string) => `SELECT ${code} AS v FROM (SELECT ${column} FROM lake) t`;
const lengths = of(`"Length" AS x`);
const ofLongest = (code: string) => `SELECT ${code} AS v FROM (SELECT "Length" AS x FROM lake WHERE "Length" = 40) t`;
const notes = (code: string) =>
  `SELECT ${code} AS v FROM (SELECT "Notes" AS x, "Registry Accession" AS id FROM lake WHERE "Notes" <> '') t ORDER BY id`;
const day = (code: string) => `SELECT ${code} AS v FROM (SELECT CAST('2021-03-04' AS DATE) AS d) t`;
const value = (code: string) => `SELECT ${code} AS v`;
const ordered = (code: string) => `SELECT "Length" AS v FROM (SELECT "Length", "Length" AS x FROM lake) t ${code}`;
/** Names of columns as values: the frame's own. */
const columns = (code: string) => `SELECT ${code} FROM lake LIMIT 1`;
const ALL_BUT_NOTES = ["Registry Accession", "Country", "Length", "Hosts"];
/** Texts with a blank, with the character s, and with a no-break space. */
const blanks = (code: string) =>
  `SELECT ${code} AS v FROM (VALUES (1, 'a b'), (2, 'sss'), (3, 'a\u00a0b')) t(i, x) ORDER BY i`;

/** Checks by row of the table: one for each piece of SQL in a cell. */
const ROWS: Readonly<Record<string, Readonly<Record<EngineName, readonly Check[]>>>> = {
  "all columns but some": {
    DuckDB: [{ sql: columns, expected: ALL_BUT_NOTES }],
    Spark: [{ sql: columns, expected: ALL_BUT_NOTES }],
  },
  "text of a value": {
    DuckDB: [{ sql: ofLongest, expected: ["40"] }],
    Spark: [{ sql: ofLongest, expected: ["40"] }],
  },
  "a quantile": {
    DuckDB: [{ sql: lengths, expected: [20] }],
    Spark: [{ sql: lengths, expected: [20] }],
  },
  "a pattern": {
    DuckDB: [{ sql: notes, expected: [true, false, true] }],
    Spark: [{ sql: notes, expected: [true, false, true] }],
  },
  "a blank in a pattern": {
    DuckDB: [{ sql: blanks, expected: [true, false, false] }],
    Spark: [{ sql: blanks, expected: [true, false, false] }, { sql: blanks, expected: [false, true, false] }],
  },
  "an item of a list": {
    DuckDB: [{
      sql: (code) => `SELECT "Registry Accession" AS v FROM lake WHERE ${code} ORDER BY v`,
      expected: ["vj000000000001", "vj000000000004"],
    }],
    Spark: [{
      sql: (code) => `SELECT "Registry Accession" AS v FROM lake WHERE ${code} ORDER BY v`,
      expected: ["vj000000000001", "vj000000000004"],
    }],
  },
  "a row for each item": {
    DuckDB: [{
      sql: (code) => `SELECT v FROM (SELECT ${code} AS v FROM lake) t ORDER BY v`,
      expected: ["x", "x", "y", "y"],
    }],
    Spark: [{
      sql: (code) => `SELECT v FROM (SELECT ${code} AS v FROM lake) t ORDER BY v`,
      expected: ["x", "x", "y", "y"],
    }],
  },
  "whole quotient": {
    DuckDB: [{ sql: ofLongest, expected: [5] }],
    Spark: [{ sql: ofLongest, expected: [5] }],
  },
  "division by zero": {
    DuckDB: [{ sql: value, expected: [Infinity] }, { sql: value, expected: [null] }],
    Spark: [{ sql: value, expected: /DIVIDE_BY_ZERO/ }, { sql: value, expected: [null] }],
  },
  "a date as text": {
    DuckDB: [{ sql: day, expected: ["2021"] }],
    Spark: [{ sql: day, expected: ["2021"] }],
  },
  "nulls in order": {
    DuckDB: [{ sql: ordered, expected: [10, 20, 40, null] }],
    Spark: [{ sql: ordered, expected: [null, 10, 20, 40] }, { sql: ordered, expected: [10, 20, 40, null] }],
  },
  "a backslash in a text": {
    DuckDB: [{ sql: value, expected: ["a\\nb"] }],
    Spark: [{ sql: value, expected: ["a\nb"] }, { sql: value, expected: ["a\\nb"] }],
  },
  "values by name": {
    DuckDB: [{ sql: value, expected: ["Kenya"], parameters: { name: "Kenya" } }],
    Spark: [{ sql: value, expected: ["Kenya"], parameters: { name: "Kenya" } }],
  },
};

/** Builds the lake that the statements read, in a folder. @returns Its path. */
export async function buildCellsLake(folder: string): Promise<string> {
  const [csv, lake] = [join(folder, "cells.csv"), join(folder, "lake")];
  await Deno.writeTextFile(csv, CSV);
  await buildLake(csv, lake, {
    definitions: [
      define("Registry Accession", "string"),
      define("Country", "string"),
      define("Length", "integer"),
      define("Hosts", "list"),
      define("Notes", "string"),
    ],
  });
  return lake;
}

/** Pieces of SQL in a cell. */
function codes(cell: string): string[] {
  return Array.from(cell.matchAll(/`([^`]+)`/g), ([, code]) => code);
}

/** Rows of the page's table: what each is for, and the pieces of SQL of each engine. */
async function readTable(): Promise<Map<string, Record<EngineName, string[]>>> {
  const page = await Deno.readTextFile(PAGE);
  const lines = page.split("\n").filter((line) => /^\| .* \| .* \| .* \|$/.test(line));
  const [head, ...rows] = lines.map((line) => line.slice(1, -1).split("|").map((cell) => cell.trim()));
  assertEquals(head, ["for", ...ENGINES]);
  return new Map(
    rows.filter(([name]) => !name.startsWith("-")).map(([name, duckdb, spark]) => {
      return [name, { DuckDB: codes(duckdb), Spark: codes(spark) }];
    }),
  );
}

/** What the page names as unchanged on both engines. */
async function readShared(): Promise<string[]> {
  const [, sentence] =
    /Many statements run on both unchanged:([\s\S]*?)\. What differs/.exec(await Deno.readTextFile(PAGE)) ??
      [];
  return codes(sentence ?? "").map((code) => code.replace(/\s+/g, " "));
}

/** Runs everything that the page has for one engine on a lake, each as a step. */
export async function checkCells(t: Deno.TestContext, lake: Lake, engine: EngineName): Promise<number> {
  const table = await readTable();
  assertEquals([...table.keys()], Object.keys(ROWS), "each row of the page has its checks");
  let checked = 0;
  for (const [row, cells] of table) {
    assertEquals(cells[engine].length, ROWS[row][engine].length, `pieces of SQL of ${engine}: ${row}`);
    for (const [index, code] of cells[engine].entries()) {
      await t.step(`${row}: ${code}`, () => check(lake, code, ROWS[row][engine][index]));
      checked++;
    }
  }
  assertEquals((await readShared()).sort(), Object.keys(SHARED).sort());
  for (const [name, { sql, expected, parameters }] of Object.entries(SHARED)) {
    await t.step(name, async () => assertEquals(valuesOf(await lake.sql(sql, parameters)), expected));
    checked++;
  }
  return checked;
}

async function check(lake: Lake, code: string, { sql, expected, parameters }: Check): Promise<void> {
  const run = () => lake.sql(sql(code), parameters);
  if (expected instanceof RegExp) return void await assertRejects(run, Error, expected.source);
  const frame = await run();
  assertEquals(sql === columns ? frame.columns : valuesOf(frame), expected);
}

/** Values of the column `v`; whole numbers of either width are JavaScript's. */
function valuesOf(frame: Awaited<ReturnType<Lake["sql"]>>): unknown[] {
  return frame.toRecords().map(({ v }) => typeof v === "bigint" ? Number(v) : v ?? null);
}
