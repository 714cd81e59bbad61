/** Lakes that were damaged after they were built: the error names the file and the remedy, and the process lives. */
import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";

import { basename, dirname, relative } from "node:path";
import { ParseError, RegistryError } from "../../../../src/core/errors.ts";
import { readManifest, writeManifest } from "../../../../src/core/tables/lake/build/lake_manifest.ts";
import { buildLake, openLake, verifyLake } from "../../../../src/core/tables/mod.ts";
import { accession, DEFINITIONS, fileOf, inFolder, writeGzip } from "../_lake_files.ts";

const ROWS = 3000;

async function makeLake(folder: string) {
  const archive = `${folder}/a.csv.gz`;
  const rows = Array.from({ length: ROWS }, (_, row) => `${accession(row)},${row % 7 === 0 ? `0${row}` : row}\n`);
  await writeGzip(archive, `Registry Accession,Whole\n${rows.join("")}`);
  await buildLake(archive, `${folder}/lake`, { definitions: DEFINITIONS });
  const lake = `${folder}/lake`;
  return { archive, lake, file: (kind: "parquet" | "raw" | "manifest") => fileOf(lake, "a", kind) };
}

async function flip(path: string, bit: number): Promise<void> {
  const bytes = await Deno.readFile(path);
  bytes[bit >> 3] ^= 1 << (bit & 7);
  await Deno.writeFile(path, bytes);
}

/** Reads everything that a lake gives: as a frame, as texts, the problems, and by SQL. */
async function readAll(lake: string): Promise<unknown> {
  await using opened = await openLake(lake);
  const table = await opened.table();
  const whole = opened.column("Whole").sum();
  return [
    (await table.frame()).toRecords(),
    (await table.rawFrame()).toRecords(),
    table.problems,
    (await opened.scan().select(whole).collect()).toRecords(),
    (await opened.sql('SELECT count(*) AS n, min("Whole") AS least, max("Whole") AS most FROM lake')).toRecords(),
  ];
}

Deno.test("a flipped bit in any file of a lake is an error that names file and remedy, or changes nothing", async () => {
  await inFolder(async (folder) => {
    const { lake, file } = await makeLake(folder);
    const expected = await readAll(lake);
    let [noticed, harmless] = [0, 0];
    for (const path of [file("parquet"), file("raw"), file("manifest")]) {
      const name = basename(path);
      const whole = await Deno.readFile(path);
      const bits = whole.length * 8;
      // The magic number, a page header, page data, the footer, and places in between.
      for (
        const bit of [
          3,
          40,
          200,
          ...[0.1, 0.25, 0.4, 0.6, 0.8, 0.99].map((at) => Math.floor(bits * at)),
          bits - 80,
        ]
      ) {
        await flip(path, bit);
        try {
          assertEquals(await readAll(lake), expected, `${name}, bit ${bit}`);
          harmless++;
        } catch (error) {
          assert(error instanceof RegistryError || error instanceof ParseError, `${name}, bit ${bit}: ${error}`);
          assertStringIncludes(error.message, name);
          assertStringIncludes(error.message, "build the lake again: seqreg lake");
          noticed++;
        }
        const failed = (await verifyLake(lake)).filter(({ ok }) => !ok).map(({ name }) => name);
        assertEquals(failed.map((failed) => basename(failed)), [name]);
        await Deno.writeFile(path, whole);
      }
    }
    assert(noticed >= 25, `${noticed} noticed, ${harmless} harmless`);
    assertEquals(await readAll(lake), expected);
  });
});

Deno.test("buildLake() builds a damaged table again, and keeps a whole one", async () => {
  await inFolder(async (folder) => {
    const { archive, lake, file } = await makeLake(folder);
    const [kept] = await buildLake(archive, lake, { definitions: DEFINITIONS });
    await flip(file("parquet"), 5000);
    const [again] = await buildLake(archive, lake, { definitions: DEFINITIONS });

    assertEquals([kept.reused, again.reused], [true, false]);
    assert((await verifyLake(lake)).every(({ ok }) => ok));
  });
});

Deno.test("a lake without checksums opens, says that it carries none, and is not verified", async () => {
  await inFolder(async (folder) => {
    const { lake, file } = await makeLake(folder);
    const { checksum: _, ...manifest } = (await readManifest(dirname(file("manifest"))))!;
    const bare = (files: typeof manifest.files) => files.map(({ checks: _, ...file }) => file);
    const old = { ...manifest, files: bare(manifest.files), raw: bare(manifest.raw) };
    await Deno.writeTextFile(file("manifest"), JSON.stringify(old));
    await using opened = await openLake(lake);

    assertStringIncludes(opened.warnings[0], "a carries no checksums");
    const { ledger } = await opened.table();
    assert(ledger.warnings.some((warning) => warning.includes("carries no checksums")));
    assert((await verifyLake(lake)).every(({ ok, reason }) => !ok && reason.includes("has no checksum")));
  });
});

