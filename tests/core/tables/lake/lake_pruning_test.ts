/** A filter passes over the row groups whose statistics rule them out. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import pl from "nodejs-polars";
import { buildLake, openLake } from "../../../../src/core/tables/mod.ts";
import { accession, DEFINITIONS, inFolder, writeGzip } from "../_lake_files.ts";

const ROWS = 300_000;

Deno.test("row groups that a filter cannot match are not read, neither by polars nor by DuckDB", async () => {
  await inFolder(async (folder) => {
    const rows = Array.from({ length: ROWS }, (_, row) => `${accession(row)},${row}\n`);
    await writeGzip(`${folder}/a.csv.gz`, `Registry Accession,Whole\n${rows.join("")}`);
    const [{ files }] = await buildLake(`${folder}/a.csv.gz`, `${folder}/lake`, { definitions: DEFINITIONS });
    await using lake = await openLake(`${folder}/lake`);
    const groups = (await lake.sql(
      `SELECT row_group_id AS id, min(coalesce(dictionary_page_offset, data_page_offset))::INTEGER AS first, sum(total_compressed_size)::INTEGER AS bytes,
         max(row_group_num_rows)::INTEGER AS rows, count(stats_min_value) AS least, count(stats_max_value) AS greatest,
         count(stats_null_count) AS nulls, any_value(compression) AS compression
       FROM parquet_metadata('${files[0]}') GROUP BY id ORDER BY id`,
    )).toRecords();
    assertEquals(groups.map(({ rows }) => rows), [262_144, ROWS - 262_144]);
    for (const group of groups) {
      assertEquals([group.least, group.greatest, group.nulls, group.compression], [2, 2, 2, "ZSTD"]);
    }
    // What is read of the first group from here on is an error; a lake that is opened later is refused at once.
    await using damaged = await openLake(`${folder}/lake`);
    using file = await Deno.open(files[0], { write: true });
    await file.seek(Number(groups[0].first), Deno.SeekMode.Start);
    const noise = new Uint8Array(Number(groups[0].bytes) - 64).fill(0x5a);
    for (let at = 0; at < noise.length;) at += await file.write(noise.subarray(at));

    const cases = [
      // A number is a float to polars, and integers that are compared with floats are cast first: all of them are read.
      ["Whole", ROWS - 1, pl.lit(ROWS - 1).cast(pl.Int64)],
      ["Registry Accession", accession(ROWS - 1), pl.lit(accession(ROWS - 1))],
    ] as const;
    for (const [column, value, literal] of cases) {
      const filter = damaged.column(column).eq(literal);
      const scanned = await damaged.scan().filter(filter).collect();
      const selected = await damaged.sql(`SELECT * FROM lake WHERE "${column}" = ?`, [value]);
      const expected = [{ "Registry Accession": accession(ROWS - 1), Whole: ROWS - 1 }];
      assertEquals([scanned.toRecords(), selected.toRecords()], [expected, expected]);
      await assertRejects(() => damaged.scan().filter(damaged.column(column).neq(literal)).collect());
      assert(await damaged.sql(`SELECT * FROM lake WHERE "${column}" <> ?`, [value]).then(() => false, () => true));
    }
  });
});
