import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { buildAlikeIndex, context, openAlikeIndex } from "../../../src/alike/mod.ts";
import { Registry } from "../../../src/core/registry/mod.ts";
import { ensureZika } from "../../../src/embedded/sample/mod.ts";
import { buildLake } from "../../../src/core/tables/lake/objects/build_any_lake.ts";
import { inFolder } from "../../_files.ts";
import { readTsv } from "../../curation/_tables.ts";
import { fastaOf, genomeOf, mutate, randomsOf, reverseComplement } from "../_genomes.ts";

/** A cache that has the built-in genomes once for all tests. */
const CACHE = await Deno.makeTempDir();
addEventListener("unload", () => Deno.removeSync(CACHE, { recursive: true }));

/** Sequences of a FASTA by name. */
async function readSequences(path: string): Promise<Record<string, string>> {
  const records = (await Deno.readTextFile(path)).split(">").slice(1).map((text) => text.split("\n"));
  return Object.fromEntries(records.map(([name, ...lines]) => [name, lines.join("")]));
}

Deno.test("context() makes the same set of a lake and of a registry, with the reasons, and the same bytes again", async () => {
  await inFolder(async (folder) => {
    const archives = await ensureZika({ cacheFolder: CACHE });
    await buildLake(archives, `${folder}/lake`);
    const built = await buildAlikeIndex(`${folder}/lake`, `${folder}/index`);
    assertEquals(built.records, 34);
    const fromArchive = await buildAlikeIndex(
      `${archives}/registryv1_full_dataset_sequence.csv.gz`,
      `${folder}/archive_index`,
    );
    assertEquals([fromArchive.records, fromArchive.hashes, fromArchive.sha256], [34, built.hashes, built.sha256]);

    using index = await openAlikeIndex(`${folder}/index`);
    await using registry = await Registry.open("zika", { cacheFolder: CACHE });
    const genomes = await registry.sequences({ ids: ["vj000000000003"] });
    const random = randomsOf(3);
    const queries = fastaOf({
      "my(query);1": reverseComplement(mutate(random, String(genomes.rows[0].sequence).toUpperCase(), 0.004)),
      unrelated: genomeOf(random, 3000),
    });
    const options = { index, nearest: 8, spread: ["country", "year"], header: "{accession} {Country}" };
    const set = await context(queries, `${folder}/lake`, options);
    assertEquals(set.records.slice(0, 3).map(({ name, isQuery, why }) => [name, isQuery, why.split(",")[0]]), [
      ["my_query_1", true, "query"],
      ["unrelated", true, "query"],
      ["vj000000000003_Panama", false, "rank 1 for my(query);1"],
    ]);
    assertEquals(set.records.length, 10);
    assertEquals(set.withoutHit.map(({ query }) => query), ["unrelated"]);
    assertEquals(set.leftOut.length + 8, 34);
    assertEquals(set.ledger.reasons, ["1 query has no near record: unrelated"]);
    assertEquals(set.sources.map(({ operation, ledger }) => [operation, ledger.received]), [["subsample", 34]]);
    const groups = set.records.slice(2).map(({ why }) => why.split("; group ")[1]);
    assertEquals(new Set(groups).size, 8, groups.join(" "));

    await set.save(`${folder}/one`);
    await (await context(queries, `${folder}/lake`, options)).save(`${folder}/two`);
    for (const file of ["sequences.fasta", "metadata.tsv", "context.json"]) {
      assertEquals(await Deno.readFile(`${folder}/one/${file}`), await Deno.readFile(`${folder}/two/${file}`), file);
    }
    const rows = await readTsv(`${folder}/one/metadata.tsv`);
    const sequences = await readSequences(`${folder}/one/sequences.fasta`);
    assertEquals(rows.map(({ name }) => name), Object.keys(sequences));
    assertEquals(Object.values(sequences), set.records.map(({ sequence }) => sequence));
    assertEquals([rows[2].accession, rows[2].Country, rows[0].date], ["vj000000000003", "Panama", ""]);
    assertEquals(rows.slice(2).every(({ date }) => /^\d{4}-(\d\d|XX)-(\d\d|XX)$/.test(date)), true);

    const served = await context(queries, registry, options);
    const answers = served.sources.map(({ operation, ledger, bytes }) => [operation, ledger.complete, bytes > 0]);
    assertEquals(answers, [["metadata", true, true], ["sequences (by accession, /v2/sequence)", true, true]]);
    assertEquals(served.records.map(({ name, why }) => [name, why]), set.records.map(({ name, why }) => [name, why]));
    const nearest = await context(queries, registry, { index, nearest: 2 });
    assertStringIncludes(nearest.records[2].why, "% ANI over ");
    assertEquals(nearest.records.map(({ accession }) => accession).slice(0, 3), [
      "my(query);1",
      "unrelated",
      "vj000000000003",
    ]);
    assertEquals(nearest.records.length, 4);
    await assertRejects(() => context(queries, registry, { index, header: "{Contry}" }), TypeError, "{Country}");
    await assertRejects(() => context(queries, `${folder}/lake`, { index, spread: ["planet"] }), RangeError, "planet");
  });
});

Deno.test("context() names near records that the source does not have", async () => {
  await inFolder(async (folder) => {
    await using registry = await Registry.open("zika", { cacheFolder: CACHE });
    const { rows } = await registry.sequences({ ids: ["vj000000000003"] });
    const genome = String(rows[0].sequence);
    const known = fastaOf({ vj000000000003: genome, vj000000999999: genome.slice(9) });
    await buildAlikeIndex(known, `${folder}/index`);
    using index = await openAlikeIndex(`${folder}/index`);
    const { records, leftOut, ledger } = await context(fastaOf({ q: genome }), registry, { index });
    assertEquals([ledger.asked, ledger.received, ledger.missing], [2, 1, ["vj000000999999"]]);
    assertEquals(records.map(({ name }) => name), ["q", "vj000000000003"]);
    assertEquals(leftOut, [{ accession: "vj000000999999", reason: "not-in-source" }]);
  });
});

Deno.test("context.json has the ledger of every answer, and the lock that records them", async () => {
  await inFolder(async (folder) => {
    const lock = `${folder}/seqreg.lock`;
    await using registry = await Registry.open("zika", { cacheFolder: CACHE, lock });
    const { rows } = await registry.sequences({ ids: ["vj000000000003"] });
    await buildAlikeIndex(fastaOf({ vj000000000003: String(rows[0].sequence) }), `${folder}/index`);
    using index = await openAlikeIndex(`${folder}/index`);
    const set = await context(fastaOf({ q: String(rows[0].sequence) }), registry, { index });
    await set.save(`${folder}/set`);
    const about = JSON.parse(await Deno.readTextFile(`${folder}/set/context.json`));
    assertEquals([about.contextSet, about.request.lock, about.ledger.complete], [2, lock, true]);
    assertEquals(about.sources.map(({ sha256 }: { sha256: string | null }) => sha256?.length), [64, 64]);
  });
});
