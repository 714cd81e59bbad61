/**
 * What others say of two versions: `daff patch` makes the new one of our comparison, DuckDB counts the same records,
 * and planted changes are found with how they were made. Run by `deno task checks versions`. `PYTHON` names a Python
 * with daff. `SEQREG_SEED` (1) varies the tables.
 */
import { assert, assertEquals } from "@std/assert";
import { DuckDBInstance } from "@duckdb/node-api";
import { diffLakes } from "../../../src/again/diff/diff.ts";
import { diffToDaff } from "../../../src/again/diff/formats/daff.ts";
import type { HowChanged } from "../../../src/again/diff/how_changed.ts";
import { readCsvRows } from "../../../src/core/io/csv/csv_rows.ts";
import { readBytes } from "../../../src/core/io/bytes/byte_source.ts";
import { recordsOf, type Rows, writeRows } from "../../again/diff/_versions.ts";
import { testNeeding } from "../../_needs.ts";
import { needsModules, PYTHON } from "../../_python.ts";
import { inFolder } from "../../_files.ts";
import { randomsOf } from "../../_randoms.ts";

const PAIRS = 100;
const PLANTED = 10_000;
const SEED = Number(Deno.env.get("SEQREG_SEED") ?? "1");

const VALUES = [
  "",
  "a",
  "b",
  "NULL",
  "x->y",
  "-->",
  "a,b",
  'q"q',
  "é",
  "0",
  "1.5",
  "...",
  "@@",
  "+++",
  "->",
  " sp ",
  "\u{1F9EC}",
];

/**
 * Two versions of a table: rows dropped, changed, added between others, a column added or dropped, and those of the new
 * version in another order.
 */
function makePair(random: () => number): readonly [Rows, Rows] {
  const pick = () => VALUES[Math.floor(random() * VALUES.length)];
  const columns = 1 + Math.floor(random() * 4);
  const names = Array.from({ length: columns }, (_, index) => `c${index}`);
  const before = Array.from({ length: 1 + Math.floor(random() * 12) }, (_, row) => [`k${row}`, ...names.map(pick)]);
  const after: string[][] = [];
  for (const row of before) {
    const chance = random();
    if (chance < 0.2) continue;
    if (random() < 0.2) after.push([`n${after.length}`, ...names.map(pick)]);
    after.push(chance < 0.5 ? row.with(1 + Math.floor(random() * columns), pick()) : row);
  }
  const [added, dropped] = [random() < 0.3, random() < 0.3 && columns > 1 ? 1 + Math.floor(random() * columns) : -1];
  const shape = (row: readonly string[], more: string) =>
    [...row, ...added ? [more] : []].filter((_, index) => index !== dropped);
  const now = [shape(["id", ...names], "added"), ...after.map((row) => shape(row, pick()))];
  const order = now[0].map((_, index) => [random(), index]).sort(([a], [b]) => a - b).map(([, index]) => index);
  return [[["id", ...names], ...before], now.map((row) => order.map((index) => row[index]))];
}

testNeeding(needsModules("daff"), `daff patch makes the new version of ${PAIRS} comparisons`, async () => {
  const random = randomsOf(SEED);
  await inFolder(async (folder) => {
    for (let number = 0; number < PAIRS; number++) {
      const [before, after] = makePair(random);
      const [old, now, diff] = ["old", "new", "diff"].map((name) => `${folder}/${number}.${name}.csv`);
      await writeRows(old, before);
      await writeRows(now, after);
      await using changes = await diffLakes(old, now, { key: "id" });
      await Deno.writeTextFile(diff, (await Array.fromAsync<string>(diffToDaff(changes))).join(""));
      const { code, stderr } = await new Deno.Command(PYTHON, {
        args: ["-c", DAFF, "patch", old, diff, "--output", `${folder}/patched.csv`],
      }).output();
      assertEquals(code, 0, new TextDecoder().decode(stderr));
      const patched: (readonly string[])[] = [];
      for await (const rows of readCsvRows(readBytes(`${folder}/patched.csv`), { name: "patched.csv" })) {
        patched.push(...rows.map(({ cells }) => cells));
      }
      assertEquals(patched, after, `pair ${number} of seed ${SEED}`);
    }
  });
});

const DAFF = "import sys, daff; sys.exit(daff.Coopy.main() or 0)";

