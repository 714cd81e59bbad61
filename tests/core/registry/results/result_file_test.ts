import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import fc from "fast-check";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { sha256 } from "../../../../src/core/io/digest/sha256.ts";
import { Registry } from "../../../../src/core/registry/mod.ts";
import { fileNameOf, writeResultFile } from "../../../../src/core/registry/results/result_file.ts";
import { closeLedger, type Provenance } from "../../../../src/core/contract/ledger.ts";
import { anyText } from "../../../_any_text.ts";
import { sampleFolder } from "../_archives.ts";

function provenanceOf(request: unknown, operation = "search"): Provenance {
  return {
    operation,
    registry: null,
    request,
    bytes: 0,
    sha256: null,
    started: "2026-01-31T23:59:59.000Z",
    finished: "2026-01-31T23:59:59.500Z",
    toolkit: "seqreg 0.3.0",
  };
}

Deno.test("fileNameOf() tells operation, query and day", async (t) => {
  const cases: Record<string, [request: unknown, operation: string, name: RegExp]> = {
    "a query": [{ query: "country:Kenya" }, "search", /^search-country-Kenya-2026-01-31-[0-9a-f]{6}\.csv$/],
    "filters": [
      { query: "", filter: [{ field: "Country", value: "Côte d'Ivoire" }] },
      "search",
      /^search-Country-Cote-d-Ivoire-2026/,
    ],
    "accessions": [{ scope: "selection", accessions: 12 }, "metadata", /^metadata-12-accessions-2026/],
    "an archive": [{ filename: "x_metadata.csv.gz" }, "dataset", /^dataset-x_metadata.csv.gz-2026/],
    "no request": [null, "sequences (by accession, /v2/sequence)", /^sequences-2026-01-31/],
    "a path": [{ query: "../../etc/passwd" }, "search", /^search-etc-passwd-2026/],
    "a device of some systems": [{ query: "CON" }, "search", /^search-CON-2026/],
    "other scripts alone": [{ query: "日本" }, "search", /^search-2026-01-31-[0-9a-f]{6}/],
  };
  for (const [name, [request, operation, expected]] of Object.entries(cases)) {
    await t.step(name, () => assertMatch(fileNameOf(provenanceOf(request, operation), "csv"), expected));
  }
});

Deno.test("fileNameOf() is a harmless name for every query, and another one for another request", () => {
  fc.assert(fc.property(anyText({ maxLength: 300 }), (query) => {
    const name = fileNameOf(provenanceOf({ query }), "csv");
    assertMatch(name, /^search-[A-Za-z0-9._-]+\.csv$/);
    assert(name.length <= 100 && !name.includes(".."));
  }));
  const names = ["a b", "a-b", "a:b"].map((query) => fileNameOf(provenanceOf({ query }), "csv"));
  assertEquals(new Set(names).size, 3);
});

