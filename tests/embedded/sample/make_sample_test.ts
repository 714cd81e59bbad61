import {
  assert,
  assertEquals,
  assertGreater,
  assertGreaterOrEqual,
  assertRejects,
  assertStringIncludes,
} from "@std/assert";
import { RegistryError } from "../../../src/core/errors.ts";
import { makeSample } from "../../../src/embedded/sample/mod.ts";
import type { FieldDefinition } from "../../../src/core/contract/metadata.ts";
import { namingOf } from "../../../src/core/contract/naming.ts";
import { isAccession } from "../../../src/core/contract/accession.ts";
import { testWithPrograms } from "../../_needs.ts";
import { digestFolder, makeFolder, namesIn, readArchive, readRecords, sha256sumCheck } from "./_archives.ts";

/**
 * Digests of a sample of 40 records with seed 1. They change when, and only when, the bytes of every sample change:
 * then `RECIPE` in `_manifest.ts` must grow, so that samples in caches are made anew.
 */
const PINNED: Record<string, string> = {
  "definitions.json": "4da30d94393fbbee86e2f07fd43d875958b310c2d48ab6ea8ccd215c4952d230",
  "manifest.json": "ff58b711a824de296ca6c957e612d1b6cc401a2c169e4e23ad9b47d5bf0df391",
  "reftax1_to_reftax2_map.csv.gz": "9878b1fa7940f97304bb2f63582806b7c1ce8a4bc90f2dc93f606f2438998f59",
  "reftax1_to_reftax2_map.sha256": "2da447547e44ea2b169bc24f0cc75f5a3dcfa083603e094fbb0e08f79cfa3cc3",
  "registryv1_full_dataset_metadata.csv.gz": "9b2bcade130a9657c067d45c790a7140fdc2d34326b18ae67aef4cdb9e5319e4",
  "registryv1_full_dataset_metadata.sha256": "c1c43cc3b40e7d52656edfd4797bf123bf50df928f40bb6c4336a2ad2ecd841b",
  "registryv1_full_dataset_sequence.csv.gz": "3283292f7c1d9f374225094b444df4d135d77b0642b74d8fb7f19d211726f850",
  "registryv1_full_dataset_sequence.sha256": "b1c47520edbd824b1721e4187d1fba0524394e2b41330dee48964bc7e745886f",
  "registryv1_unique_seqs_metadata.csv.gz": "9a4f27caebc6de897745e477faec3f6140717177d35c036b1ddd9e9dcb85e0e3",
  "registryv1_unique_seqs_metadata.sha256": "e7c5a5effe34f51fcceacc728384b7f4a8541c64ec8e33e943b939afb4802609",
  "registryv1_unique_seqs_sequence.csv.gz": "50f83b67eb3946fe3d665edd57f52c90d3a8dfa42fcc11b923712aa8c41312f7",
  "registryv1_unique_seqs_sequence.sha256": "c1aaa30970ff9a252bb47bb50a326d56c685ecc10b32b3e46ce7f1fc7118addf",
  "registryv1_votu_cluster_comparison_metrics.csv.gz":
    "44fada430fad5c48b377e8dd5db85c585e76c15f5c215964698ae0ffd06d2937",
  "registryv1_votu_cluster_comparison_metrics.sha256":
    "3a8e06c90572e4f56edfbc1b061e001914907132d68b6f8a65ca5e342e9a82aa",
  "registryv1_votu_clusters_metadata.csv.gz": "9a4f27caebc6de897745e477faec3f6140717177d35c036b1ddd9e9dcb85e0e3",
  "registryv1_votu_clusters_metadata.sha256": "bed343f6d96a93dbe8fbd652dbca4801895207bfe144c9cda3cc68cd3ca4d2ef",
  "registryv1_votu_clusters_sequence.csv.gz": "50f83b67eb3946fe3d665edd57f52c90d3a8dfa42fcc11b923712aa8c41312f7",
  "registryv1_votu_clusters_sequence.sha256": "e6890368c8deba6da375a91096b453e486771abda1e61869230c28dece93824c",
};

Deno.test("makeSample() gives the same bytes for the same seed, and the bytes it always gave", async () => {
  await using folder = await makeFolder();
  await makeSample(`${folder.path}/a`, { records: 40 });
  await makeSample(`${folder.path}/b`, { records: 40, seed: 1 });
  await makeSample(`${folder.path}/c`, { records: 40, seed: 2 });
  const digests = await digestFolder(`${folder.path}/a`);
  assertEquals(await digestFolder(`${folder.path}/b`), digests);
  assertEquals(digests, PINNED);
  const others = await digestFolder(`${folder.path}/c`);
  for (const name of ["registryv1_full_dataset_sequence.csv.gz", "registryv1_full_dataset_metadata.csv.gz"]) {
    assert(others[name] !== digests[name], name);
  }
});

