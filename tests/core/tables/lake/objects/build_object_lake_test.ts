/** A lake in a store is the old one or the new one, whatever happens in between. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { sha256 } from "../../../../../src/core/io/digest/sha256.ts";
import { ObjectStoreError } from "../../../../../src/core/io/objects/object_store_error.ts";
import { ObjectStore } from "../../../../../src/core/io/objects/object_store.ts";
import { findStoreAccess } from "../../../../../src/core/io/objects/store_access.ts";
import { makeBuildName } from "../../../../../src/core/tables/lake/build/lake_layout.ts";
import { formatLakeObject, parseLakeObject } from "../../../../../src/core/tables/lake/build/object_manifest.ts";
import { sweepLake } from "../../../../../src/core/tables/lake/objects/_sweep.ts";
import { ParseError } from "../../../../../src/core/errors.ts";
import { buildLake } from "../../../../../src/core/tables/mod.ts";
import { refusal, type S3Stub } from "../../../io/objects/_s3_stub.ts";
import { DEFINITIONS, writeGzip } from "../../_lake_files.ts";
import { LAKE, metadataText, withObjectLake } from "./_object_lakes.ts";

const LIST = "registry/2026/lake.json";
const tablesOf = ({ objects }: S3Stub) => parseLakeObject(objects.get(LIST)!.bytes, LIST);

Deno.test("every file is an object of the same bytes under a name of its own, and lake.json comes last", async () => {
  await withObjectLake(async ({ stub, build, keys, folder }) => {
    await writeGzip(`${folder}/a.csv.gz`, metadataText(24_000));
    const built = await build(["a", "b"]);
    const local = await buildLake([`${folder}/a.csv.gz`, `${folder}/b.csv.gz`], `${folder}/lake`, {
      definitions: DEFINITIONS,
    });
    assertEquals(built.map(({ manifest, reused }) => [manifest.table, manifest.rows, reused]), [
      ["a", 24_000, false],
      ["b", 400, false],
    ]);
    assert(built[0].files.length > 1 && local[0].files.length === 1, "the test wants several parts");
    for (const { manifest, files } of built) {
      for (const file of [...manifest.files, ...manifest.raw]) {
        const key = keys().find((key) =>
          key.includes(`/${manifest.table}/`) && key.includes(file.checks!.sha256.slice(0, 16))
        )!;
        assertEquals(await sha256(stub.objects.get(key)!.bytes), file.checks!.sha256);
      }
      assert(files.every((file) => stub.objects.has(file.replace("s3://lakes/", ""))), files.join());
    }
    // Everything is there before the first object appears, and `lake.json` comes last.
    const sent = stub.seen.filter(({ method, path }) =>
      (method === "PUT" || /\?uploadId=/.test(path)) && !path.includes("/_lake/probe-")
    );
    const first = sent.findIndex(({ method }) => method === "POST");
    assert(sent.slice(first, -1).every(({ method }) => method === "POST"), "an object appeared too early");
    assertEquals([sent.length - 1 - first, sent.at(-1)?.key], [keys().length - 1, LIST]);
    assert(!Deno.inspect(built, { depth: 9 }).includes("secret"));
  });
});

Deno.test("what is there already is not sent again; what has changed takes its place, then the old goes", async () => {
  await withObjectLake(async ({ stub, build, keys, folder }) => {
    await build(["a", "b"]);
    const before = keys();
    stub.seen.length = 0;
    assertEquals((await build(["a", "b"])).map(({ reused }) => reused), [true, true]);
    assert(stub.seen.every(({ method }) => ["GET", "HEAD"].includes(method)));
    await writeGzip(`${folder}/a.csv.gz`, metadataText(300, "Chad"));
    stub.seen.length = 0;
    assertEquals((await build(["a"])).map(({ manifest, reused }) => [manifest.rows, reused]), [[300, false]]);
    assertEquals(tablesOf(stub).map(({ manifest }) => [manifest.table, manifest.rows]), [["a", 300], ["b", 400]]);
    assertEquals(keys().filter((key) => key.includes("/b/")), before.filter((key) => key.includes("/b/")));
    assert(before.every((key) => !key.includes("/a/") || !stub.objects.has(key)), "the old table is gone");
    const order = stub.seen.map(({ method, key }) =>
      method === "DELETE" && !key.includes("probe") ? "old" : method === "PUT" && key === LIST ? "list" : ""
    );
    assert(order.indexOf("old") > order.indexOf("list"), "the old table goes after the new list is there");
    // A lost object is written again.
    stub.objects.delete(keys().find((key) => key.includes("/b/"))!);
    assertEquals((await build(["a", "b"])).map(({ reused }) => reused), [true, false]);
  });
});

Deno.test("an upload that fails or is stopped leaves the old lake and nothing else", async (t) => {
  await withObjectLake(async ({ stub, build, keys, folder }) => {
    await build(["a"]);
    const before = keys();
    const list = stub.objects.get(LIST);
    await writeGzip(`${folder}/a.csv.gz`, metadataText(500));
    const stop = new AbortController();
    let puts = 0;
    const cases: Record<string, [S3Stub["fault"], says: string]> = {
      "a part is refused": [
        ({ method }) => method === "PUT" && ++puts > 2 ? refusal("PUT", "AccessDenied") : undefined,
        "may not write",
      ],
      "the list is refused": [
        ({ method, key }) => method === "PUT" && key === LIST ? refusal("PUT", "AccessDenied") : undefined,
        "may not write",
      ],
      "stopped": [({ method }) => {
        if (method === "PUT") stop.abort(new Error("stopped"));
        return undefined;
      }, "stopped"],
    };
    for (const [name, [fault, says]] of Object.entries(cases)) {
      await t.step(name, async () => {
        stub.fault = fault;
        await assertRejects(() => build(["a"], { signal: stop.signal }), Error, says);
        assertEquals([keys(), stub.objects.get(LIST), stub.uploads.size], [before, list, 0]);
      });
    }
  });
});

Deno.test("builds of other tables at the same time all come in", async () => {
  await withObjectLake(async ({ stub, build, folder }) => {
    const names = ["a", "b", "c", "d"];
    for (const name of ["c", "d"]) await writeGzip(`${folder}/${name}.csv.gz`, metadataText(50));
    await Promise.all(names.map((name) => build([name])));
    assertEquals(tablesOf(stub).map(({ manifest }) => manifest.table), names);
  });
});

Deno.test("a store without conditions is noticed once, and a list that was written over is written again", async (t) => {
  for (const conditions of ["kept", "refused", "ignored"] as const) {
    await t.step(conditions, () =>
      withObjectLake(async ({ stub, build, keys }) => {
        stub.conditions = conditions;
        const warnings: string[] = [];
        const onWarning = (text: string) => void warnings.push(text);
        await build(["a"], { onWarning });
        assertEquals(
          warnings.map((text) => text.includes("does not keep conditions")),
          conditions === "kept" ? [] : [
            true,
          ],
        );
        assert(keys().every((key) => !key.includes("probe")), "the probe is removed");
        const [a] = tablesOf(stub);
        // A build that began before this one writes its list over that of this one.
        let isWritten = false;
        stub.fault = ({ method, key }) => {
          if (key !== LIST) return undefined;
          if (method === "PUT") isWritten = true;
          else if (isWritten && method === "GET") {
            stub.fault = () => undefined;
            stub.store(LIST, formatLakeObject([a]));
          }
          return undefined;
        };
        await build(["b"], { onWarning });
        assertEquals(tablesOf(stub).map(({ manifest }) => manifest.table), ["a", "b"]);
      }));
  }
});

Deno.test("a table that another build replaced meanwhile is not taken for the one that was found", async () => {
  await withObjectLake(async ({ stub, build, folder }) => {
    await build(["a", "b"]);
    await writeGzip(`${folder}/b.csv.gz`, metadataText(10));
    stub.fault = ({ method }) => {
      if (method !== "PUT") return undefined;
      stub.fault = () => undefined;
      const [a, b] = tablesOf(stub);
      stub.store(LIST, formatLakeObject([{ ...a, build: "20260101T000000Z-0a1b2c3d" }, b]));
      return undefined;
    };
    const error = await assertRejects(() => build(["a", "b"]), ObjectStoreError, "replaced the table a meanwhile");
    assertEquals([error.fault, tablesOf(stub)[1].manifest.rows], ["conflict", 400]);
  });
});

Deno.test("what killed builds left is removed when it is old, and nothing of others", async () => {
  await withObjectLake(async ({ stub, build, keys, store }) => {
    await build(["a"]);
    const listed = keys();
    const orphan = "registry/2026/a/20260101T000000Z-0a1b2c3d/part-00000-0123456789abcdef.parquet";
    const foreign = ["registry/2026/a/notes.txt", "registry/2026x/a", "other"];
    for (const key of [orphan, ...foreign]) stub.store(key, new Uint8Array(1));
    stub.uploads.set("left", { key: orphan, started: new Date(), parts: new Map() });
    // A store that dates every upload alike: the name of the build has its time.
    const running = `registry/2026/a/${makeBuildName()}/part-00000-0123456789abcdef.parquet`;
    stub.uploads.set("running", { key: running, started: new Date("2010-11-10"), parts: new Map() });
    stub.uploads.set("theirs", { key: "other", started: new Date(), parts: new Map() });
    const client = new ObjectStore(await findStoreAccess(LAKE, store, () => undefined));
    const sweep = (days: number) =>
      sweepLake(client, { bucket: "lakes", key: "registry/2026" }, Date.now() + days * 86_400_000);
    await sweep(0.9 / 24);
    assertEquals([stub.objects.has(orphan), stub.uploads.size], [true, 3]);
    await sweep(6.9);
    assertEquals([keys(), stub.uploads.size], [[...listed, ...foreign].sort(), 3]);
    await sweep(7.1);
    assertEquals([keys(), [...stub.uploads.keys()]], [[...listed, ...foreign].sort(), ["theirs"]]);
  });
});

Deno.test("a changed lake.json is refused, whatever the change", async () => {
  await withObjectLake(async ({ stub, build }) => {
    await build(["a"]);
    const { bytes } = stub.objects.get(LIST)!;
    for (let at = 0; at < bytes.length; at += 97) {
      const flipped = bytes.slice();
      flipped[at] ^= 1 << at % 8;
      // Blanks between values are not data.
      try {
        parseLakeObject(flipped, LIST);
        assert(/\s/.test(String.fromCharCode(bytes[at])), `byte ${at} changed unnoticed`);
      } catch (error) {
        assert(error instanceof ParseError, String(error));
      }
    }
  });
});

Deno.test("a build on a lake.json that it cannot read changes nothing, and names what to do", async (t) => {
  await withObjectLake(async ({ stub, build, keys }) => {
    await build(["a", "b"]);
    const { bytes } = stub.objects.get(LIST)!;
    const list = JSON.parse(new TextDecoder().decode(bytes));
    const encode = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));
    const cases: Record<string, [Uint8Array<ArrayBuffer>, says: string]> = {
      "cut": [bytes.slice(0, 1000), "restore it from an earlier version of the object"],
      "empty": [new Uint8Array(0), "or remove it and build every table of the lake again"],
      "of a newer form": [
        encode({ ...list, objects: 2, toolkit: "seqreg 9.0.0" }),
        "seqreg 9.0.0 wrote it in a newer form",
      ],
      "of a newer lake": [encode({ ...list, lake: 5 }), "update seqreg"],
    };
    for (const [name, [changed, says]] of Object.entries(cases)) {
      await t.step(name, async () => {
        stub.store(LIST, changed);
        const before = keys();
        // Objects of the tables that are no longer listed are old enough to be removed.
        for (const object of stub.objects.values()) Object.assign(object, { modified: new Date(0) });
        stub.seen.length = 0;
        await assertRejects(() => build(["a"]), ParseError, says);
        assertEquals([keys(), stub.objects.get(LIST)!.bytes], [before, changed]);
        assert(stub.seen.every(({ method }) => ["GET", "HEAD"].includes(method)), "nothing was written");
      });
    }
    await t.step("removed, it is built anew", async () => {
      stub.objects.delete(LIST);
      assertEquals((await build(["a"])).map(({ reused }) => reused), [false]);
    });
  });
});

Deno.test("a build whose lake.json is damaged meanwhile does not replace it", async () => {
  await withObjectLake(async ({ stub, build }) => {
    await build(["a"]);
    const cut = stub.objects.get(LIST)!.bytes.slice(0, 1000);
    stub.fault = ({ method }) => {
      if (method !== "PUT") return undefined;
      stub.fault = () => undefined;
      stub.store(LIST, cut);
      return undefined;
    };
    await assertRejects(() => build(["b"]), ParseError, "restore it");
    assertEquals(stub.objects.get(LIST)!.bytes, cut);
  });
});

Deno.test("addresses and options are checked before anything is read", async () => {
  await assertRejects(() => buildLake("nowhere", "s3a://lakes/a"), TypeError, "s3://BUCKET/PREFIX");
  await assertRejects(() => buildLake("nowhere", "s3://lakes/year=1"), TypeError, "Cannot use the address");
  const store = { endpoint: "http://user:hunter2@host" };
  const error = await assertRejects(() => buildLake("nowhere", "s3://lakes/a", { store }), Error, "endpoint");
  assert(!error.message.includes("hunter2"), error.message);
});
