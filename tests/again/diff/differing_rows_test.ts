import { assertEquals } from "@std/assert";
import { diffLakes } from "../../../src/again/diff/diff.ts";
import { buildLake } from "../../../src/core/tables/mod.ts";
import { inFolder } from "../../_files.ts";
import { writeParquet } from "../../_parquet.ts";
import { recordsOf, withDiff, writeRows } from "./_versions.ts";

Deno.test("diffLakes() matches keys that are fractions, whole numbers or texts of the same number", async () => {
  await inFolder(async (folder) => {
    const rows = (key: string, from: number) =>
      `SELECT (i + ${from})::${key} AS id, 'v' || i AS v, (2001 + i)::${key} AS "Collection Date" FROM range(3) t(i)`;
    await writeParquet(`${folder}/double.parquet`, rows("DOUBLE", 7));
    await writeParquet(`${folder}/whole.parquet`, rows("BIGINT", 7));
    await writeRows(`${folder}/text.csv`, [
      ["id", "v", "Collection Date"],
      ...[0, 1, 2].map((row) => [`${row + 7}`, `v${row}`, `${2001 + row}`]),
    ]);
    const names = ["double.parquet", "whole.parquet", "text.csv"];
    for (const before of names) {
      for (const after of names) {
        await using diff = await diffLakes(`${folder}/${before}`, `${folder}/${after}`);
        assertEquals([diff.isEqual, diff.counts.unchanged], [true, 3], `${before}, ${after}`);
      }
    }
    await writeParquet(`${folder}/later.parquet`, rows("DOUBLE", 8));
    await using later = await diffLakes(`${folder}/double.parquet`, `${folder}/later.parquet`);
    assertEquals((await recordsOf(later)).map(({ kind, key }) => [kind, key]), [
      ["added", "10"],
      ["removed", "7"],
      ["changed", "8"],
      ["changed", "9"],
    ]);
    assertEquals(later.tables[0].years.map(({ value }) => value), ["2001", "2002", "2003"]);
  });
});

Deno.test("diffLakes() leaves out what was released in a later year that is a fraction", async () => {
  await inFolder(async (folder) => {
    const path = `${folder}/a.parquet`;
    await writeParquet(path, `SELECT 'a' || i AS id, (2001 + i)::DOUBLE AS "Release Date" FROM range(3) t(i)`);
    await using diff = await diffLakes(path, path, { asOf: "2002" });
    assertEquals([diff.counts.new, diff.tables[0].leftOut], [2, [1, 1]]);
  });
});

Deno.test("diffLakes() takes an empty text of Parquet for an empty cell in rows of one key, too", async () => {
  await inFolder(async (folder) => {
    await writeRows(`${folder}/a.csv`, [["id", "v", "w"], ["a", "", "x"], ["a", "1", "y"]]);
    const rows = "SELECT unnest(['a', 'a']) AS id, unnest(['', '1']) AS v, unnest(['x', 'y']) AS w";
    await writeParquet(`${folder}/a.parquet`, rows);
    await writeParquet(`${folder}/none.parquet`, rows.replace("''", "NULL"));
    const names = ["a.csv", "a.parquet", "none.parquet"];
    for (const before of names) {
      for (const after of names) {
        await using diff = await diffLakes(`${folder}/${before}`, `${folder}/${after}`);
        assertEquals([diff.isEqual, diff.counts.notCompared], [true, 0], `${before}, ${after}`);
      }
    }
  });
});

/** A table of many columns, with Country and Collection Date among them. */
function wideRows(rows: number): string[][] {
  const fields = Array.from({ length: 70 }, (_, field) => `f${field}`);
  const header = ["id", "Country", ...fields.slice(0, 35), "Collection Date", ...fields.slice(35)];
  return [
    header,
    ...Array.from(
      { length: rows },
      (_, row) => header.map((name) => name === "id" ? `r${row}` : name.startsWith("f") ? `${row} ${name}` : "2001"),
    ),
  ];
}

Deno.test("diffLakes() finds a changed cell of many columns, and every cell of records in one version", async () => {
  const before = wideRows(200);
  const column = before[0].indexOf("f60");
  const after = before.filter((_, row) => row !== 11).map((cells, row) =>
    row === 50 ? cells.with(column, "new") : cells
  );
  after.push(["added", ...before[1].slice(1)]);
  await withDiff(before, after, {}, async (diff) => {
    const records = await recordsOf(diff);
    assertEquals(records.map(({ kind, key, fields }) => [kind, key, Object.keys(fields).length]), [
      ["added", "added", before[0].length - 1],
      ["removed", "r10", before[0].length - 1],
      ["changed", "r50", 1],
    ]);
    assertEquals(records[2].fields.f60, { old: "50 f60", new: "new", how: "value" });
    assertEquals(records[1].fields.f3, { old: "10 f3", new: null, how: "value" });
    const [{ fields, countries, years }] = diff.tables;
    assertEquals(fields, { f60: { value: 1 } });
    const each = [{ value: "2001", added: 1, removed: 1, changed: 1 }];
    assertEquals([countries, years], [each, each]);
  });
});

Deno.test("diffLakes() finds texts that a typed column does not hold", async () => {
  await inFolder(async (folder) => {
    const definitions = ["n", "m"].map((name) => (
      { name, type: "integer" as const, unit: "", alias: name, description: "", example: "" }
    ));
    const header = ["id", "n", "m"];
    const row = (index: number) => [`r${index}`, index % 2 === 0 ? "many" : `${index}`, index % 3 === 0 ? "few" : "1"];
    const rows = Array.from({ length: 3000 }, (_, index) => row(index));
    const later = rows.map((cells, index) => index === 1234 ? cells.with(1, "lots") : cells);
    const lakes: string[] = [];
    for (const [name, version] of Object.entries({ old: rows, new: later })) {
      await writeRows(`${folder}/${name}.csv`, [header, ...version]);
      lakes.push(`${folder}/${name}`);
      await buildLake(`${folder}/${name}.csv`, `${folder}/${name}`, { definitions });
    }
    await using diff = await diffLakes(lakes[0], lakes[1]);
    const records = await recordsOf(diff);
    assertEquals(records.map(({ key, fields }) => [key, { ...fields }]), [
      ["r1234", { n: { old: "many", new: "lots", how: "value" } }],
    ]);
  });
});
