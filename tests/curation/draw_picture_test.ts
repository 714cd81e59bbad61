import { assertEquals } from "@std/assert";
import { subsample } from "../../src/curation/subsample.ts";
import { withTable } from "./_tables.ts";

Deno.test("a sample is saved into two folders at once", async () => {
  const rows = [["accession", "Country", "Collection date"], ["a", "Peru", "2016-01-03"], ["b", "Mali", "2016-02"]];
  await withTable(rows, async (path, folder) => {
    await using sample = await subsample(path, { by: ["country"], perGroup: 1 });
    await Promise.all(["one", "two"].map((name) => sample.save(`${folder}/${name}`)));
    const [one, two] = await Promise.all(["one", "two"].map((name) => Deno.readTextFile(`${folder}/${name}/draw.svg`)));
    assertEquals(one, two);
  });
});
