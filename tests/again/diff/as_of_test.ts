import { assertEquals } from "@std/assert";
import pl from "nodejs-polars";
import { diffLakes } from "../../../src/again/diff/diff.ts";
import { inFolder } from "../../_files.ts";
import { withDiff } from "./_versions.ts";

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
