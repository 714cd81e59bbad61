/** A lake in a store reads as the same lake in a folder; what is lost or changed is an error. */
import { basename } from "node:path";
import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import pl from "nodejs-polars";
import { worldMap } from "../../../../../src/analysis/mod.ts";
import { readManifest } from "../../../../../src/core/tables/lake/build/lake_manifest.ts";
import { buildAnyLakeBy } from "../../../../../src/core/tables/lake/objects/build_any_lake.ts";
import { formatLakeObject, partKey } from "../../../../../src/core/tables/lake/build/object_manifest.ts";
import { ObjectStoreError, openLake, verifyLake } from "../../../../../src/core/tables/mod.ts";
import { refusal } from "../../../io/objects/_s3_stub.ts";
import { startStubThread, type StubThread } from "../../../io/objects/_stub_thread.ts";
import { exactRows } from "../../_frames.ts";
import { accession, DEFINITIONS, inFolder, writeGzip } from "../../_lake_files.ts";
import { LAKE as ADDRESS, metadataText, withObjectLake } from "./_object_lakes.ts";

const LAKE = "s3://lakes/registry";

/** Builds the same lake in a folder and in a store: metadata with values that do not fit, and sequences. */
async function withBoth(
  records: number,
  run: (both: { stub: StubThread; folder: string }) => Promise<void>,
): Promise<void> {
  await using stub = await startStubThread();
  await inFolder(async (folder) => {
    await writeGzip(`${folder}/full_dataset_metadata.csv.gz`, metadataText(records).replaceAll("Note", "Country"));
    const sequences = [1, 2, 99_999].map((number) => `${accession(number)},ACGTN${"A".repeat(number % 50)}\n`);
    await writeGzip(`${folder}/full_dataset_sequence.csv.gz`, `Registry Accession,Sequence\n${sequences.join("")}`);
    const archives = ["metadata", "sequence"].map((kind) => `${folder}/full_dataset_${kind}.csv.gz`);
    for (const target of [`${folder}/lake`, LAKE]) {
      await buildAnyLakeBy({ partBytes: 4096 }, archives, target, { definitions: DEFINITIONS, store: stub.options });
    }
    await run({ stub, folder: `${folder}/lake` });
  });
}

Deno.test("frames, tables, ledgers, joins and analyses are those of the lake in a folder", async (t) => {
  await withBoth(24_000, async ({ stub, folder }) => {
    const { key, ...options } = stub.options;
    await using here = await openLake(folder);
    await using there = await openLake(`${LAKE}/`, { store: { ...options, key } });
    assertEquals([there.folder, there.main, [...there.tables.keys()]], [LAKE, here.main, [...here.tables.keys()]]);
    assert(here.tables.get(here.main)!.files.length > 1, "the test wants several parts");
    for (const name of here.tables.keys()) {
      await t.step(name, async () => {
        const whole = [here, there].map(async (lake) => exactRows(await lake.scan(name).collect()));
        assertEquals(await whole[1], await whole[0]);
        const [one, other] = await Promise.all(
          [here, there].map((lake) => lake.table({ table: name, maxProblems: 50 })),
        );
        assertEquals([other.ledger, other.problems, other.rows], [one.ledger, one.problems, one.rows]);
        assertEquals(exactRows(await other.rawFrame()), exactRows(await one.rawFrame()));
      });
    }
    await t.step("a filter, on the lake's engine", async () => {
      const count = (lake: typeof here) =>
        lake.collect(lake.scan().filter(pl.col("Whole").gt(pl.lit(100).cast(pl.Int64))).select(pl.len().alias("n")));
      assertEquals((await count(there)).toRecords(), (await count(here)).toRecords());
    });
    await t.step("a join", async () => {
      const [one, other] = await Promise.all([here.join(), there.join()]);
      assertEquals([other.ledger, other.withoutMetadata], [one.ledger, one.withoutMetadata]);
      assertEquals(exactRows(await other.scan().collect()), exactRows(await one.scan().collect()));
    });
    await t.step("an analysis", async () => {
      const [one, other] = [await worldMap(here), await worldMap(there)];
      assertEquals(exactRows(other.frame), exactRows(one.frame));
    });
    await t.step("what is printed shows no key", () => {
      const shown = Deno.inspect([there, there.scan()], { depth: 9, showHidden: true });
      assert(!shown.includes(key.secretAccessKey) && !shown.includes(key.accessKeyId));
    });
    await t.step("every object is verified", async () => {
      const verdicts = await verifyLake(LAKE, { store: stub.options });
      assertEquals([verdicts.every(({ ok }) => ok), verdicts.length], [true, (await stub.keys()).length]);
    });
  });
});

