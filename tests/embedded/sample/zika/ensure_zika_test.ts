/** The embedded registry of real genomes: its archives. */
import { assertEquals, assertMatch } from "@std/assert";
import { parse } from "@std/csv";
import { namingOf } from "../../../../src/core/contract/naming.ts";
import type { FieldDefinition } from "../../../../src/core/contract/metadata.ts";
import { ensureZika } from "../../../../src/embedded/sample/mod.ts";
import { testWithRealData } from "../../../_needs.ts";
import { makeFolder, namesIn, readArchive, readRecords } from "../_archives.ts";

Deno.test("ensureZika() writes a whole archive set that names its source and day, once", async () => {
  await using cache = await makeFolder();
  const tasks: string[] = [];
  const options = { cacheFolder: cache.path, onProgress: ({ task }: { task: string }) => void tasks.push(task) };
  const folder = await ensureZika(options);
  assertEquals((await namesIn(folder)).length, 18);
  const manifest = JSON.parse(await Deno.readTextFile(`${folder}/manifest.json`));
  assertEquals([manifest.synthetic, manifest.records, manifest.copied], [false, 34, "2026-11-25"]);
  assertMatch(manifest.notice, /^34 genomes of Zika virus from INSDC \(GenBank, ENA, DDBJ\), collected 2013 to 2016/);
  const records = await readRecords(folder, "full_dataset_metadata");
  assertEquals(new Set(records.map((record) => record["Source Accession"])).size, 34);
  assertEquals(records[0], {
    "Registry Accession": "vj000000000001",
    "Isolate": "PRVABC59",
    "Source Accession": "KU501215",
    "Collection Date": "2015-12-XX",
    "Country": "Puerto Rico",
    "Species": "Zika virus",
    "Data Source": "INSDC, copied 2026-11-25",
    "Sequence Length": "10675",
    "GC Content": "51.20",
    "Ambiguous Bases": "0",
    "Cluster": "C0000001",
    "Cluster Size": "1",
    "Cluster Representative": "vj000000000001",
  });
  const definitions: FieldDefinition[] = JSON.parse(await Deno.readTextFile(`${folder}/definitions.json`));
  assertEquals(definitions.find(({ name }) => name === "Collection Date")?.type, "date");
  tasks.length = 0;
  assertEquals(await ensureZika(options), folder);
  assertEquals(tasks, []);
  const renamed = await ensureZika({ ...options, naming: namingOf({ registry: "genomebank" }) });
  assertEquals(
    Object.keys((await readRecords(renamed, "full_dataset_metadata", namingOf({ registry: "genomebank" })))[0])[0],
    "Genomebank Accession",
  );
});

testWithRealData("ensureZika() holds the facts of the copied records, base for base", async (real) => {
  await using cache = await makeFolder();
  const folder = await ensureZika({ cacheFolder: cache.path });
  const [header, ...table] = parse(await Deno.readTextFile(new URL("zika/metadata.tsv", real)), {
    separator: "\t",
    lazyQuotes: true,
  });
  const texts = (await Deno.readTextFile(new URL("zika/sequences.fasta", real))).split(">").slice(1);
  const sequences = new Map(texts.map((text) => {
    const [strain, ...lines] = text.split("\n");
    return [strain, lines.join("")];
  }));
  const records = await readRecords(folder, "full_dataset_metadata");
  const [, ...rows] = await readArchive(folder, "full_dataset_sequence");
  const held = records.map((record, index) => ({
    strain: record["Isolate"],
    accession: record["Source Accession"],
    date: record["Collection Date"],
    country: record["Country"],
    sequence: rows[index][1],
  }));
  const expected = table.map((cells) => {
    const [strain, accession, date, country] = ["strain", "accession", "date", "country"].map((name) =>
      cells[header.indexOf(name)]
    );
    return { strain, accession, date, country, sequence: sequences.get(strain) };
  }).sort((a, b) => a.accession < b.accession ? -1 : 1);
  assertEquals(held, expected);
});
