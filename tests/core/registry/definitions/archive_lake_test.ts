import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import pl from "nodejs-polars";
import { join } from "node:path";
import { listCache } from "../../../../src/core/datasets/mod.ts";
import { Registry } from "../../../../src/core/registry/mod.ts";
import type { Lake } from "../../../../src/core/tables/lake/open/open_lake.ts";
import { fileNameOf } from "../../../../src/core/registry/results/result_file.ts";
import { packArchives } from "../../../../src/embedded/sample/mod.ts";
import { namingOf, SPECIFICATION_NAMING } from "../../../../src/core/contract/naming.ts";
import { testWithRealData } from "../../../_needs.ts";
import { sampleFolder, serveFolder } from "../_archives.ts";

/** Names of a folder and those below it, with their times: what another opening must leave as it is. */
async function fileTimes(folder: string): Promise<string[]> {
  const found: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    const path = join(folder, name);
    if (isDirectory) found.push(...await fileTimes(path));
    else if (!name.endsWith(".lock") && name !== "definitions.json") {
      found.push(`${path} ${(await Deno.stat(path)).mtime?.getTime()}`);
    }
  }
  return found.sort();
}

async function rowsBy(lake: Lake, column: string): Promise<Record<string, number>> {
  const frame = await lake.scan().groupBy(column).agg(pl.len().alias("n")).collect();
  return Object.fromEntries(frame.toRecords().map((row) => [String(row[column]), Number(row.n)]));
}

Deno.test("an archive becomes a lake once, and is one at once afterwards", async (t) => {
  await using folder = await sampleFolder();
  const { cacheFolder } = folder;
  const lakes = join(cacheFolder, "lake");
  await using registry = await Registry.open(folder.folder, { cacheFolder });
  const archive = await registry.dataset("full_dataset_metadata");

  await t.step("typed as the search is typed, with ledger, problems and frame", async () => {
    await using lake = await archive.lake();
    const table = await lake.table({ columns: ["Country", "Collection Date", "Sequence Length"] });
    assertEquals([table.rows, table.ledger.complete, table.ledger.received], [300, true, 300]);
    assertEquals(table.columns.map(({ dtype }) => dtype), ["String", "String", "Int64"]);
    assertEquals((await table.frame()).height, 300);
    const { facets } = await registry.search("", { pageSize: 1 });
    const counted = await rowsBy(lake, "Country");
    for (const { value, count } of facets.find(({ field }) => field === "Country")!.values) {
      assertEquals(counted[value], count, value);
    }
    const country = Object.keys(counted)[0];
    const rows = await lake.sql("SELECT count(*) AS n FROM lake WHERE Country = ?", [country]);
    assertEquals(rows.toRecords(), [{ n: counted[country] }]);
  });

  await t.step("the second time nothing is written", async () => {
    const before = await fileTimes(lakes);
    assert(before.length >= 2);
    await using _lake = await archive.lake();
    assertEquals(await fileTimes(lakes), before);
  });

  await t.step("twelve that ask at once build one", async () => {
    const clusters = await registry.dataset("votu_clusters_metadata");
    let built = 0;
    const opened = await Promise.all(Array.from({ length: 12 }, () =>
      clusters.lake({
        onProgress: ({ finished }) => {
          if (finished) built++;
        },
      })));
    assertEquals(built, 1);
    for (const lake of opened) await lake[Symbol.asyncDispose]();
  });

  await t.step("twelve that ask at once for a lake of two archives get whole ones", async () => {
    const archives = ["full_dataset_metadata", "votu_clusters_metadata"] as const;
    const opened = await Promise.allSettled(Array.from({ length: 12 }, () => registry.lake({ archives })));
    for (const each of opened) {
      assertEquals(each.status === "rejected" ? each.reason : undefined, undefined);
      if (each.status === "fulfilled") await each.value[Symbol.asyncDispose]();
    }
  });

  await t.step("a table tells where it comes from, beside each file, in its name and in a citation", async () => {
    await using lake = await archive.lake();
    const table = await lake.table({ columns: ["Country"] });
    assertEquals([table.provenance.sha256, table.provenance.registry], [archive.sha256, archive.provenance.registry]);
    const path = await table.toCSV(join(cacheFolder, "countries.csv"));
    const beside = JSON.parse(await Deno.readTextFile(`${path}.provenance.json`));
    assertEquals([beside.file.name, beside.sha256, beside.received], ["countries.csv", archive.sha256, 300]);
    assertEquals(beside.request.columns, ["Country"]);
    assertStringIncludes(table.cite().sentence, archive.sha256);
    assertStringIncludes(fileNameOf(table.provenance, "csv"), "full_dataset_metadata");
    await using both = await registry.lake({ archives: ["full_dataset_metadata", "votu_clusters_metadata"] });
    const of = async (name: string) =>
      (await both.table({ table: name, columns: ["Registry Accession"] })).provenance.sha256;
    assertEquals(await of("full_dataset_metadata"), archive.sha256);
    assertEquals(await of("votu_clusters_metadata"), (await registry.dataset("votu_clusters_metadata")).sha256);
  });

  await t.step("a lake of several archives has the texts that do not fit, too", async () => {
    await using both = await registry.lake({ archives: ["full_dataset_metadata", "votu_clusters_metadata"] });
    await using lake = await archive.lake();
    const table = await lake.table();
    assert(table.problemCount > 0);
    assertEquals((await both.table()).problems, table.problems);
  });

  await t.step("a lake that lost a file is built again", async () => {
    const part = (await fileTimes(lakes)).find((line) => line.includes("full_dataset_metadata/part-"))!.split(" ")[0];
    await Deno.remove(part);
    await using lake = await archive.lake();
    assertEquals((await lake.table({ columns: ["Country"] })).rows, 300);
    assertEquals((await (await lake.table({ columns: ["Country"] })).frame()).height, 300);
  });

  await t.step("dates with columns are a lake of their own", async () => {
    await using lake = await archive.lake({ dates: "columns" });
    assert("Collection Date earliest" in lake.fields);
    await using plain = await archive.lake();
    assertEquals("Collection Date earliest" in plain.fields, false);
  });

  await t.step("a stop leaves nothing behind", async () => {
    const sequences = await registry.dataset("full_dataset_sequence");
    const before = await fileTimes(lakes);
    const stop = new AbortController();
    const error = await assertRejects(() =>
      sequences.lake({ signal: stop.signal, onProgress: () => stop.abort(new Error("enough")) })
    );
    assertEquals(error instanceof Error && error.message, "enough");
    assertEquals(await fileTimes(lakes), before);
  });
});

