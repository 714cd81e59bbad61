import { assertEquals, assertRejects } from "@std/assert";
import { keyOf } from "../../../src/again/diff/_table_key.ts";
import { buildLake } from "../../../src/core/tables/lake/objects/build_any_lake.ts";
import { diffLakes } from "../../../src/again/diff/diff.ts";
import { inFolder } from "../../_files.ts";
import { recordsOf, withDiff, writeRows } from "./_versions.ts";

Deno.test("the key is followed where two columns change their names", async () => {
  const before = [["lab", "strain", "v"], ["1", "a", "x"], ["2", "b", "y"]];
  const after = [["lab", "strain", "v"], ["a", "1", "x"], ["b", "2", "z"]];
  const rename = { lab: "strain", strain: "lab" };
  for (const [key, named] of [["lab", "strain"], ["strain", "lab"]]) {
    await withDiff(before, after, { key, rename }, async (diff) => {
      assertEquals([diff.tables[0].key, diff.counts.changed, diff.counts.added], [named, 1, 0]);
      assertEquals((await recordsOf(diff)).map(({ fields }) => Object.keys(fields)), [["v"]]);
    });
  }
});

Deno.test("a column is no key whose name another one has in the new version", async () => {
  const columns = (...names: string[]) => ({ columns: names.map((name) => ({ name })) });
  const before = { ...columns("accession", "number"), idField: "accession" };
  assertEquals(keyOf(before, columns("accession"), { rename: { number: "accession" } }), undefined);
  assertEquals(
    keyOf(before, columns("accession", "number"), { rename: { number: "accession", accession: "number" } }),
    [
      "accession",
      "number",
    ],
  );
  const rows = [["accession", "number", "other"], ["a", "1", "1"]];
  const rename = { number: "other", accession: "other" };
  await withDiff(rows, rows, {}, () => {});
  await assertRejects(() => withDiff(rows, rows, { rename }, () => {}), RangeError, "two columns of the old version");
});

Deno.test("diffLakes() compares columns under other names, though the files are the same", async () => {
  await inFolder(async (folder) => {
    const header = ["Registry Accession", "Host", "Host Group"];
    await writeRows(`${folder}/a.csv`, [header, ["vj000000000001", "bat", "mammal"], ["vj000000000002", "x", "x"]]);
    await buildLake(`${folder}/a.csv`, `${folder}/lake`);
    const rename = { Host: "Host Group", "Host Group": "Host" };
    await using diff = await diffLakes(`${folder}/lake`, `${folder}/lake`, { rename });
    assertEquals([diff.counts.changed, diff.counts.unchanged], [1, 1]);
  });
});