Deno.test("every result is written in every format it has, with its provenance beside it", async (t) => {
  await using folder = await sampleFolder(60);
  await using registry = await Registry.open(folder.folder, { cacheFolder: folder.cacheFolder });
  const out = await Deno.makeTempDir();
  const ids = (await registry.search("", { pageSize: 5 })).accessions;
  const metadata = await registry.metadata({ ids }, { fields: ["Country"] });
  const sequences = await registry.sequences({ ids });
  const table = await registry.dataset("full_dataset_metadata");
  const letters = await registry.dataset("full_dataset_sequence");

  await using lake = await registry.lake({ archives: ["full_dataset_metadata", "full_dataset_sequence"] });
  const rows = await lake.table({ columns: ["Country"] });
  const sequenceRows = await lake.table({ table: "full_dataset_sequence", columns: ["length"] });

  const written: Record<string, () => Promise<string>> = {
    "metadata.csv": () => metadata.toCSV(join(out, "metadata.csv")),
    "metadata.tsv": () => metadata.toTSV(join(out, "metadata.tsv")),
    "metadata.parquet": () => metadata.toParquet(join(out, "metadata.parquet")),
    "sequences.fasta": () => sequences.toFasta(join(out, "sequences.fasta")),
    "archive.csv": () => table.toCSV(join(out, "archive.csv")),
    "archive.tsv": () => table.toTSV(join(out, "archive.tsv")),
    "archive.parquet": () => table.toParquet(join(out, "archive.parquet")),
    "letters.fasta": () => letters.toFasta(join(out, "letters.fasta")),
    "lake.csv": () => rows.toCSV(join(out, "lake.csv")),
    "lake.tsv": () => rows.toTSV(join(out, "lake.tsv")),
    "lake.parquet": () => rows.toParquet(join(out, "lake.parquet")),
    "lake.fasta": () => sequenceRows.toFasta(join(out, "lake.fasta")),
  };
  for (const [name, write] of Object.entries(written)) {
    await t.step(name, async () => {
      const path = await write();
      assertEquals(path, join(out, name));
      const beside = JSON.parse(await Deno.readTextFile(`${path}.provenance.json`));
      assertEquals(beside.file, { name, bytes: (await Deno.stat(path)).size, sha256: await sha256(path) });
      assertEquals([beside.complete, beside.registry], [true, registry.place]);
      assertEquals(typeof beside.toolkit, "string");
    });
  }
  assertEquals(
    await Deno.readFile(join(out, "archive.csv")),
    new Uint8Array(gunzipSync(await Deno.readFile(table.path))),
  );
  assertEquals((await Deno.readTextFile(join(out, "archive.tsv"))).trimEnd().split("\n").length, 61);
  assertEquals((await Deno.readTextFile(join(out, "archive.tsv"))).split("\n")[0].split("\t")[0], "Registry Accession");
  assertEquals((await Deno.readTextFile(join(out, "letters.fasta"))).match(/^>vj\d{12}$/gm)?.length, 60);
  assertEquals(await Deno.readFile(join(out, "lake.fasta")), await Deno.readFile(join(out, "letters.fasta")));
  const pl = (await import("nodejs-polars")).default;
  assertEquals(pl.readParquet(join(out, "archive.parquet")).height, 60);

  await t.step("what is read of an archive has another name than the archive, for each choice of columns", async () => {
    const results = [table, await table.read(), await table.read({ columns: ["Country"] }), rows];
    const names = results.map(({ provenance }) => fileNameOf(provenance, "csv"));
    assertEquals(new Set(names).size, 3);
    assertEquals(names[2], names[3], "the same of its lake");
  });
  await t.step("provenance can be left out", async () => {
    const path = await metadata.toCSV(join(out, "alone.csv"), { provenance: "none" });
    await assertRejects(() => Deno.stat(`${path}.provenance.json`), Deno.errors.NotFound);
  });
  await t.step("provenance is a file of its own, also by its older name", async () => {
    for (const provenance of ["file", "beside"] as const) {
      const path = await metadata.toCSV(join(out, `${provenance}.csv`), { provenance });
      assertEquals(JSON.parse(await Deno.readTextFile(`${path}.provenance.json`)).file.name, `${provenance}.csv`);
    }
  });
  await t.step("wrong wishes are refused before anything is written", async () => {
    await assertRejects(() => metadata.toCSV(""), TypeError, "expected a path");
    await assertRejects(() => table.toFasta(join(out, "x.fasta")), TypeError, "full_dataset_sequence");
    await assertRejects(() => rows.toFasta(join(out, "x.fasta")), TypeError, "those of full_dataset_sequence");
    await assertRejects(() => Deno.stat(join(out, "x.fasta")), Deno.errors.NotFound);
  });
  await t.step("citations", () => {
    for (const { cite } of [metadata, sequences, table].map((result) => ({ cite: () => result.cite() }))) {
      assertMatch(
        String(cite()),
        /^Data were retrieved from the archives in the folder "archives"[^]*@misc\{registry-/,
      );
    }
    assertMatch(table.cite().sentence, /1 of 1 archive, complete\./);
  });
  await Deno.remove(out, { recursive: true });
});

Deno.test("a stop between a file and its provenance leaves no file without it", async () => {
  const folder = await Deno.makeTempDir();
  const path = join(folder, "x.csv");
  const stop = new AbortController();
  const result = { ledger: closeLedger({ received: 1 }), provenance: provenanceOf({ query: "" }) };
  await writeResultFile(result, { path, extension: "csv", signal: stop.signal }, async (to) => {
    await Deno.writeTextFile(to, "a\n");
    stop.abort(new Error("enough"));
  });
  const written = JSON.parse(await Deno.readTextFile(`${path}.provenance.json`));
  assertEquals([written.file.sha256, written.received], [await sha256(path), 1]);
  await Deno.remove(folder, { recursive: true });
});

Deno.test("a file without provenance does not keep that of an earlier one", async () => {
  const folder = await Deno.makeTempDir();
  const path = join(folder, "x.csv");
  const result = { ledger: closeLedger({ received: 1 }), provenance: provenanceOf({ query: "" }) };
  for (const [provenance, files] of [["file", 2], ["none", 1], ["none", 1], ["file", 2]] as const) {
    await writeResultFile(result, { path, extension: "csv", provenance }, (to) => Deno.writeTextFile(to, provenance));
    assertEquals((await Array.fromAsync(Deno.readDir(folder))).length, files);
  }
  await Deno.remove(folder, { recursive: true });
});