Deno.test("a lake whose remarks have no codes yet opens, and keeps their texts", async () => {
  await inFolder(async (folder) => {
    const { lake, file } = await makeLake(folder);
    const { checksum: _, entries = [], ...manifest } = (await readManifest(dirname(file("manifest"))))!;
    await writeManifest(dirname(file("manifest")), { ...manifest, warnings: ["types were inferred"] });
    await using opened = await openLake(lake);
    const { ledger } = await opened.table();

    assertEquals(entries, []);
    assertEquals(ledger.warnings[0], "types were inferred");
    assertEquals(ledger.entries[0].code, "without-code");
  });
});

Deno.test("a manifest whose checksum is gone is damaged, not old", async () => {
  await inFolder(async (folder) => {
    const { lake, file } = await makeLake(folder);
    const text = await Deno.readTextFile(file("manifest"));
    await Deno.writeTextFile(file("manifest"), text.replace('"checksum"', '"chesksum"'));

    await assertRejects(() => openLake(lake), ParseError, "its checksum is missing");
  });
});

Deno.test("verifyLake() names what cannot be read, and refuses a folder without tables", async () => {
  await inFolder(async (folder) => {
    const { lake, file } = await makeLake(folder);
    const texts = file("raw");
    await Deno.remove(texts);
    const failed = (await verifyLake(lake)).filter(({ ok }) => !ok);

    assertEquals(failed.map(({ name, unread }) => [name, unread]), [[relative(lake, texts), true]]);
    await assertRejects(() => openLake(lake), RegistryError, "build the lake again");
    await assertRejects(() => verifyLake(`${folder}/none`), RegistryError, "does not exist");
    await assertRejects(() => verifyLake(folder), RegistryError, "no table is in it");
    await assertRejects(() => verifyLake(`${folder}/a.csv.gz`), RegistryError, "it is a file, not a folder");
  });
});

Deno.test("verifyLake() names a Parquet file that is no part of the table in whose folder it is", async () => {
  await inFolder(async (folder) => {
    const { lake, file, archive } = await makeLake(folder);
    await Deno.writeTextFile(`${lake}/a/.DS_Store`, "");
    assertEquals((await verifyLake(lake)).filter(({ ok }) => !ok), []);

    await Deno.copyFile(file("parquet"), `${lake}/a/copy.parquet`);
    const failed = (await verifyLake(lake)).filter(({ ok }) => !ok);
    assertEquals(failed.map(({ name, unread }) => [name, unread]), [["a/copy.parquet", false]]);
    assertStringIncludes(failed[0].reason, "count these rows too; move it elsewhere");

    // pyarrow, polars and Spark read the folders in a folder too.
    await Deno.remove(`${lake}/a/copy.parquet`);
    await Deno.mkdir(`${lake}/a/old/2025`, { recursive: true });
    await Deno.copyFile(file("parquet"), `${lake}/a/old/2025/PART.PARQUET`);
    const below = (await verifyLake(lake)).filter(({ ok }) => !ok);
    assertEquals(below.map(({ name }) => name), ["a/old/2025/PART.PARQUET"]);

    await Deno.remove(`${lake}/a/old`, { recursive: true });
    await buildLake(archive, lake, { text: true });
    assertEquals((await verifyLake(lake)).filter(({ ok }) => !ok), []);
  });
});

Deno.test("a table of a lake is read again where a file was away for a while", async () => {
  await inFolder(async (folder) => {
    const { lake, file } = await makeLake(folder);
    await using opened = await openLake(lake);
    const table = await opened.table();
    const part = file("parquet");
    await Deno.rename(part, `${folder}/away`);
    await assertRejects(() => table.frame(), RegistryError, part);
    await Deno.rename(`${folder}/away`, part);
    const frame = await table.frame();
    assertEquals([frame.height, await table.frame() === frame], [ROWS, true]);
  });
});

Deno.test("no file of a lake is hashed for a wrong statement, or for a query that a signal has ended", async () => {
  await inFolder(async (folder) => {
    const { lake, file } = await makeLake(folder);
    await using opened = await openLake(lake);
    assertEquals((await opened.sql("SELECT count(*) AS n FROM lake")).toRecords(), [{ n: ROWS }]);
    const table = await opened.table();
    // Within a page, so that only hashing finds it.
    const bytes = await Deno.readFile(file("parquet"));
    await flip(file("parquet"), 8 * (bytes.findIndex((byte, at) => byte === 0x28 && bytes[at + 1] === 0xb5) + 30));
    for (const sql of ["SELEC 1", "SELECT none FROM lake", "FROM none", "DROP TABLE a"]) {
      await assertRejects(() => opened.sql(sql), TypeError, "Cannot run the SQL");
    }
    await assertRejects(() => opened.sql("SELECT ?", [undefined as never]), TypeError, "Cannot bind parameter 1");
    const signal = AbortSignal.abort(new Error("stopped"));
    await assertRejects(() => opened.sql("SELECT 1", [], { signal }), Error, "stopped");
    await assertRejects(() => table.toCSV(`${folder}/a.parquet`), TypeError, "Cannot write CSV");
    await assertRejects(() => table.frame(), RegistryError, "it is damaged");
  });
});
