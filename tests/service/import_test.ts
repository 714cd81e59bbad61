/** What openStore() makes of folders that are right, odd, damaged or in use by others. */
import { assert, assertEquals, assertFalse, assertRejects, assertStringIncludes } from "@std/assert";
import { createHash } from "node:crypto";
import { basename, join } from "node:path";
import { gzipSync } from "node:zlib";
import { RegistryError } from "../../src/errors.ts";
import { openStore } from "../../src/service/open_store.ts";
import { listCache } from "../../src/datasets/cache_contents.ts";
import { acquireLock } from "../../src/io/lock.ts";
import type { ProgressEvent } from "../../src/io/progress.ts";
import type { RegistryStore } from "../../src/service/store.ts";
import { formatAccession } from "../../src/spec/accession.ts";
import { ARCHIVE_IDS, archiveFiles, type ArchiveId, datasetFileNames } from "../../src/spec/datasets.ts";
import { namingOf } from "../../src/spec/naming.ts";
import { type ArchiveContent, type ArchiveWorld, makeArchives, writeArchives } from "./_archives.ts";

const ROWS: ArchiveContent = { columns: ["Country", "Length"], rows: [["Kenya", "4"], ["Peru", "8"], ["Kenya", ""]] };

const open = ({ folder, cacheFolder }: ArchiveWorld) => openStore(folder, { cacheFolder });

async function allValues(store: RegistryStore): Promise<string[][]> {
  const values: string[][] = [];
  for await (const batch of store.matching({ query: "", filter: [] })) values.push(...batch.map((r) => [...r.values]));
  return values;
}

/** Names of whole or unfinished imports in a cache, without the locks' own files. */
async function importsIn(cacheFolder: string): Promise<string[]> {
  const names: string[] = [];
  try {
    for await (const { name } of Deno.readDir(join(cacheFolder, "service"))) {
      if (!name.endsWith(".lock")) names.push(name);
    }
  } catch (cause) {
    if (!(cause instanceof Deno.errors.NotFound)) throw cause;
  }
  return names;
}

Deno.test("openStore() keeps every value and sequence as it stands", async () => {
  const rows = [['say "hi"', "a,b"], ["line\nbreak\r\n", " spaced "], ["nul\0 😀 \u202e", ""], ["=1+1", "007"]];
  const sequences = ["acgtNNN-*.", "", "ACGT".repeat(50_000), "x"];
  await using world = await makeArchives({ columns: ["A", "B"], rows, sequences });
  await using store = await open(world);
  assertEquals((await allValues(store)).map((values) => values.slice(1)), rows);
  const found: (string | undefined)[] = [];
  for await (const batch of store.matchingSequences({ query: "", filter: [] })) {
    found.push(...batch.map(({ sequence }) => sequence));
  }
  assertEquals(found, sequences);
  assertEquals(store.recordCount, 4);
});

Deno.test("openStore() lists the sixteen files with size and digest", async () => {
  await using world = await makeArchives(ROWS);
  for (let time = 0; time < 2; time++) {
    await using store = await open(world);
    assertEquals([...store.files.keys()].sort(), datasetFileNames().sort());
    for (const { path, bytes, sha256 } of store.files.values()) {
      const content = await Deno.readFile(path);
      assertEquals(bytes, content.length);
      assertEquals(sha256, createHash("sha256").update(content).digest("hex"));
    }
  }
});

Deno.test("openStore() opens an archive set without records", async () => {
  await using world = await makeArchives({ columns: ["Country"], rows: [] });
  await using store = await open(world);
  assertEquals(store.recordCount, 0);
  for (const query of ["", "country:x", "x"]) {
    const page = await store.search({ query, filter: [] }, { offset: 0, limit: 50 });
    assertEquals([page.total, page.records, page.facets], [0, [], []]);
  }
});

Deno.test("openStore() reads a deployment's own spellings", async () => {
  const naming = namingOf({ registry: "genomebank" });
  await using world = await makeArchives({ ...ROWS, naming });
  await using store = await openStore(world.folder, { cacheFolder: world.cacheFolder, naming });
  assertEquals(store.fields[0].name, "Genomebank Accession");
  assertEquals(store.fields[0].alias, "genomebank_accession");
  const page = await store.search({ query: "genomebank_accession:vj000000000002", filter: [] }, {
    offset: 0,
    limit: 1,
  });
  assertEquals(page.total, 1);
});

