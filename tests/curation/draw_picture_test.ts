import { assertEquals, assertStringIncludes } from "@std/assert";
import { subsample } from "../../src/curation/subsample.ts";
import { withTable, writeTable } from "./_tables.ts";

Deno.test("a sample is saved into two folders at once", async () => {
  const rows = [["accession", "Country", "Collection date"], ["a", "Peru", "2016-01-03"], ["b", "Mali", "2016-02"]];
  await withTable(rows, async (path, folder) => {
    await using sample = await subsample(path, { by: ["country"], perGroup: 1 });
    await Promise.all(["one", "two"].map((name) => sample.save(`${folder}/${name}`)));
    const [one, two] = await Promise.all(["one", "two"].map((name) => Deno.readTextFile(`${folder}/${name}/draw.svg`)));
    assertEquals(one, two);
  });
});

Deno.test("the picture of a draw counts countries, and not the records without one", async () => {
  const header = ["accession", "Country", "Collection date"];
  const rows = ["Peru", "Re\u0301union", "R\u00e9union", "", "?", "?"].map((
    country,
    at,
  ) => [`${at}`, country, "2016-01"]);
  const many = Array.from({ length: 17 }, (_, at) => [`more${at}`, `Country ${at}`, "2016-01"]);
  await withTable([header, ...rows], async (path, folder) => {
    const pictureOf = async (source: string) => {
      await using sample = await subsample(source, { by: ["country"], perGroup: 9 });
      await sample.save(`${folder}/out`);
      return await Deno.readTextFile(`${folder}/out/draw.svg`);
    };
    const svg = await pictureOf(path);
    assertStringIncludes(svg, "6 of 6 records in 2 countries.");
    for (const text of ["2 of 2 records", "3 of 3 records", "none stated"]) assertStringIncludes(svg, text);
    await writeTable(`${folder}/many.csv`, [header, ...many, ...rows.slice(3)]);
    const wide = await pictureOf(`${folder}/many.csv`);
    for (const text of ["in 17 countries.", "other (2 countries)", "none stated"]) assertStringIncludes(wide, text);
  });
});