Deno.test("an object that is lost or is another is an error: at opening, midway, and in verify", async (t) => {
  await withBoth(400, async ({ stub }) => {
    const open = () => openLake(LAKE, { store: stub.options });
    const parts = (await stub.keys()).filter((key) => key.includes("metadata") && key.endsWith(".parquet"));
    const others = (await stub.keys()).filter((key) => key.includes("sequence") && key.endsWith(".parquet"));
    const whole = await stub.get(parts[0]);
    const flipped = whole.slice();
    flipped[whole.length >> 1] ^= 1;
    const faults: [name: string, fault: string, make: () => Promise<unknown>, verdict: "damaged" | "cannot be read"][] =
      [
        ["a lost object", "no-object", () => stub.remove(parts[0]), "cannot be read"],
        ["a flipped bit", "changed", () => stub.put(parts[0], flipped), "damaged"],
        ["a shorter object", "changed", () => stub.put(parts[0], whole.slice(1)), "damaged"],
        ["another object's bytes", "changed", async () => stub.put(parts[0], await stub.get(others[0])), "damaged"],
      ];
    for (const [name, fault, make, verdict] of faults) {
      await t.step(name, async () => {
        {
          await using lake = await open();
          await make();
          const readings = [
            () => lake.collect(lake.scan().select(pl.len())),
            () => lake.table().then((table) => table.frame()),
          ];
          for (const read of readings) assertEquals((await assertRejects(read, ObjectStoreError)).fault, fault);
        }
        const error = await assertRejects(
          open,
          ObjectStoreError,
          "seqreg lake full_dataset_metadata.csv.gz -o s3://lakes/registry",
        );
        assertEquals([error.fault, error.address], [fault, `s3://lakes/${parts[0]}`]);
        const bad = (await verifyLake(LAKE, { store: stub.options })).filter(({ ok }) => !ok);
        assertEquals(bad.map(({ name }) => name), [`full_dataset_metadata/${basename(parts[0])}`]);
        assert(bad[0].reason.includes(verdict), bad[0].reason);
        await stub.put(parts[0], whole);
      });
    }
    await t.step("no lake", async () => {
      const none = () => openLake("s3://lakes/other", { store: stub.options });
      assertEquals((await assertRejects(none, ObjectStoreError, "no lake.json")).fault, "no-object");
    });
    await t.step("a lake.json that was changed", async () => {
      const list = await stub.get("registry/lake.json");
      await stub.put("registry/lake.json", list.slice(0, -100));
      await assertRejects(open, SyntaxError, "lake.json");
      const [verdict] = await verifyLake(LAKE, { store: stub.options });
      assertEquals([verdict.name, verdict.ok], ["lake.json", false]);
    });
  });
});

Deno.test("a lake of form 2 in a store, whose texts are next to its parts, opens as before", async () => {
  await using stub = await startStubThread();
  const old = new URL("../lake_2", import.meta.url).pathname;
  const build = "20260101T000000Z-0a1b2c3d";
  const listed = await Promise.all(["a", "full_dataset_sequence"].map(async (table) => {
    const manifest = (await readManifest(`${old}/${table}`))!;
    const etags: Record<string, string> = {};
    for (const file of [...manifest.files, ...manifest.raw]) {
      const key = `registry/${partKey({ manifest, build }, file)}`;
      assert(key.startsWith(`registry/${table}/${build}/part-00000-${file.checks!.sha256.slice(0, 16)}.`), key);
      await stub.put(key, await Deno.readFile(`${old}/${table}/${file.name}`));
      // The tag is another one than that of the upload, as of a copy: every byte is compared.
      etags[file.name] = '"copied"';
    }
    return { manifest, build, etags };
  }));
  await stub.put("registry/lake.json", formatLakeObject(listed));
  await using here = await openLake(old);
  await using there = await openLake(LAKE, { store: stub.options });
  const [one, other] = await Promise.all([here.table(), there.table()]);
  assertEquals([other.rows, other.problems, other.ledger], [one.rows, one.problems, one.ledger]);
  assertEquals(exactRows(await other.rawFrame()), exactRows(await one.rawFrame()));
  assert((await verifyLake(LAKE, { store: stub.options })).every(({ ok }) => ok));
});

Deno.test("verifyLake() names Parquet objects below a table's prefix that are no part of it", async () => {
  await withObjectLake(async ({ stub, build, keys, store }) => {
    const failed = async () => (await verifyLake(ADDRESS, { store })).filter(({ ok }) => !ok);
    await build(["a", "b"]);
    const part = stub.objects.get(keys().find((key) => key.includes("/a/") && key.endsWith(".parquet"))!)!;
    const prefix = "registry/2026/a";
    for (const key of [`${prefix}/notes.txt`, `${prefix}_2/x.parquet`, "registry/other.parquet"]) {
      stub.store(key, part.bytes);
    }
    // Objects of a build that runs, or has just ended, and those that a kill left long ago.
    const young = `${prefix}/20260101T000000Z-0a1b2c3d/part-00000-0123456789abcdef.parquet`;
    stub.store(young, part.bytes);
    assertEquals(await failed(), []);
    stub.objects.set(young, { ...part, modified: new Date(Date.now() - 3_700_000) });
    for (const name of ["mine.parquet", "old/2025/PART.PARQUET"]) stub.store(`${prefix}/${name}`, part.bytes);
    const found = await failed();
    assertEquals(found.map(({ name, unread }) => [name, unread]), [
      ["a/20260101T000000Z-0a1b2c3d/part-00000-0123456789abcdef.parquet", false],
      ["a/mine.parquet", false],
      ["a/old/2025/PART.PARQUET", false],
    ]);
    assertStringIncludes(found[1].reason, "programs that read its prefix count these rows too; move it elsewhere");
    // Who must not list verifies what is listed in lake.json.
    stub.fault = ({ path }) => path.includes("list-type=2") ? refusal("GET", "AccessDenied") : undefined;
    assertEquals(await failed(), []);
  });
});