/** What each kind of awkwardness of the manifest means, judged from the data alone. */
const JUDGES: Record<string, (record: Record<string, string>, sequence: string) => boolean> = {
  year_only_date: (record) => record["Collection Date"].length === 4,
  year_and_month_date: (record) => record["Collection Date"].length === 7,
  unknown_day_date: (record) => /^\d{4}-\d{2}-XX$/.test(record["Collection Date"]),
  empty_host_species: (record) => record["Host Species"] === "",
  quote_in_name: (record) => record["Sequence Name"].includes('"'),
  comma_in_name: (record) => record["Sequence Name"].includes(","),
  newline_in_name: (record) => record["Sequence Name"].includes("\n"),
  pipe_in_name: (record) => record["Sequence Name"].includes("|"),
  joined_list: (record) => record["Sequencing Technology"].split(";").length > 1,
  leading_zeros: (record) => /^0\d+$/.test(record["Lab Code"]),
  number_with_unit: (record) => /^\d+ (years|months)$/.test(record["Host Age"]),
  segmented: (record) => record["Segment"] !== "",
  duplicate_sequence: (record) => record["Cluster Representative"] !== record["Registry Accession"],
  in_cluster_of_several: (record) => Number(record["Cluster Size"]) > 1,
  representative_of_several: (record) =>
    Number(record["Cluster Size"]) > 1 && record["Cluster Representative"] === record["Registry Accession"],
  over_sequenced_species: (record) => record["Species"] === "Fedevirus synthpafilis",
  ambiguous_letters: (_, sequence) => /[^ACGTU]/i.test(sequence),
  lower_case_letters: (_, sequence) => /[a-z]/.test(sequence),
};

/** A sample of 2,000 records, which two tests read. */
const LARGE = await Deno.makeTempDir();
const { manifest: LARGE_MANIFEST } = await makeSample(LARGE, { records: 2000 });
addEventListener("unload", () => Deno.removeSync(LARGE, { recursive: true }));

Deno.test("makeSample() holds what it promises, whatever the seed", async (t) => {
  for (const seed of [1, 4_294_967_295]) {
    await t.step(`seed ${seed}`, async () => {
      await using folder = await makeFolder();
      const path = seed === 1 ? LARGE : folder.path;
      const manifest = seed === 1 ? LARGE_MANIFEST : (await makeSample(path, { records: 2000, seed })).manifest;
      assertEquals(JSON.parse(await Deno.readTextFile(`${path}/manifest.json`)), manifest);
      const records = await readRecords(path, "full_dataset_metadata");
      const [, ...sequenceRows] = await readArchive(path, "full_dataset_sequence");
      assertEquals(records.length, 2000);
      assertEquals(sequenceRows.map(([accession]) => accession), records.map((record) => record["Registry Accession"]));
      const sequences = sequenceRows.map(([, sequence]) => sequence);

      const lengths = sequences.map(({ length }) => length).sort((a, b) => a - b);
      assertEquals(records.map((record) => record["Sequence Length"]), sequences.map(({ length }) => String(length)));
      const large = lengths.filter((length) => length >= 150_000).length;
      assertEquals(large, 10);
      assertGreaterOrEqual(lengths[0], 200);
      assert(lengths[lengths.length - 11] <= 30_000);
      assertGreaterOrEqual(lengths[1000], 1500);
      assertEquals(manifest.lengths, { min: lengths[0], median: lengths[1000], max: lengths.at(-1)!, large });

      const distinct = (field: string) =>
        new Set(records.map((record) => record[field]).filter((value) => value !== ""));
      assertEquals(distinct("Species").size, manifest.species);
      assertGreaterOrEqual(manifest.species, 300);
      assertEquals(distinct("Country").size, manifest.countries);
      assertGreaterOrEqual(manifest.countries, 60);
      assertGreaterOrEqual(Object.keys(records[0]).length, 40);
      assertEquals(Object.keys(records[0]).length, manifest.fields);

      assertEquals(Object.keys(manifest.awkward).sort(), Object.keys(JUDGES).sort());
      for (const [kind, judge] of Object.entries(JUDGES)) {
        const count = records.filter((record, index) => judge(record, sequences[index])).length;
        assertEquals([kind, manifest.awkward[kind as keyof typeof manifest.awkward]], [kind, count]);
        assertGreaterOrEqual(count, 40, `${kind} in less than 2 %`);
      }
      const bySpecies = Object.values(Object.groupBy(records, (record) => record["Species"])).map((group) =>
        group!.length
      )
        .sort((a, b) => b - a);
      assertEquals(bySpecies[0], manifest.awkward.over_sequenced_species);
      assertGreater(bySpecies[0], 2 * bySpecies[1]);
      for (const [name, rows] of Object.entries(manifest.rows)) {
        const id = name.replace(/^registryv1_|\.csv\.gz$/g, "").replace(".csv.gz", "");
        assertEquals([name, (await readArchive(path, id as "full_dataset_metadata")).length - 1], [name, rows]);
      }
    });
  }
});