Deno.test("openStore() derives definitions from the data, and says so", async () => {
  const columns = ["Length", "GC Content", "Date", "Year", "Complete", "Tags", "Zip", "Note", "Note!", "Empty"];
  const rows = Array.from({ length: 100 }, (_, index) => [
    index === 0 ? "37 years" : String(index),
    `0.${index}`,
    index % 2 === 0 ? "2013" : "2013-12-XX",
    "2013",
    index % 2 === 0 ? "true" : "false",
    index % 5 === 1 ? "a;b" : "a",
    "00501",
    index === 3 ? "this; that" : "word",
    "",
    "",
  ]);
  await using world = await makeArchives({ columns, rows });
  await using store = await open(world);
  assert(store.definitionsDerived);
  assertEquals(store.fields.slice(1).map(({ alias, type, example }) => [alias, type, example]), [
    ["length", "integer", "37 years"],
    ["gc_content", "float", "0.0"],
    ["date", "date", "2013"],
    ["year", "integer", "2013"],
    ["complete", "boolean", "true"],
    ["tags", "list", "a"],
    ["zip", "string", "00501"],
    ["note", "string", "word"],
    ["note_2", "string", ""],
    ["empty", "string", ""],
  ]);
});

Deno.test("openStore() reads definitions.json, and warns where it and the archives differ", async () => {
  await using world = await makeArchives({ ...ROWS, types: { Length: "integer" } });
  const path = join(world.folder, "definitions.json");
  const definitions: { name: string; alias: string }[] = JSON.parse(await Deno.readTextFile(path));
  {
    await using store = await open(world);
    assertFalse(store.definitionsDerived);
    assertEquals(store.fields.map(({ type }) => type), ["string", "string", "integer"]);
    assertEquals(store.warnings, []);
  }
  const changed = definitions.filter(({ name }) => name !== "Country");
  changed.push({ ...definitions[1], name: "Isolate", alias: "country" });
  await Deno.writeTextFile(path, JSON.stringify(changed));
  await using store = await open(world);
  assertEquals(store.fields.map(({ name, alias }) => [name, alias]), [
    ["Registry Accession", "registry_accession"],
    ["Country", "country_2"],
    ["Length", "length"],
  ]);
  assertEquals(store.warnings, [
    "definitions.json defines fields that the archives do not have: Isolate",
    "definitions.json does not define Country: read as texts",
  ]);
});

Deno.test("openStore() warns of sequences without metadata, and records without a sequence", async () => {
  const sequences = 'Registry Accession,Sequence\nvj000000000003,AC\nvj000000000009,"GT"\nvj000000000001,\n';
  await using world = await makeArchives({ ...ROWS, replace: { full_dataset_sequence: sequences } });
  await using store = await open(world);
  assertEquals(store.warnings, [
    "registryv1_full_dataset_sequence.csv.gz has 1 sequences of accessions without metadata: vj000000000009",
    "1 of 3 records have no sequence in registryv1_full_dataset_sequence.csv.gz",
  ]);
  const found: (string | undefined)[] = [];
  for await (const batch of store.matchingSequences({ query: "", filter: [] })) {
    found.push(...batch.map(({ sequence }) => sequence));
  }
  assertEquals(found, ["", undefined, "AC"]);
});

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
    "not UTF-8": [
      { full_dataset_metadata: new Uint8Array(gzipSync(new Uint8Array([0x61, 0xff, 0x0a]))) },
      "damaged",
      "not UTF-8",
    ],
    "an empty archive": [{ full_dataset_metadata: "" }, "damaged", metadata, "it is empty"],
    "an empty map": [{ reftax1_to_reftax2_map: "" }, "damaged", "it is empty"],
    "a column twice": [{ full_dataset_metadata: "Registry Accession,A,A\n" }, "damaged", 'called "A"'],
    "a column without a name": [{ full_dataset_metadata: "Registry Accession,,A\n" }, "damaged", "no name"],
    "no accession column": [{ full_dataset_metadata: "Accession,A\n" }, "not-an-archive-set", metadata, "naming"],
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