Deno.test(`DuckDB counts the same records and cells in ${PAIRS} comparisons, whatever the order of columns`, async () => {
  const random = randomsOf(SEED + 1);
  const duckdb = await (await DuckDBInstance.create()).connect();
  let moved = 0;
  await inFolder(async (folder) => {
    for (let number = 0; number < PAIRS; number++) {
      const [before, after] = makePair(random);
      await writeRows(`${folder}/old.csv`, before);
      await writeRows(`${folder}/new.csv`, after);
      await using diff = await diffLakes(`${folder}/old.csv`, `${folder}/new.csv`, { key: "id" });
      const shared = before[0].filter((name) => name !== "id" && after[0].includes(name));
      const differing = shared.map((name) => `o.${name} IS DISTINCT FROM n.${name}`);
      const read = (name: string) =>
        `read_csv('${folder}/${name}.csv', all_varchar = true, header = true, quote = '"', delim = ',')`;
      const both = "o.id IS NOT NULL AND n.id IS NOT NULL";
      const conditions = ["o.id IS NULL", "n.id IS NULL", `${both} AND (${differing.join(" OR ") || "false"})`];
      const cells = differing.map((condition) => `${both} AND ${condition}`);
      const reader = await duckdb.runAndReadAll(
        `SELECT ${[...conditions, ...cells].map((each) => `count(*) FILTER (${each})`).join(", ")} ` +
          `FROM ${read("old")} o FULL JOIN ${read("new")} n ON o.id = n.id`,
      );
      const { counts: { added, removed, changed }, tables: [{ fields, columns }] } = diff;
      const sums = shared.map((name) => Object.values(fields[name] ?? {}).reduce((sum, count) => sum + count, 0));
      const pair = `pair ${number} of seed ${SEED}`;
      assertEquals([added, removed, changed, ...sums], reader.getRows()[0].map(Number), pair);
      assertEquals(Object.keys(fields).filter((name) => !shared.includes(name)), [], pair);
      moved += columns.moved.length;
    }
  });
  duckdb.closeSync();
  assert(moved > PAIRS / 2, `${moved} columns moved`);
});

/** Changes as they are made: the old value, the new one, and how they differ. */
const CHANGES: readonly (readonly [old: string, now: string, how: HowChanged])[] = [
  ["Kenya", "Peru", "value"],
  ["Kenya", "", "value"],
  ["Kenya", "KENYA", "case"],
  ["Kenya", "Kenya ", "space"],
  ["Kenya", "not collected", "placeholder"],
  ["bat;pig", "pig;bat", "order"],
];
const DATES: typeof CHANGES = [["2013", "2013-05", "precision"], ["2013-05-06", "06-May-2013", "type"]];
const NUMBERS: typeof CHANGES = [["37", "37 years", "type"], ["37", "37.0", "type"], ["37", "38", "value"]];

Deno.test(`${PLANTED} planted changes are found, each with how it was made`, async () => {
  const random = randomsOf(SEED + 2);
  const columns = [["text", CHANGES, "Kenya"], ["date", DATES, "2014-01-02"], ["number", NUMBERS, "5"]] as const;
  const header = ["accession", ...columns.map(([name]) => name)];
  const planted = new Map<string, readonly [field: string, how: HowChanged]>();
  const [before, after]: [string[][], string[][]] = [[header], [header]];
  for (let row = 0; row < 5 * PLANTED; row++) {
    const key = `r${String(row).padStart(6, "0")}`;
    const cells: string[] = columns.map(([, , usual]) => usual);
    if (row % 5 > 0) {
      before.push([key, ...cells]);
      after.push([key, ...cells]);
      continue;
    }
    const column = Math.floor(random() * columns.length);
    const [name, changes] = columns[column];
    const [old, now, how] = changes[Math.floor(random() * changes.length)];
    before.push([key, ...cells.with(column, old)]);
    after.push([key, ...cells.with(column, now)]);
    planted.set(key, [name, how]);
  }
  await inFolder(async (folder) => {
    await writeRows(`${folder}/old.csv`, before);
    await writeRows(`${folder}/new.csv`, [after[0], ...after.slice(1).reverse()]);
    await using diff = await diffLakes(`${folder}/old.csv`, `${folder}/new.csv`);
    const found = (await recordsOf(diff)).map(({ key, fields }) => {
      const [[field, { how }]] = Object.entries(fields);
      return [key, [field, how]] as const;
    });
    assertEquals(found.length, PLANTED);
    assertEquals(new Map(found), planted);
  });
});
