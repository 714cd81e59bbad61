import { assertEquals } from "@std/assert";
import pl from "nodejs-polars";
import { diffLakes } from "../../../src/again/diff/diff.ts";
import { inFolder } from "../../_files.ts";
import { writeParquet } from "../../_parquet.ts";
import { recordsOf, withDiff } from "./_versions.ts";

Deno.test("diffLakes() keeps records whose release date is an empty text, whether or not others were released later", async () => {
  await inFolder(async (folder) => {
    const write = (name: string, values: readonly string[]) =>
      pl.DataFrame({ id: ["a", "b", "c"], "Release Date": ["2020-01-01", "", null], v: values })
        .writeParquet(`${folder}/${name}.parquet`);
    write("old", ["1", "1", "1"]);
    write("new", ["1", "2", "2"]);
    for (const [asOf, old, leftOut] of [["2030", 3, 0], ["2019", 2, 1]] as const) {
      await using diff = await diffLakes(`${folder}/old.parquet`, `${folder}/new.parquet`, { asOf });
      assertEquals([diff.counts.old, diff.counts.changed], [old, 2], asOf);
      assertEquals(diff.tables[0].leftOut, [leftOut, leftOut], asOf);
    }
  });
});

Deno.test("diffLakes() finds the release date by its role, as analyses do", async () => {
  const rows = [["id", "releaseDate", "v"], ["a", "2020-01-01", "1"], ["b", "2021-01-01", "1"]];
  await withDiff(rows, rows, { asOf: "2020" }, ({ counts, tables: [{ leftOut, leftOutBy }] }) => {
    assertEquals([counts.new, leftOut, leftOutBy], [1, [1, 1], "releaseDate"]);
  });
});

Deno.test("diffLakes() follows a release date that has another name in the new version", async () => {
  const rows = (name: string, value: string) => [
    ["id", name, "Submission Date", "v"],
    ["a", "2019", "2031", value],
    ["b", "2030", "2031", value],
  ];
  for (const [old, now] of [["Release Date", "seen"], ["seen", "Release Date"]]) {
    const options = { asOf: "2020", rename: { [old]: now } };
    await withDiff(rows(old, "1"), rows(now, "2"), options, ({ counts, entries, tables: [{ leftOut, leftOutBy }] }) => {
      assertEquals([counts.changed, leftOut, leftOutBy, entries], [1, [1, 1], now, []]);
    });
  }
});

Deno.test("diffLakes() leaves out what was released on any of many later days, and compares the others", async () => {
  await inFolder(async (folder) => {
    const rows = (changed: string) =>
      `SELECT 'r' || i AS id, ${changed} AS v, strftime(DATE '2000-01-01' + (i % 9000)::INTEGER, '%Y-%m-%d') ` +
      'AS "Release Date" FROM range(60000) t(i)';
    await writeParquet(`${folder}/old.parquet`, rows("i"), 2048);
    await writeParquet(`${folder}/new.parquet`, rows("CASE WHEN i % 1000 = 500 THEN -1 ELSE i END"), 2048);
    await using diff = await diffLakes(`${folder}/old.parquet`, `${folder}/new.parquet`, { asOf: "2010-12-31" });
    const isEarly = (row: number) => row % 9000 <= 4017;
    const early = Array.from({ length: 60_000 }, (_, row) => row).filter(isEarly);
    assertEquals(diff.tables[0].leftOut, [60_000 - early.length, 60_000 - early.length]);
    const changed = early.filter((row) => row % 1000 === 500);
    assertEquals(
      (await recordsOf(diff)).map(({ kind, key }) => `${kind} ${key}`),
      changed.map((row) => `changed r${row}`).sort(),
    );
    assertEquals(diff.counts.unchanged, early.length - changed.length);
  });
});
