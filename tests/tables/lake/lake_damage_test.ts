/** Lakes that were damaged after they were built: the error names the file and the remedy, and the process lives. */
import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { ParseError, RegistryError } from "../../../src/errors.ts";
import { readManifest } from "../../../src/tables/lake/build/lake_manifest.ts";
import { buildLake, openLake, verifyLake } from "../../../src/tables/mod.ts";
import { accession, DEFINITIONS, inFolder, writeGzip } from "../_lake_files.ts";

const ROWS = 3000;

async function makeLake(folder: string): Promise<{ archive: string; lake: string; table: string }> {
  const archive = `${folder}/a.csv.gz`;
  const rows = Array.from({ length: ROWS }, (_, row) => `${accession(row)},${row % 7 === 0 ? `0${row}` : row}\n`);
  await writeGzip(archive, `Registry Accession,Whole\n${rows.join("")}`);
  await buildLake(archive, `${folder}/lake`, { definitions: DEFINITIONS });
  return { archive, lake: `${folder}/lake`, table: `${folder}/lake/a` };
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
    const { lake, table } = await makeLake(folder);
    const expected = await readAll(lake);
    let [noticed, harmless] = [0, 0];
    for (const name of ["part-00000.parquet", "part-00000.raw", "manifest.json"]) {
      const path = `${table}/${name}`;
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
        assertEquals(failed, [`a/${name}`]);
        await Deno.writeFile(path, whole);
      }
    }
    assert(noticed >= 25, `${noticed} noticed, ${harmless} harmless`);
    assertEquals(await readAll(lake), expected);
  });
});

Deno.test("buildLake() builds a damaged table again, and keeps a whole one", async () => {
  await inFolder(async (folder) => {
    const { archive, lake, table } = await makeLake(folder);
    const [kept] = await buildLake(archive, lake, { definitions: DEFINITIONS });
    await flip(`${table}/part-00000.parquet`, 5000);
    const [again] = await buildLake(archive, lake, { definitions: DEFINITIONS });

    assertEquals([kept.reused, again.reused], [true, false]);
    assert((await verifyLake(lake)).every(({ ok }) => ok));
  });
});

Deno.test("a lake without checksums opens, says that it carries none, and is not verified", async () => {
  await inFolder(async (folder) => {
    const { lake, table } = await makeLake(folder);
    const { checksum: _, ...manifest } = (await readManifest(table))!;
    const bare = (files: typeof manifest.files) => files.map(({ checks: _, ...file }) => file);
    const old = { ...manifest, files: bare(manifest.files), raw: bare(manifest.raw) };
    await Deno.writeTextFile(`${table}/manifest.json`, JSON.stringify(old));
    await using opened = await openLake(lake);

    assertStringIncludes(opened.warnings[0], "a carries no checksums");
    const { ledger } = await opened.table();
    assert(ledger.warnings.some((warning) => warning.includes("carries no checksums")));
    assert((await verifyLake(lake)).every(({ ok, reason }) => !ok && reason.includes("has no checksum")));
  });
});

Deno.test("a manifest whose checksum is gone is damaged, not old", async () => {
  await inFolder(async (folder) => {
    const { lake, table } = await makeLake(folder);
    const text = await Deno.readTextFile(`${table}/manifest.json`);
    await Deno.writeTextFile(`${table}/manifest.json`, text.replace('"checksum"', '"chesksum"'));

    await assertRejects(() => openLake(lake), ParseError, "its checksum is missing");
  });
});

Deno.test("verifyLake() names what cannot be read, and refuses a folder without tables", async () => {
  await inFolder(async (folder) => {
    const { lake, table } = await makeLake(folder);
    await Deno.remove(`${table}/part-00000.raw`);
    const failed = (await verifyLake(lake)).filter(({ ok }) => !ok);

    assertEquals(failed.map(({ name, unread }) => [name, unread]), [["a/part-00000.raw", true]]);
    await assertRejects(() => openLake(lake), RegistryError, "build the lake again");
    await assertRejects(() => verifyLake(`${folder}/none`), RegistryError, "does not exist");
    await assertRejects(() => verifyLake(folder), RegistryError, "no table is in it");
  });
});