Deno.test("makeSample() clusters identical sequences, and nothing else", async () => {
  await using folder = await makeFolder();
  await makeSample(folder.path, { records: 600, seed: 3 });
  const records = await readRecords(folder.path, "full_dataset_metadata");
  const sequences = new Map((await readArchive(folder.path, "full_dataset_sequence")).slice(1).map(([a, s]) => [a, s]));
  const clusters = new Map<string, string[]>();
  for (const { "Registry Accession": accession } of records) {
    const key = sequences.get(accession)!.toUpperCase();
    clusters.set(key, [...clusters.get(key) ?? [], accession]);
  }
  const representative = new Map([...clusters.values()].flatMap((members) => members.map((name) => [name, members])));
  for (const record of records) {
    const members = representative.get(record["Registry Accession"])!;
    assertEquals([record["Cluster Size"], record["Cluster Representative"]], [String(members.length), members[0]]);
  }
  const first = [...clusters.values()].map(([name]) => name);
  for (
    const id of ["unique_seqs_metadata", "votu_clusters_metadata", "unique_seqs_sequence", "votu_clusters_sequence"]
  ) {
    const [, ...rows] = await readArchive(folder.path, id as "unique_seqs_metadata");
    assertEquals(rows.map(([accession]) => accession), first, id);
  }
  const metrics = await readRecords(folder.path, "votu_cluster_comparison_metrics");
  assertEquals(
    metrics.map(({ Representative, Member }) => [Representative, Member]),
    records.map((record) => [record["Cluster Representative"], record["Registry Accession"]]),
  );
  const swapped = records.filter((record) => {
    const own = sequences.get(record["Registry Accession"])!;
    const other = sequences.get(record["Cluster Representative"])!;
    return own !== other;
  });
  assertGreater(swapped.length, 0, "no duplicate differs in case alone");
});

Deno.test("makeSample() relates the records of a species, those of a lineage more closely", async () => {
  const records = (await readRecords(LARGE, "full_dataset_metadata")).filter((record) =>
    record["Species"] === "Fedevirus synthpafilis" && record["Segment"] === "4" &&
    record["Genome Completeness"] === "complete"
  );
  const sequences = new Map((await readArchive(LARGE, "full_dataset_sequence")).slice(1).map(([a, s]) => [a, s]));
  const distances = { same: [] as number[], other: [] as number[] };
  for (const [index, one] of records.entries()) {
    for (const two of records.slice(index + 1)) {
      const a = sequences.get(one["Registry Accession"])!.toUpperCase();
      const b = sequences.get(two["Registry Accession"])!.toUpperCase();
      assertEquals(a.length, b.length);
      let differ = 0;
      for (let at = 0; at < a.length; at++) if (a[at] !== b[at]) differ++;
      distances[one["Lineage"] === two["Lineage"] ? "same" : "other"].push(differ / a.length);
    }
  }
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  assertGreater(distances.same.length, 20);
  assertGreater(distances.other.length, 20);
  assert(mean(distances.same) < 0.03, `${mean(distances.same)}`);
  assert(
    mean(distances.other) > mean(distances.same) + 0.02 && mean(distances.other) < 0.1,
    `${mean(distances.other)}`,
  );
});

Deno.test("makeSample() labels every record as synthetic, and defines every field", async () => {
  await using folder = await makeFolder();
  const { manifest } = await makeSample(folder.path, { records: 200 });
  assertEquals(manifest.synthetic, true);
  assertStringIncludes(manifest.notice, "synthetic");
  const records = await readRecords(folder.path, "full_dataset_metadata");
  for (const record of records) {
    assertStringIncludes(record["Data Source"], "synthetic");
    for (const field of ["Sequence Name", "Submitter", "Originating Lab"]) {
      assertStringIncludes(record[field], "Synthetic");
    }
    assertStringIncludes(record["Species"], " synth");
    assert(isAccession(record["Registry Accession"]));
  }
  const definitions: FieldDefinition[] = JSON.parse(await Deno.readTextFile(`${folder.path}/definitions.json`));
  assertEquals(definitions.map(({ name }) => name), Object.keys(records[0]));
  assertEquals(new Set(definitions.map(({ alias }) => alias)).size, definitions.length);
  for (const { name, description, example, alias, unit } of definitions) {
    assert(description !== "" && alias !== "" && typeof unit === "string", name);
    assert(records.some((record) => record[name] === example), `${name}: ${example} is not in the data`);
    assert(example !== "", `${name} has no example`);
  }
  const named =
    "Sequence Name,Sequence Length,Isolate,Molecule Type,Genome Completeness,Host Species,Host Common Name," +
    "Submitter,Collection Date,Country,Registry Accession";
  for (const name of named.split(",")) assert(definitions.some((definition) => definition.name === name), name);
  assertGreaterOrEqual(definitions.filter(({ name }) => name.endsWith(" Accession")).length, 5);
});

