import { assertEquals } from "@std/assert";
import { schemaOf } from "../../src/again/schema/schema.ts";
import { diffLakes } from "../../src/again/diff/diff.ts";
import { curate } from "../../src/curation/mod.ts";
import { buildLake } from "../../src/core/tables/lake/objects/build_any_lake.ts";
import { inFolder } from "../_files.ts";
import { writeParquet } from "../_parquet.ts";

/** Columns that every engine shows in another way, and such as they all show alike. */
const NESTED = "SELECT 'A' || i AS accession, DATE '2016-01-01' + i::INTEGER AS collection_date, " +
  "{'x': i, 'y': NULL::VARCHAR} AS parts, ['Li; Wang', 'X'] AS authors, TIME '01:02:03.5' AS seen, " +
  "0.1::FLOAT AS share, TIMESTAMP '2016-01-02 03:04:05' AS stored, " +
  "12345678901234567.89::DECIMAL(38, 2) AS mass FROM range(3) t(i)";
const PLAIN = "SELECT 'A' || i AS accession, DATE '2016-01-01' + i::INTEGER AS collection_date, i AS length, " +
  "i / 7.0::DOUBLE AS share, ([0.000001, 1e20, -5]::DOUBLE[])[i + 1] AS large, i > 0 AS complete FROM range(3) t(i)";
const FLOATS = "SELECT 'A' || i AS accession, (['NaN', '-Infinity', '1e16']::DOUBLE[])[i + 1] AS share " +
  "FROM range(3) t(i)";

for (const [kind, query] of [["a nested", NESTED], ["a plain", PLAIN], ["an unusual", FLOATS]]) {
  Deno.test(`${kind} Parquet file and the lake of it are equal, in both orders, and have one schema`, async () => {
    await inFolder(async (folder) => {
      const [file, lake] = [`${folder}/records.parquet`, `${folder}/lake`];
      await writeParquet(file, query);
      await buildLake(file, lake);
      for (const [before, after] of [[file, lake], [lake, file], [file, file]]) {
        await using diff = await diffLakes(before, after);
        assertEquals([diff.counts.unchanged, diff.counts.changed], [3, 0]);
      }
      const schemas = [await schemaOf(file), await schemaOf(lake)];
      const [ofFile, ofLake] = schemas.map(({ tables: [{ fields }] }) =>
        fields.map(({ name, type, values }) => ({ name, type, values }))
      );
      assertEquals(ofFile, ofLake);
    });
  });
}

Deno.test("records curated of a Parquet file have its values as the toolkit reads them", async () => {
  await inFolder(async (folder) => {
    await writeParquet(`${folder}/records.parquet`, NESTED);
    await using curation = await curate(`${folder}/records.parquet`);
    await curation.save(`${folder}/curated`);
    const [, row] = (await Deno.readTextFile(`${folder}/curated/kept.tsv`)).split("\n");
    assertEquals(row.split("\t"), [
      "A0",
      "2016-01-01",
      '{"x":0,"y":null}',
      '["Li; Wang","X"]',
      "01:02:03.500",
      "0.1",
      "2016-01-02 03:04:05.000000",
      "12345678901234567.89",
    ]);
  });
});