Deno.test("registry.lake() joins all eight archives, converted once", async () => {
  await using folder = await sampleFolder();
  await using registry = await Registry.open(folder.folder, { cacheFolder: folder.cacheFolder });
  await using lake = await registry.lake();
  assertEquals(lake.tables.size, 8);
  assertEquals(lake.main, "full_dataset_metadata");
  const joined = await lake.join();
  assertEquals([joined.ledger.received, joined.ledger.complete], [300, true]);
  assert((await lake.representatives().collect()).height > 0);

  const before = await fileTimes(join(folder.cacheFolder, "lake"));
  await using again = await registry.lake();
  await using two = await registry.lake({ archives: ["full_dataset_metadata", "full_dataset_sequence"] });
  await using one = await (await registry.dataset("full_dataset_metadata")).lake();
  assertEquals([again.tables.size, two.tables.size, one.tables.size], [8, 2, 1]);
  const after = await fileTimes(join(folder.cacheFolder, "lake"));
  assertEquals(after.filter((line) => !line.includes(two.folder)), before);
  await assertRejects(() => registry.lake({ archives: [] }), RangeError, "without archives");
  await assertRejects(() => registry.lake({ archives: ["full_dataset"] }), RangeError, "did you mean");
});

Deno.test("a lake of a deployment with other spellings has its columns", async () => {
  const naming = namingOf({ registry: "genomebank" });
  await using folder = await sampleFolder(60, naming);
  await using registry = await Registry.open(folder.folder, { cacheFolder: folder.cacheFolder, naming });
  await using lake = await registry.lake({ archives: ["full_dataset_metadata", "full_dataset_sequence"] });
  assertEquals(lake.tables.get(lake.main)?.idField, naming.accessionField);
  assertEquals((await lake.join()).ledger.received, 60);
});

Deno.test("a lake under another naming is a lake of its own", async () => {
  await using folder = await sampleFolder(60);
  await using server = await serveFolder(folder);
  const { cacheFolder } = folder;
  const namings = [{ ...SPECIFICATION_NAMING, accessionField: "Country", accessionAlias: "country" }, undefined];
  for (const naming of namings) {
    await using registry = await Registry.open(server.url, { cacheFolder, offline: false, naming });
    await using lake = await registry.lake({ archives: ["full_dataset_metadata"] });
    assertEquals(lake.tables.get(lake.main)?.idField, registry.naming.accessionField);
  }
});