Deno.test("makeSample() states a GC content that the sequence has", async () => {
  await using folder = await makeFolder();
  await makeSample(folder.path, { records: 100 });
  const records = await readRecords(folder.path, "full_dataset_metadata");
  const [, ...sequences] = await readArchive(folder.path, "full_dataset_sequence");
  for (const [index, [, sequence]] of sequences.entries()) {
    const gc = sequence.replace(/[^GC]/gi, "").length;
    const plain = sequence.replace(/[^ACGTU]/gi, "").length;
    assert(Math.abs(Number(records[index]["GC Content"]) - 100 * gc / plain) <= 0.005001, records[index]["GC Content"]);
    assertEquals(records[index]["Ambiguous Bases"], String(sequence.length - plain));
  }
});

Deno.test("makeSample() follows another naming", async () => {
  await using folder = await makeFolder();
  const naming = namingOf({ registry: "genomebank" });
  const { files } = await makeSample(folder.path, { records: 20, naming });
  assertEquals(files[2], "genomebankv1_full_dataset_sequence.csv.gz");
  const [header] = await readArchive(folder.path, "full_dataset_metadata", naming);
  assertEquals(header[0], "Genomebank Accession");
  const [first] = JSON.parse(await Deno.readTextFile(`${folder.path}/definitions.json`));
  assertEquals([first.name, first.alias], ["Genomebank Accession", "genomebank_accession"]);
  for (const name of await namesIn(folder.path)) {
    const bytes = await Deno.readFile(`${folder.path}/${name}`);
    if (!name.endsWith(".gz")) assert(!/registry/i.test(new TextDecoder().decode(bytes)), name);
  }
});

testWithPrograms(["sha256sum"], "makeSample() satisfies sha256sum --check", async () => {
  await using folder = await makeFolder();
  await makeSample(folder.path, { records: 20 });
  const check = await sha256sumCheck(folder.path);
  assertEquals(check.code, 0);
  assertEquals(check.stdout.trim().split("\n").length, 8);
  for (const line of check.stdout.trim().split("\n")) assert(line.endsWith(".csv.gz: OK"), line);
});

Deno.test("makeSample() refuses sizes and seeds out of range before it writes", async (t) => {
  const refusals: Record<string, { records?: number; seed?: number }> = {
    "no records": { records: 0 },
    "half a record": { records: 1.5 },
    "too many records": { records: 1_000_001 },
    "not a number": { records: NaN },
    "a negative seed": { seed: -1 },
    "a seed of 33 bits": { seed: 2 ** 32 },
  };
  await using folder = await makeFolder();
  for (const [fault, options] of Object.entries(refusals)) {
    await t.step(fault, async () => {
      await assertRejects(() => makeSample(`${folder.path}/out`, options), RangeError, "whole number");
      assertEquals(await namesIn(folder.path), []);
    });
  }
});

Deno.test("makeSample() leaves nothing when it is interrupted, at whichever record", async (t) => {
  for (const task of ["writing sequences", "writing metadata"]) {
    await t.step(task, async () => {
      await using folder = await makeFolder();
      const stop = new AbortController();
      const making = makeSample(`${folder.path}/new/deep`, {
        records: 1000,
        signal: stop.signal,
        onProgress: (event) => event.task === task && event.done > 300 ? stop.abort(new Error("enough")) : undefined,
      });
      await assertRejects(() => making, Error, "enough");
      assertEquals(await namesIn(folder.path), []);
    });
  }
});

Deno.test("makeSample() makes samples of every small size", async () => {
  await using folder = await makeFolder();
  for (let records = 1; records <= 34; records += 3) {
    const { manifest } = await makeSample(`${folder.path}/${records}`, { records, seed: records });
    assertEquals(manifest.records, records);
    assertEquals((await readArchive(`${folder.path}/${records}`, "full_dataset_metadata")).length, records + 1);
  }
});

Deno.test("makeSample() refuses a folder of other things", async () => {
  await using folder = await makeFolder();
  await Deno.writeTextFile(`${folder.path}/thesis.txt`, "mine");
  await assertRejects(() => makeSample(folder.path, { records: 5 }), RegistryError, "thesis.txt");
  assertEquals(await namesIn(folder.path), ["thesis.txt"]);
});
