import { assertEquals } from "@std/assert";
import { diffLakes } from "../../../src/again/diff/diff.ts";
import { inFolder } from "../../_files.ts";
import { writeParquet } from "../../_parquet.ts";
import { recordsOf, writeRows } from "./_versions.ts";

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
