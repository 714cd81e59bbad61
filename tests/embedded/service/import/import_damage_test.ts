/** What openStore() says of archives that are damaged or none, and of a cache that cannot be written. */
import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { RegistryError } from "../../../../src/core/errors.ts";
import { formatAccession } from "../../../../src/core/contract/accession.ts";
import type { ArchiveId } from "../../../../src/core/contract/datasets.ts";
import { buildLake, openLake } from "../../../../src/core/tables/mod.ts";
import { zstdFrame } from "../../../core/io/_zstd_frames.ts";
import { makeArchives } from "../_archives.ts";
import { allValues, importsIn, open, ROWS } from "../_imports.ts";

const HEADER = "Registry Accession,Country,Length\n";

const cut = (text: string) => {
  const bytes = gzipSync(text.repeat(1000));
  return new Uint8Array(bytes.subarray(0, bytes.length - 20));
};

Deno.test("openStore() refuses what is damaged or no archive set, names the file, and leaves nothing", async (t) => {
  const metadata = "registryv1_full_dataset_metadata.csv.gz";
  const sequence = "registryv1_full_dataset_sequence.csv.gz";
  const cases: Record<
    string,
    readonly [
      replace: Partial<Record<ArchiveId, Uint8Array | string>>,
      code: string,
      ...says: string[],
    ]
  > = {
    "truncated metadata": [{ full_dataset_metadata: cut(HEADER) }, "damaged", metadata, "ends after"],
    "truncated map": [{ reftax1_to_reftax2_map: cut("a,b\n") }, "damaged", "reftax1_to_reftax2_map.csv.gz"],
    "no gzip": [
      { unique_seqs_sequence: new TextEncoder().encode("<!doctype html>") },
      "damaged",
      "registryv1_unique_seqs_sequence.csv.gz",
    ],
    "a short row": [
      { full_dataset_metadata: `${HEADER}vj000000000001,Kenya\n` },
      "damaged",
      metadata,
      "2 cells",
      "line 2",
    ],
    "a long row": [
      { votu_cluster_comparison_metrics: "a,b\n1,2\n1,2,3\n" },
      "damaged",
      "registryv1_votu_cluster_comparison_metrics.csv.gz",
      "line 3",
    ],
    "a quote that never ends": [{ full_dataset_metadata: `${HEADER}vj000000000001,"Kenya,4\n` }, "damaged", metadata],
    "a quote that opens far before text follows it": [
      { full_dataset_metadata: `${HEADER}vj000000000001,5" pipe,4\nvj000000000002,"Kenya,4\nvj000000000003,"a",4\n` },
      "damaged",
      "text follows a closing quote on line 4; the quoted cell opens on this line (line 3",
    ],
    "not valid UTF-8": [
      { full_dataset_metadata: new Uint8Array(gzipSync(new Uint8Array([0x61, 0xff, 0x0a]))) },
      "damaged",
      "not valid UTF-8",
    ],
    "an empty archive": [{ full_dataset_metadata: "" }, "damaged", metadata, "it is empty"],
    "an empty map": [{ reftax1_to_reftax2_map: "" }, "damaged", "it is empty"],
    "a column twice": [{ full_dataset_metadata: "Registry Accession,A,A\n" }, "damaged", 'called "A"'],
    "a column without a name": [{ full_dataset_metadata: "Registry Accession,,A\n" }, "damaged", "no name"],
    "no accession column": [{ full_dataset_metadata: "Accession,A\n" }, "not-an-archive-set", metadata, "naming"],
    "more columns than fields": [
      { full_dataset_metadata: `${HEADER.trim()},${Array.from({ length: 500 }, (_, at) => `f${at}`)}\n` },
      "not-an-archive-set",
      metadata,
      "503 columns, expected at most 500",
    ],
    "no accession column in a subset": [
      { votu_clusters_metadata: "Accession,A\n" },
      "not-an-archive-set",
      "registryv1_votu_clusters_metadata.csv.gz",
    ],
    "three columns of sequences": [
      { full_dataset_sequence: "Registry Accession,Sequence,Length\n" },
      "not-an-archive-set",
      sequence,
      "two columns",
    ],
    "a short accession": [
      { full_dataset_metadata: `${HEADER}vj00000000001,Kenya,4\n` },
      "damaged",
      '"vj00000000001" at line 2',
    ],
    "an accession twice": [
      { full_dataset_metadata: `${HEADER}vj000000000005,a,1\nvj000000000001,b,2\nvj000000000005,c,3\n` },
      "damaged",
      "vj000000000005 stands in records 1 and 3",
    ],
    "a sequence twice": [
      { full_dataset_sequence: "Registry Accession,Sequence\nvj000000000002,A\nvj000000000002,A\n" },
      "damaged",
      "a second sequence for vj000000000002 at line 3",
    ],
  };
  for (const [fault, [replace, code, ...says]] of Object.entries(cases)) {
    await t.step(fault, async () => {
      await using world = await makeArchives({ ...ROWS, replace });
      const error = await assertRejects(() => open(world), RegistryError);
      assertEquals(error.code, code, error.message);
      for (const text of says) assertStringIncludes(error.message, text);
      assertEquals(await importsIn(world.cacheFolder), []);
    });
  }
});

