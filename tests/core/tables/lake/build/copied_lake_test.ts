/** A lake of an object store that was copied into a folder reads as it did there. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { dirname } from "node:path";
import { ParseError, RegistryError } from "../../../../../src/core/errors.ts";
import { buildLake, openLake, verifyLake } from "../../../../../src/core/tables/mod.ts";
import { exactRows } from "../../_frames.ts";
import { DEFINITIONS, writeGzip } from "../../_lake_files.ts";
import { copyLake, metadataText, withObjectLake } from "../objects/_object_lakes.ts";

/** Runs a test with a lake in a folder, and the copy of the same lake in a store. */
async function withCopy(run: (lakes: { local: string; copy: string; folder: string }) => Promise<void>): Promise<void> {
  await withObjectLake(async ({ stub, build, folder }) => {
    await build(["a", "b"]);
    const archives = ["a", "b"].map((name) => `${folder}/${name}.csv.gz`);
    await buildLake(archives, `${folder}/local`, { definitions: DEFINITIONS });
    await run({ local: `${folder}/local`, copy: await copyLake(stub, `${folder}/copy`), folder });
  });
}

Deno.test("a lake that was copied out of a store has the rows, problems and ledger of the same lake in a folder", async () => {
  await withCopy(async ({ local, copy, folder }) => {
    await using here = await openLake(local);
    await using there = await openLake(copy);
    assertEquals([there.main, [...there.tables.keys()]], ["a", ["a", "b"]]);
    for (const name of ["a", "b"]) {
      const [one, other] = await Promise.all([here, there].map((lake) => lake.table({ table: name })));
      assertEquals([other.rows, other.problems, other.ledger], [one.rows, one.problems, one.ledger]);
      assert(other.problems.length > 0, "the test wants values that do not fit");
      assertEquals(exactRows(await other.rawFrame()), exactRows(await one.rawFrame()));
      assertEquals(exactRows(await there.scan(name).collect()), exactRows(await here.scan(name).collect()));
    }
    assertEquals((await there.sql("SELECT count(*)::INTEGER AS n FROM a")).toRecords(), [{ n: 400 }]);
    const verdicts = await verifyLake(copy);
    assertEquals([verdicts.every(({ ok }) => ok), verdicts[0].name], [true, "lake.json"]);
    assertEquals(verdicts.length, new Set(verdicts.map(({ name }) => name)).size);

    // What is there is taken; another archive would give the table two builds.
    const again = await buildLake(`${folder}/a.csv.gz`, copy, { definitions: DEFINITIONS });
    assertEquals(again.map(({ reused }) => reused), [true]);
    await writeGzip(`${folder}/a.csv.gz`, metadataText(300, "Chad"));
    const build = () => buildLake(`${folder}/a.csv.gz`, copy, { definitions: DEFINITIONS });
    await assertRejects(build, RegistryError, "is a copy of a lake in an object store");
  });
});

Deno.test("a copy that is not whole is an error that tells to copy again; parts of older copies are named", async () => {
  await withCopy(async ({ copy }) => {
    const [part] = await (await openLake(copy)).files("b");
    const whole = await Deno.readFile(part);
    // A sync without --delete leaves the parts of the lake before.
    const old = `${copy}/b/20200101T000000Z-0a1b2c3d`;
    await Deno.mkdir(old);
    await Deno.writeFile(`${old}/part-00000-0123456789abcdef.parquet`, whole);
    const failed = async () => (await verifyLake(copy)).filter(({ ok }) => !ok).map(({ name }) => name);
    assertEquals(await failed(), ["b/20200101T000000Z-0a1b2c3d/part-00000-0123456789abcdef.parquet"]);
    await Deno.remove(old, { recursive: true });
    assertEquals(await failed(), []);

    // A table that did not come is not left out.
    await Deno.remove(dirname(part), { recursive: true });
    await assertRejects(() => openLake(copy), RegistryError, "copy the lake into");
    await Deno.mkdir(dirname(part), { recursive: true });
    await Deno.writeFile(part, whole.slice(1));
    await assertRejects(() => openLake(copy), RegistryError, "copy the lake into");
    await Deno.writeFile(part, whole);

    const list = await Deno.readTextFile(`${copy}/lake.json`);
    await Deno.writeTextFile(`${copy}/lake.json`, list.replace('"rows": 400', '"rows": 401'));
    await assertRejects(() => openLake(copy), ParseError, "copy the lake again");
    assertEquals(await failed(), ["lake.json"]);
  });
});
