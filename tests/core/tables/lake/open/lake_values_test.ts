import { assertEquals } from "@std/assert";
import { buildLake, openLake } from "../../../../../src/core/tables/mod.ts";
import { lakeValues } from "../../../../../src/core/tables/lake/open/lake_values.ts";
import { accession, inFolder, writeGzip } from "../../_lake_files.ts";

Deno.test("a lake knows the values of its texts, the most frequent first, and none of accessions and numbers", () =>
  inFolder(async (folder) => {
    const rows = Array.from({ length: 40 }, (_, row) => {
      const country = row % 4 === 0 ? "Peru" : row % 4 === 1 ? "" : "Kenya";
      return `${accession(row)},${row},"${country}",host ${row % 2}\n`;
    });
    await writeGzip(
      `${folder}/a.csv.gz`,
      `Registry Accession,Length,Geographic Country,Host Species\n${rows.join("")}`,
    );
    await buildLake(`${folder}/a.csv.gz`, `${folder}/lake`);
    await using lake = await openLake(`${folder}/lake`);
    const values = await lakeValues(lake);

    assertEquals([...values].map(([field, all]) => [field, [...all]]), [
      ["geographic_country", ["Kenya", "Peru"]],
      ["host_species", ["host 0", "host 1"]],
    ]);
  }));
