/** What openStore() makes of archives that are right, or odd. */
import { assert, assertEquals, assertFalse } from "@std/assert";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { openStore } from "../../../../src/embedded/service/registry/open_store.ts";
import { ARCHIVE_IDS, archiveFiles, datasetFileNames } from "../../../../src/core/contract/datasets.ts";
import { namingOf, SPECIFICATION_NAMING } from "../../../../src/core/contract/naming.ts";
import { openRegistry } from "../../../../src/embedded/service/registry/open_registry.ts";
import { makeArchives, writeArchives } from "../_archives.ts";
import { allValues, importsIn, open, ROWS } from "../_imports.ts";
import { MANIFEST_FILE, manifestText } from "../../../../src/embedded/service/import/import_manifest.ts";

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

Deno.test("openStore() derives definitions from the data, and reports it", async () => {
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

Deno.test("openStore() takes columns of any names", async () => {
  const columns = ["country", "alias country", "__proto__", "constructor", "name", "alias"];
  const row = columns.map((_, index) => `value ${index}`);
  await using world = await makeArchives({ columns, rows: [row] });
  await using store = await open(world);
  assertEquals(store.fields.slice(1).map(({ name }) => name), columns);
  for (const [index, { alias }] of store.fields.slice(1).entries()) {
    const { total } = await store.search({ query: `${alias}:"value ${index}"`, filter: [] }, { offset: 0, limit: 1 });
    assertEquals(total, 1, alias);
  }
});

Deno.test("openStore() reads definitions.json with a byte order mark", async () => {
  await using world = await makeArchives({ ...ROWS, types: { Length: "integer" } });
  const path = join(world.folder, "definitions.json");
  await Deno.writeTextFile(path, `\ufeff${await Deno.readTextFile(path)}`);
  await using store = await open(world);
  assertEquals(store.fields.map(({ type }) => type), ["string", "string", "integer"]);
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
  assertEquals(store.entries.map(({ code, level, ids }) => [code, level, ids]), [
    ["definitions-unused", "warning", ["Isolate"]],
    ["fields-undefined", "warning", ["Country"]],
  ]);
});

Deno.test("openStore() finds each column one definition, by its name or else by its alias", async () => {
  const columns = ["Country", "country"];
  await using world = await makeArchives({ columns, rows: [["Kenya", "a"], ["Peru", "b"]] });
  const naming = { ...SPECIFICATION_NAMING, accessionField: "acc", accessionAlias: "acc" };
  await using other = await makeArchives({ columns: ["country"], rows: [["Kenya"], ["Peru"]], naming });
  const rest = { type: "string", description: "", unit: "", example: "" };
  const definitions = [
    { name: "Registry Accession", alias: "acc", ...rest },
    { name: "Country", alias: "country", ...rest },
  ];
  for (const { folder } of [world, other]) {
    await Deno.writeTextFile(join(folder, "definitions.json"), JSON.stringify(definitions));
  }
  {
    await using store = await open(world);
    assertEquals(store.fields.map(({ name, alias }) => [name, alias]), [
      ["Registry Accession", "acc"],
      ["Country", "country"],
      ["country", "country_2"],
    ]);
    assertEquals(store.warnings, ["definitions.json does not define country: read as texts"]);
    assertEquals((await allValues(store)).map(([, ...values]) => values), [["Kenya", "a"], ["Peru", "b"]]);
  }
  await using store = await openStore(other.folder, { cacheFolder: other.cacheFolder, naming });
  assertEquals(store.fields.map(({ name, alias }) => [name, alias]), [["acc", "acc"], ["Country", "country"]]);
  assertEquals(store.recordCount, 2);
});

Deno.test("openStore() warns of sequences without metadata, and records without a sequence", async () => {
  const sequences = 'Registry Accession,Sequence\nvj000000000003,AC\nvj000000000009,"GT"\nvj000000000001,\n';
  await using world = await makeArchives({ ...ROWS, replace: { full_dataset_sequence: sequences } });
  await using store = await open(world);
  assertEquals(store.warnings, [
    "registryv1_full_dataset_sequence.csv.gz has 1 sequences of accessions without metadata: vj000000000009",
    "1 of 3 records have no sequence in registryv1_full_dataset_sequence.csv.gz",
  ]);
  assertEquals(store.entries.map(({ code, level, count }) => [code, level, count]), [
    ["without-metadata", "warning", 1],
    ["without-sequence", "warning", 1],
  ]);
  const found: (string | undefined)[] = [];
  for await (const batch of store.matchingSequences({ query: "", filter: [] })) {
    found.push(...batch.map(({ sequence }) => sequence));
  }
  assertEquals(found, ["", undefined, "AC"]);
});

Deno.test("what is unusual about archives is reported once at each opening, and of new ones when they are served", async () => {
  const sequences = (ids: readonly string[]) =>
    `Registry Accession,Sequence\n${ids.map((id) => `vj00000000000${id},AC\n`).join("")}`;
  const absent = "1 of 3 records have no sequence in registryv1_full_dataset_sequence.csv.gz";
  await using world = await makeArchives({ ...ROWS, replace: { full_dataset_sequence: sequences(["1", "2"]) } });
  const warnings: string[] = [];
  const options = { cacheFolder: world.cacheFolder, onWarning: (text: string) => void warnings.push(text) };
  for (const copies of [false, false, true]) {
    await (await openStore(world.folder, { ...options, copies }))[Symbol.asyncDispose]();
    assertEquals(warnings.splice(0), [absent]);
  }
  await using registry = await openRegistry(world.folder, options);
  assertEquals(warnings.splice(0), [absent]);
  await writeArchives(world.folder, { ...ROWS, replace: { full_dataset_sequence: sequences(["3"]) } });
  assertEquals([await registry.renew(), warnings], [true, [absent.replace("1 of 3", "2 of 3")]]);
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

Deno.test("openStore() reads an import whose remarks have no codes yet", async () => {
  const sequences = "Registry Accession,Sequence\nvj000000000001,AC\n";
  await using world = await makeArchives({ ...ROWS, replace: { full_dataset_sequence: sequences } });
  const text = "2 of 3 records have no sequence in registryv1_full_dataset_sequence.csv.gz";
  await (await open(world))[Symbol.asyncDispose]();
  const [name] = await importsIn(world.cacheFolder);
  const path = join(world.cacheFolder, "service", name, MANIFEST_FILE);
  const { checksum: _, entries, ...older } = JSON.parse(await Deno.readTextFile(path));
  await Deno.writeTextFile(path, manifestText(older));
  await using store = await open(world);

  assertEquals([entries.length, older.warnings], [1, [text]]);
  assertEquals(store.entries.map(({ code, level, text }) => [code, level, text]), [["without-code", "warning", text]]);
  assertEquals(store.warnings, [text]);
});