Deno.test("a lake of a live registry needs the network once", async (t) => {
  await using folder = await sampleFolder();
  const cacheFolder = join(folder.cacheFolder, "live");
  let url: string;
  {
    await using server = await serveFolder(folder);
    url = server.url;
    await using registry = await Registry.open(url, { cacheFolder, offline: false });
    await using lake = await (await registry.dataset("full_dataset_metadata")).lake();
    assertEquals(lake.tables.get(lake.main)?.rows, 300);
    await registry.dataset("unique_seqs_metadata");
  }
  await using registry = await Registry.open(url, { cacheFolder, offline: true });

  await t.step("afterwards it is there offline", async () => {
    await using lake = await (await registry.dataset("full_dataset_metadata")).lake();
    assertEquals((await lake.sql("SELECT count(*) AS n FROM lake")).toRecords(), [{ n: 300 }]);
    await using set = await registry.lake({ archives: ["full_dataset_metadata"] });
    assertEquals(set.tables.size, 1);
  });

  await t.step("an archive is read, typed by the definitions that were kept", async () => {
    const table = await (await registry.dataset("full_dataset_metadata")).read({ columns: ["Sequence Length"] });
    assertEquals(table.columns.map(({ dtype }) => dtype), ["Int64"]);
    assertStringIncludes(table.ledger.warnings.join(), "since the registry does not return them now");
    assertEquals([table.ledger.complete, table.rows.length], [true, 300]);
  });

  await t.step("one that was never built is typed by its values and says so, and is read as text", async () => {
    const archive = await registry.dataset("unique_seqs_metadata");
    await using lake = await archive.lake();
    const { columns, ledger } = await lake.table({ columns: ["Sequence Length"] });
    assertEquals([columns.map(({ dtype }) => dtype), lake.tables.get(lake.main)?.inferred], [["Int64"], true]);
    assertStringIncludes(ledger.warnings.join(), "types were inferred from names and all values");
    const table = await archive.read({ columns: ["Sequence Length"] });
    assertEquals(table.columns.map(({ dtype }) => dtype), ["String"]);
    assertStringIncludes(table.ledger.warnings.join(), "every field is taken as text");
  });

  await t.step("text and definitions of the caller's give lakes of their own", async () => {
    const archive = await registry.dataset("unique_seqs_metadata");
    const definition = { alias: "", unit: "", description: "", example: "" };
    const definitions = [{ ...definition, name: "Sequence Length", type: "float" as const }];
    for (const [options, dtype] of [[{ text: true }, "String"], [{ definitions }, "Float64"], [{}, "Int64"]] as const) {
      await using lake = await archive.lake(options);
      assertEquals((await lake.table({ columns: ["Sequence Length"] })).columns.map(({ dtype }) => dtype), [dtype]);
    }
  });

  await t.step("the cache names its lakes, and lets them go", async () => {
    const lakes = (await listCache({ cache: cacheFolder })).filter(({ kind }) => kind === "lake");
    assertEquals(lakes.map(({ name }) => name.replaceAll(/-[0-9a-f]{32,64}/g, "")).sort(), [
      "full_dataset_metadata",
      "set",
      "unique_seqs_metadata",
      "unique_seqs_metadata",
      "unique_seqs_metadata-text",
    ]);
  });
});

/** The five questions of examples/lake.ts, asked of whatever columns the data has, in polars and in SQL. */
const REAL_SETS = {
  "zika/sequences.fasta": { records: 34, columns: ["Country", "Geo Region", "Collection Date", "Authors", "Species"] },
  // Only by `deno task checks large-genomes`: twelve megabytes of sequences are packed and converted.
  ...Deno.env.get("SEQREG_LARGE_GENOMES") !== undefined && {
    "sarscov2/sequences.fasta.gz": {
      records: 418,
      columns: ["Country", "Geo Region", "Collection Date", "division", "Host Species"],
    },
  },
};

for (const [file, { records, columns }] of Object.entries(REAL_SETS)) {
  testWithRealData(`five group-bys over a lake of ${file}, offline after the first time`, async (real) => {
    const root = await Deno.makeTempDir();
    const cacheFolder = join(root, "live");
    const folder = { folder: join(root, "archives"), cacheFolder: join(root, "cache") };
    await packArchives({
      folder: folder.folder,
      fasta: new URL(file, real),
      metadata: new URL("metadata.tsv", new URL(file, real)),
    });
    let url = "";
    const first: Record<string, number>[] = [];
    {
      await using server = await serveFolder({ ...folder, [Symbol.asyncDispose]: () => Promise.resolve() });
      url = server.url;
      await using registry = await Registry.open(url, { cacheFolder, offline: false });
      await using lake = await registry.lake();
      const joined = await lake.join();
      assertEquals([joined.ledger.received, joined.ledger.complete], [records, true]);
      for (const column of columns) first.push(await rowsBy(lake, column));
    }
    await using registry = await Registry.open(url, { cacheFolder, offline: true });
    await using lake = await registry.lake();
    for (const [index, column] of columns.entries()) {
      assertEquals(await rowsBy(lake, column), first[index]);
      const sql = await lake.sql(`SELECT "${column}" AS name, count(*) AS n FROM lake GROUP BY 1`);
      const counts = Object.fromEntries(sql.toRecords().map((row) => [String(row.name), Number(row.n)]));
      assertEquals(counts, first[index]);
      assertEquals(Object.values(counts).reduce((sum, n) => sum + n), records);
    }
    const table = await lake.table();
    assertEquals([table.rows, table.ledger.complete], [records, true]);
    await Deno.remove(root, { recursive: true });
  });
}