Deno.test("openStore() takes a quote inside a cell for a character, however many there are", async () => {
  const rows = `vj000000000001,5" pipe,4\nvj000000000002,12" x 4" plate,"5"\n`;
  await using world = await makeArchives({ ...ROWS, replace: { full_dataset_metadata: `${HEADER}${rows}` } });
  await using store = await open(world);
  assertEquals(await allValues(store), [["vj000000000001", '5" pipe', "4"], ["vj000000000002", '12" x 4" plate', "5"]]);
});

Deno.test("openStore() names the line of a fault far behind in an archive", async (t) => {
  const count = 12_000;
  const names = Array.from({ length: count }, (_, row) => formatAccession(row));
  const metadata = [HEADER, ...names.map((name) => `${name},Kenya,"1\r\n2"\n`)];
  const sequences = ["Registry Accession,Sequence\n", ...names.map((name) => `${name},ACGTACGTACGTACGT\n`)];
  const faults: Record<string, readonly [id: ArchiveId, lines: string[], row: string, says: string]> = {
    "a short accession": ["full_dataset_metadata", metadata, "vj1,Kenya,2\n", '"vj1" at line 24000'],
    "a short row": ["full_dataset_metadata", metadata, "vj1,Kenya\n", "2 cells, the header has 3 (line 24000"],
    "a second sequence": ["full_dataset_sequence", sequences, `${names[7]},A\n`, `${names[7]} at line 12001`],
    "a sequence of no accession": ["full_dataset_sequence", sequences, "vj1,A\n", '"vj1" at line 12001'],
  };
  for (const [fault, [id, lines, row, says]] of Object.entries(faults)) {
    await t.step(fault, async () => {
      const replace = { full_dataset_metadata: metadata.join(""), [id]: [...lines.slice(0, -1), row].join("") };
      await using world = await makeArchives({ columns: ["Country", "Length"], rows: [], replace });
      const error = await assertRejects(() => open(world), RegistryError);
      assertEquals(error.code, "damaged");
      assertStringIncludes(error.message, says);
    });
  }
});