Deno.test("openStore() names the line of a fault far behind in an archive", async (t) => {
  const count = 40_000;
  const names = Array.from({ length: count }, (_, row) => formatAccession(row));
  const metadata = [HEADER, ...names.map((name) => `${name},Kenya,"1\r\n2"\n`)];
  const sequences = ["Registry Accession,Sequence\n", ...names.map((name) => `${name},ACGTACGTACGTACGT\n`)];
  const faults: Record<string, readonly [id: ArchiveId, lines: string[], row: string, says: string]> = {
    "a short accession": ["full_dataset_metadata", metadata, "vj1,Kenya,2\n", '"vj1" at line 80000'],
    "a short row": ["full_dataset_metadata", metadata, "vj1,Kenya\n", "2 cells, the header has 3 (line 80000"],
    "a second sequence": ["full_dataset_sequence", sequences, `${names[7]},A\n`, `${names[7]} at line 40001`],
    "a sequence of no accession": ["full_dataset_sequence", sequences, "vj1,A\n", '"vj1" at line 40001'],
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
      "there is no such folder",
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
      "Cannot read definitions.json: it is no JSON",
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

Deno.test("openStore() imports again only when a file has changed", async () => {
  await using world = await makeArchives(ROWS);
  let told = 0;
  const openAndCount = async (): Promise<number> => {
    told = 0;
    await using store = await openStore(world.folder, { cacheFolder: world.cacheFolder, onProgress: () => told++ });
    assertEquals((await allValues(store)).length, store.recordCount);
    return told;
  };
  assert(await openAndCount() > 0);
  assertEquals(await openAndCount(), 0);
  await Deno.utime(join(world.folder, "registryv1_unique_seqs_sequence.csv.gz"), 1, 1);
  assert(await openAndCount() > 0, "another time");
  await writeArchives(world.folder, { ...ROWS, rows: [...ROWS.rows, ["Chad", "1"]] });
  assert(await openAndCount() > 0, "other archives");
  await writeArchives(world.folder, { ...ROWS, types: {} });
  assert(await openAndCount() > 0, "definitions");
  assertEquals(await openAndCount(), 0);
});

Deno.test("openStore() leaves the time of its use in the cache", async () => {
  await using world = await makeArchives(ROWS);
  await (await open(world))[Symbol.asyncDispose]();
  const used = async () =>
    (await listCache({ cache: world.cacheFolder })).find(({ kind, bytes }) => kind === "service" && bytes > 0)?.usedAt;
  const [name] = await importsIn(world.cacheFolder);
  const folder = join(world.cacheFolder, "service", name);
  const age = async (path: string): Promise<void> => {
    if ((await Deno.stat(path)).isDirectory) {
      for await (const { name } of Deno.readDir(path)) await age(join(path, name));
    }
    await Deno.utime(path, 1, 1);
  };
  await age(folder);
  assertEquals(await used(), "1970-01-01T00:00:01.000Z");
  await (await open(world))[Symbol.asyncDispose]();
  assert(Date.parse(await used() ?? "") > 1e12);
});

Deno.test("openStore() tells progress up to the end", async () => {
  await using world = await makeArchives(ROWS);
  const events: { done: number; total?: number; finished?: boolean }[] = [];
  await using _store = await openStore(world.folder, {
    cacheFolder: world.cacheFolder,
    onProgress: (event) => events.push(event),
  });
  assertEquals(events.map(({ done }) => done), events.map(({ done }) => done).toSorted((a, b) => a - b));
  assertEquals(events.at(-1)?.done, events.at(-1)?.total);
  assertEquals(events.filter(({ finished }) => finished).length, 1);
});

Deno.test("openStore() rebuilds an import that is no longer whole", async (t) => {
  const faults: Record<string, (folder: string) => Promise<void>> = {
    "no manifest": (folder) => Deno.remove(join(folder, "import.json")),
    "half a manifest": (folder) => Deno.writeTextFile(join(folder, "import.json"), '{"fields": ['),
    "another manifest": (folder) => Deno.writeTextFile(join(folder, "import.json"), "{}"),
    "cut records": (folder) => Deno.truncate(join(folder, "records.rows"), 10),
    "no sequences": (folder) => Deno.remove(join(folder, "sequences.places")),
    "no index": (folder) => Deno.remove(join(folder, "index"), { recursive: true }),
  };
  for (const [fault, damage] of Object.entries(faults)) {
    await t.step(fault, async () => {
      await using world = await makeArchives(ROWS);
      await (await open(world))[Symbol.asyncDispose]();
      const [name] = await importsIn(world.cacheFolder);
      await damage(join(world.cacheFolder, "service", name));
      await using store = await open(world);
      assertEquals((await allValues(store)).length, 3);
    });
  }
});

Deno.test("openStore() can be called by several at once", async () => {
  await using world = await makeArchives(ROWS);
  let imports = 0;
  const onProgress = ({ finished }: ProgressEvent) => void (imports += finished ? 1 : 0);
  const opening = () => openStore(world.folder, { cacheFolder: world.cacheFolder, onProgress });
  const stores = await Promise.all([opening(), opening(), opening()]);
  for (const store of stores) {
    assertEquals((await store.search({ query: "kenya", filter: [] }, { offset: 0, limit: 9 })).total, 2);
    await store[Symbol.asyncDispose]();
  }
  assertEquals((await importsIn(world.cacheFolder)).length, 1);
  await using lock = await acquireLock(join(world.cacheFolder, "probe.lock"));
  if (lock.reliable) assertEquals(imports, 1, "those that wait find the import of the first");
});

/** Runs a program in a process of its own. */
async function runProgram(
  code: string,
  through: readonly string[] = [],
): Promise<{ code: number; stdout: string; stderr: string }> {
  const config = new URL("../../deno.json", import.meta.url).pathname;
  const module = new URL("../../src/service/open_store.ts", import.meta.url).href;
  const [command, ...args] = [...through, Deno.execPath()];
  const { code: exit, stdout, stderr } = await new Deno.Command(command, {
    args: [...args, "eval", "--config", config, `import { openStore } from ${JSON.stringify(module)};\n${code}`],
    stdout: "piped",
    stderr: "piped",
  }).output();
  const decoder = new TextDecoder();
  return { code: exit, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
}

Deno.test("openStore() can be called by several processes at once, while others read", async () => {
  await using world = await makeArchives(ROWS);
  const code = `
    await using store = await openStore(${JSON.stringify(world.folder)}, { cacheFolder: ${
    JSON.stringify(world.cacheFolder)
  } });
    console.log((await store.search({ query: "kenya", filter: [] }, { offset: 0, limit: 9 })).total);`;
  const runs = await Promise.all([runProgram(code), runProgram(code), open(world)]);
  await using _store = runs[2];
  assertEquals([runs[0].stdout, runs[1].stdout], ["2\n", "2\n"], runs[0].stderr + runs[1].stderr);
  assertEquals((await importsIn(world.cacheFolder)).length, 1);
});

/** Stops an import when the last archive is read; gives the folder that is left. */
async function stopImport({ folder, cacheFolder }: ArchiveWorld): Promise<string> {
  const last = archiveFiles(ARCHIVE_IDS[7]).archive;
  const stop = new AbortController();
  const onProgress = ({ task }: ProgressEvent) => task.endsWith(last) && stop.abort(new Error("stopped by a test"));
  await assertRejects(
    () => openStore(folder, { cacheFolder, signal: stop.signal, onProgress }),
    Error,
    "stopped by a test",
  );
  const left = await importsIn(cacheFolder);
  assertEquals(left.map((name) => name.endsWith(".part")), [true], "nothing has a final name");
  return join(cacheFolder, "service", left[0]);
}

/** Opens the archives, and gives the names of those that are read for it, with what is in them. */
async function readAgain({ folder, cacheFolder }: ArchiveWorld) {
  const read = new Set<string>();
  const events: ProgressEvent[] = [];
  const onProgress = (event: ProgressEvent) => {
    events.push(event);
    if (event.task.endsWith(".csv.gz")) read.add(event.task.replace("importing ", ""));
  };
  await using store = await openStore(folder, { cacheFolder, onProgress });
  const sequences: (string | undefined)[] = [];
  for await (const batch of store.matchingSequences({ query: "", filter: [] })) {
    sequences.push(...batch.map(({ sequence }) => sequence));
  }
  const { total } = await store.search({ query: "kenya", filter: [] }, { offset: 0, limit: 9 });
  const { warnings } = store;
  return { read, events, values: await allValues(store), sequences, total, warnings };
}

Deno.test("openStore() goes on with an import that was stopped, and reads again only what is not finished", async (t) => {
  const { full_dataset_metadata: metadata, full_dataset_sequence: sequence } = Object.fromEntries(
    ARCHIVE_IDS.map((id) => [id, archiveFiles(id).archive]),
  );
  const letters = "Registry Accession,Sequence\nvj000000000001,ACGT\nvj000000000009,A\nvj000000000002,GG\n";
  const content: ArchiveContent = { ...ROWS, replace: { full_dataset_sequence: letters } };
  const faults: Record<string, readonly [damage: (folder: string) => Promise<void>, reads: string[]]> = {
    "as it was": [() => Promise.resolve(), []],
    "half a file more": [(folder) => Deno.writeTextFile(join(folder, "sequences.other"), "half"), []],
    "cut records": [(folder) => Deno.truncate(join(folder, "records.rows"), 10), [metadata, sequence]],
    "no sequences": [(folder) => Deno.remove(join(folder, "sequences.letters")), [metadata, sequence]],
    "half the notes": [(folder) => Deno.truncate(join(folder, "notes.json"), 30), [metadata, sequence]],
    "no notes": [(folder) => Deno.remove(join(folder, "notes.json")), [metadata, sequence]],
  };
  for (const [fault, [damage, reads]] of Object.entries(faults)) {
    await t.step(fault, async () => {
      await using world = await makeArchives(content);
      await damage(await stopImport(world));
      const { read, events, values, sequences, total, warnings } = await readAgain(world);
      assertEquals([metadata, sequence].filter((name) => read.has(name)), reads);
      assertEquals(values.map((cells) => cells.slice(1)), ROWS.rows);
      assertEquals([sequences, total], [["ACGT", "GG", undefined], 2]);
      assertEquals(warnings.length, 2, "each warning is given once");
      assertEquals(events.at(-1)?.done, events.at(-1)?.total);
      const [name, ...others] = await importsIn(world.cacheFolder);
      assertEquals([name.includes("."), others], [false, []]);
      const files = await Array.fromAsync(Deno.readDir(join(world.cacheFolder, "service", name)), ({ name }) => name);
      assertFalse(files.some((name) => name === "sequences.other" || name === "notes.json"));
    });
  }
  await t.step("archives that have changed", async () => {
    await using world = await makeArchives(content);
    await stopImport(world);
    await writeArchives(world.folder, { ...ROWS, rows: [["Chad", "1"], ["Kenya", "2"]] });
    const { values, total } = await readAgain(world);
    assertEquals([values.length, total], [2, 1]);
  });
});

Deno.test("openStore() goes on with an import that was killed at any stage", async (t) => {
  for (const [place, id] of ARCHIVE_IDS.entries()) {
    if (place % 3 !== 1) continue;
    await t.step(id, async () => {
      await using world = await makeArchives(ROWS);
      const { code } = await runProgram(`
        await openStore(${JSON.stringify(world.folder)}, {
          cacheFolder: ${JSON.stringify(world.cacheFolder)},
          onProgress: ({ task }) => task.endsWith(${JSON.stringify(archiveFiles(id).archive)})
            && Deno.kill(Deno.pid, "SIGKILL"),
        });`);
      assert(code !== 0);
      assertEquals((await importsIn(world.cacheFolder)).map((name) => name.endsWith(".part")), [true]);
      const { values, sequences, total } = await readAgain(world);
      assertEquals([values.length, sequences, total], [3, ["ACGT", "ACGTACGT", "ACGTACGTACGT"], 2]);
      assertEquals((await importsIn(world.cacheFolder)).length, 1);
    });
  }
});

Deno.test("openStore() says when the disk is full, and goes on when it is not", async () => {
  if (Deno.build.os === "windows") return;
  const sequences = ["A", "C", "G"].map((letter) => letter.repeat(400_000));
  await using world = await makeArchives({ ...ROWS, sequences });
  const program = `await openStore(${JSON.stringify(world.folder)}, { cacheFolder: ${
    JSON.stringify(world.cacheFolder)
  } }).catch(({ code, message }) => console.log(code, message));`;
  // A limit on the size of files refuses a write as a full disk does.
  const { stdout } = await runProgram(program, ["sh", "-c", 'trap "" XFSZ; ulimit -f 512; exec "$@"', "sh"]);
  assertStringIncludes(stdout, "disk Cannot write the import to");
  assertStringIncludes(stdout, "free some space");
  const { read, sequences: found } = await readAgain(world);
  const { full_dataset_metadata: metadata, full_dataset_sequence: sequence } = Object.fromEntries(
    ARCHIVE_IDS.map((id) => [id, archiveFiles(id).archive]),
  );
  assertEquals([read.has(metadata), read.has(sequence), found], [false, true, sequences]);
});

Deno.test("openStore() removes what an abandoned import has left: at once of archives that were replaced, else after a day", async () => {
  await using world = await makeArchives(ROWS);
  await stopImport(world);
  await writeArchives(world.folder, { ...ROWS, rows: [["Chad", "1"]] });
  await (await open(world))[Symbol.asyncDispose]();
  assertEquals((await importsIn(world.cacheFolder)).length, 1);

  await using other = await makeArchives(ROWS);
  const left = await stopImport(other);
  const moved = join(world.cacheFolder, "service", basename(left));
  await Deno.rename(left, moved);
  const reopen = async (time: number) => {
    await Deno.utime(join(world.folder, archiveFiles(ARCHIVE_IDS[0]).archive), time, time);
    await (await open(world))[Symbol.asyncDispose]();
    return (await importsIn(world.cacheFolder)).length;
  };
  assertEquals(await reopen(1), 2);
  await Deno.utime(moved, 1, 1);
  assertEquals(await reopen(2), 1);
});

Deno.test("openStore() removes the import of archives that were replaced, unless somebody uses it", async () => {
  await using world = await makeArchives(ROWS);
  await using other = await makeArchives(ROWS);
  const beside = { ...other, cacheFolder: world.cacheFolder };
  await Deno.utime(join(other.folder, archiveFiles(ARCHIVE_IDS[0]).archive), 1, 1);
  await (await open(beside))[Symbol.asyncDispose]();
  {
    await using old = await open(world);
    await writeArchives(world.folder, { ...ROWS, rows: [["Chad", "1"]] });
    await using fresh = await open(world);
    assertEquals([(await allValues(old)).length, (await allValues(fresh)).length], [3, 1]);
    assertEquals((await importsIn(world.cacheFolder)).length, 3);
  }
  await writeArchives(world.folder, { ...ROWS, rows: [["Chad", "1"], ["Chad", "2"]] });
  await (await open(world))[Symbol.asyncDispose]();
  assertEquals((await importsIn(world.cacheFolder)).length, 2, "that of the other folder stays");
  let told = 0;
  await using store = await openStore(other.folder, { cacheFolder: world.cacheFolder, onProgress: () => told++ });
  assertEquals([store.recordCount, told], [3, 0]);
});

Deno.test("openStore() says when the cache cannot be written", async () => {
  await using world = await makeArchives(ROWS);
  await Deno.writeTextFile(world.cacheFolder, "a file where a folder should be");
  const error = await assertRejects(() => open(world), RegistryError, "Cannot write the import");
  assertEquals(error.code, "disk");
  assertStringIncludes(error.message, "SEQREG_CACHE");
});

Deno.test("openStore() reads checksum files in every spelling that sha256sum --check reads", async () => {
  await using world = await makeArchives(ROWS);
  const spellings: readonly ((digest: string, name: string) => string)[] = [
    (digest, name) => `SHA256 (${name}) = ${digest}\n`,
    (digest, name) => `# mirrored\r\n${digest.toUpperCase()} *./${name}\r\n`,
  ];
  for (const spell of spellings) {
    for (const id of ARCHIVE_IDS) {
      const { archive, checksum } = archiveFiles(id);
      const digest = createHash("sha256").update(await Deno.readFile(join(world.folder, archive))).digest("hex");
      await Deno.writeTextFile(join(world.folder, checksum), spell(digest, archive));
    }
    await using store = await open(world);
    assertEquals(store.recordCount, 3);
  }
});
