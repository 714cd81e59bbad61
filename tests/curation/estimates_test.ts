import { assert, assertEquals } from "@std/assert";
import { drawOrder } from "../../src/curation/_candidates.ts";
import { ScratchSql } from "../../src/core/engine/local/scratch_sql.ts";
import { subsample } from "../../src/curation/subsample.ts";
import { inFolder } from "../_files.ts";
import { withTable } from "./_tables.ts";

const [DRAWS, PER_GROUP] = [1000, 40];
/** Quantile of the normal distribution for an interval of 95 %. */
const Z = 1.959964;

/** Accessions of four groups of different sizes, with a value that differs between and within them. */
const RECORDS = [80, 120, 200, 300].flatMap((size, group) =>
  Array.from({ length: size }, (_, at) => ({
    accession: `MT${String(100_000 + 1000 * group + at)}.1`,
    group: `g${group}`,
    value: 1000 * (group + 1) + (at * 7919) % 613,
  }))
);

Deno.test("Horvitz-Thompson totals are in their 95 % interval in 94 to 96 % of 1,000 draws", async () => {
  await inFolder(async (folder) => {
    await using sql = await ScratchSql.open({ files: [], folder });
    await sql.run("CREATE TABLE records (accession VARCHAR, grp VARCHAR, value DOUBLE)");
    await sql.insert("records", [
      RECORDS.map(({ accession }) => accession),
      RECORDS.map(({ group }) => group),
      RECORDS.map(({ value }) => String(value)),
    ]);
    // The same order as in subsample(), for all seeds at once.
    const drawn = `SELECT seed, accession, grp, value FROM records, range(${DRAWS}) seeds(seed) QUALIFY ` +
      `row_number() OVER (PARTITION BY seed, grp ORDER BY ${drawOrder("seed")}, accession) <= ${PER_GROUP}`;
    const [[covered]] = await sql.all(
      "SELECT count(*) FILTER (WHERE abs(total - truth) <= " + `${Z} * sqrt(variance)) FROM (SELECT seed, ` +
        `sum(size * mean) AS total, sum(size * size * (1 - ${PER_GROUP} / size) * var / ${PER_GROUP}) AS variance ` +
        "FROM (SELECT seed, grp, avg(value) AS mean, var_samp(value) AS var FROM " +
        `(${drawn}) GROUP BY ALL) JOIN (SELECT grp, count(*)::DOUBLE AS size FROM records GROUP BY 1) USING (grp) ` +
        "GROUP BY seed), (SELECT sum(value) AS truth FROM records)",
    );
    assert(Number(covered) >= 940 && Number(covered) <= 960, `${covered} of ${DRAWS} intervals hold the total`);

    const rows = [["accession", "Group"], ...RECORDS.map(({ accession, group }) => [accession, group])];
    await withTable(rows, async (path) => {
      await using sample = await subsample(path, { by: ["Group"], perGroup: PER_GROUP, seed: 7 });
      const expected = await sql.all(`SELECT accession FROM (${drawn}) WHERE seed = 7 ORDER BY accession`);
      assertEquals((await Array.fromAsync(sample.accessions())).toSorted(), expected.map(([id]) => String(id)));
    });
  });
});