Deno.test("openStore() refuses a folder whose files are missing or not what their checksum files state", async (t) => {
  const change: Record<string, readonly [change: (folder: string) => Promise<void>, code: string, says: string]> = {
    "no folder": [
      (folder) => Deno.remove(folder, { recursive: true }),
      "not-an-archive-set",
      "the folder does not exist",
    ],
    "a file": [
      async (folder) => {
        await Deno.remove(folder, { recursive: true });
        await Deno.writeTextFile(folder, "");
      },
      "not-an-archive-set",
      "it is a file",
    ],
    "an empty folder": [
      async (folder) => {
        await Deno.remove(folder, { recursive: true });
        await Deno.mkdir(folder);
      },
      "not-an-archive-set",
      "16 of the sixteen files are missing",
    ],
    "one missing": [
      (folder) => Deno.remove(join(folder, "registryv1_unique_seqs_sequence.sha256")),
      "not-an-archive-set",
      "1 of the sixteen files are missing (registryv1_unique_seqs_sequence.sha256)",
    ],
    "no checksum file": [
      (folder) => Deno.writeTextFile(join(folder, "reftax1_to_reftax2_map.sha256"), "<!doctype html>\n"),
      "not-an-archive-set",
      "Cannot read reftax1_to_reftax2_map.sha256",
    ],
    "another name": [
      (folder) =>
        Deno.writeTextFile(join(folder, "reftax1_to_reftax2_map.sha256"), `${"0".repeat(64)}  ../etc/passwd\n`),
      "not-an-archive-set",
      'expected "reftax1_to_reftax2_map.csv.gz"',
    ],
    "another digest": [
      (folder) =>
        Deno.writeTextFile(
          join(folder, "reftax1_to_reftax2_map.sha256"),
          `${"0".repeat(64)}  reftax1_to_reftax2_map.csv.gz\n`,
        ),
      "checksum",
      `reftax1_to_reftax2_map.sha256 states ${"0".repeat(64)}`,
    ],
    "a changed bit": [
      async (folder) => {
        const path = join(folder, "registryv1_full_dataset_metadata.csv.gz");
        const bytes = await Deno.readFile(path);
        bytes[bytes.length >> 1] ^= 1;
        await Deno.writeFile(path, bytes);
      },
      "checksum",
      "Cannot import registryv1_full_dataset_metadata.csv.gz",
    ],
    "a truncated file": [
      (folder) => Deno.truncate(join(folder, "registryv1_full_dataset_sequence.csv.gz"), 30),
      "checksum",
      "Cannot import registryv1_full_dataset_sequence.csv.gz",
    ],
    "definitions that are no JSON": [
      (folder) => Deno.writeTextFile(join(folder, "definitions.json"), "{"),
      "not-an-archive-set",
      "Cannot read definitions.json: it is not valid JSON",
    ],
    "definitions that are not UTF-8": [
      (folder) => Deno.writeFile(join(folder, "definitions.json"), Uint8Array.of(0x5b, 0x22, 0xe9, 0x22, 0x5d)),
      "not-an-archive-set",
      "Cannot read definitions.json: it is not UTF-8",
    ],
    "two definitions of one alias": [
      (folder) => {
        const definition = { name: "a", alias: "a", type: "string", description: "", unit: "", example: "" };
        const definitions = [definition, { ...definition, name: "b" }];
        return Deno.writeTextFile(join(folder, "definitions.json"), JSON.stringify(definitions));
      },
      "not-an-archive-set",
      'entry 2: the alias "a" is there twice',
    ],
    "definitions of another shape": [
      (folder) => Deno.writeTextFile(join(folder, "definitions.json"), "{}"),
      "not-an-archive-set",
      "expected an array",
    ],
    "a definition without a type": [
      (folder) => Deno.writeTextFile(join(folder, "definitions.json"), '[{"name": "a", "alias": "a"}]'),
      "not-an-archive-set",
      'entry 1: expected a text under "type"',
    ],
    "a definition of another type": [
      (folder) => Deno.writeTextFile(join(folder, "definitions.json"), '[{"name": "a", "alias": "a", "type": "blob"}]'),
      "not-an-archive-set",
      "entry 1: expected a type of string",
    ],
  };
  for (const [fault, [make, code, says]] of Object.entries(change)) {
    await t.step(fault, async () => {
      await using world = await makeArchives(ROWS);
      await make(world.folder);
      const error = await assertRejects(() => open(world), RegistryError, says);
      assertEquals(error.code, code);
      assertEquals(await importsIn(world.cacheFolder), []);
    });
  }
});

Deno.test("openStore() says when the cache cannot be written", async () => {
  await using world = await makeArchives(ROWS);
  await Deno.writeTextFile(world.cacheFolder, "a file where a folder should be");
  const error = await assertRejects(() => open(world), RegistryError, "Cannot write the import");
  assertEquals(error.code, "disk");
  assertStringIncludes(error.message, "SEQREG_CACHE");
});

Deno.test("an archive is read by its bytes, as a lake reads it: another separator, Zstandard, or no compression", async (t) => {
  const semicolons = 'Registry Accession;Country;Host\nvj000000000001;"Kenya; west";4,5\n';
  const commas = 'Registry Accession,Country,Host\nvj000000000001,Kenya; west,"4,5"\n';
  const forms: Readonly<Record<string, Uint8Array>> = {
    "semicolons, in gzip": new Uint8Array(gzipSync(semicolons)),
    "semicolons, in Zstandard": zstdFrame(semicolons),
    "commas, in Zstandard": zstdFrame(commas),
    "commas, not compressed": new TextEncoder().encode(commas),
  };
  for (const [form, bytes] of Object.entries(forms)) {
    await t.step(form, async () => {
      await using world = await makeArchives({ ...ROWS, replace: { full_dataset_metadata: bytes } });
      await using store = await open(world);
      const values = await allValues(store);
      assertEquals(values, [["vj000000000001", "Kenya; west", "4,5"]]);
      const said = store.warnings.filter((warning) => warning.includes("separated by semicolons, not commas"));
      assertEquals(said.length, form.startsWith("semicolons") ? 1 : 0);
      const archive = `${world.folder}/registryv1_full_dataset_metadata.csv.gz`;
      await buildLake(archive, `${world.folder}/lake`, { text: true });
      await using lake = await openLake(`${world.folder}/lake`);
      assertEquals((await lake.sql("SELECT * FROM lake")).toRecords().map(Object.values), values);
    });
  }
});
