/** Results beyond the limits in an object store, at stubs of Spark and of a store that verifies signatures. */
import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import pl from "nodejs-polars";
import { spark } from "../../../src/spark/engine/spark.ts";
import type { FetchOptions } from "../../../src/spark/engine/spilled_result.ts";
import { findStoreAccess } from "../../../src/core/io/objects/store_access.ts";
import { refusal, type S3Stub, startS3Stub } from "../../core/io/objects/_s3_stub.ts";
import type { Fields } from "../connect/_stub_server.ts";
import { fetchSpilled, PARTS, ROWS, sparkError } from "./_spilled.ts";

/** A result of another program. */
const OTHER = "results/result-0/attempt-1/part-00000-x.parquet";

/** Prefix of a result, from where a write goes. */
function prefixOf(write: Fields): string {
  const location: string = write.saveType.value;
  assert(location.startsWith("s3a://lakes/"), location);
  return location.slice("s3a://lakes/".length);
}

/** Writes a result as s3a does: parts, a mark that all are there, what a task left, and an upload that is not ended. */
function storeParts(store: S3Stub, prefix: string): void {
  for (const [name, n] of Object.entries(PARTS)) {
    const bytes = pl.DataFrame({ n }, { schema: { n: pl.String } }).writeParquet();
    store.store(`${prefix}/${name}`, Uint8Array.from(bytes));
    store.store(`${prefix}/_temporary/0/${name}`, Uint8Array.from(bytes));
  }
  store.store(`${prefix}/_SUCCESS`, new Uint8Array());
  store.uploads.set(crypto.randomUUID(), {
    key: `${prefix}/part-00003-x.parquet`,
    started: new Date(),
    parts: new Map(),
  });
}

/** Fetches a result beyond the limits; `write` is what Spark does besides storing it. */
async function fetchBeyond(
  { options, prepare, write }: {
    readonly options?: Partial<FetchOptions>;
    readonly prepare?: (store: S3Stub) => void;
    readonly write?: (store: S3Stub, prefix: string) => Promise<number>;
  } = {},
) {
  await using store = startS3Stub();
  store.pageSize = 2;
  store.store(OTHER, new Uint8Array(3));
  prepare?.(store);
  const { endpoint, region, key } = store;
  const access = await findStoreAccess("s3://lakes", { endpoint, region, key }, () => undefined);
  const fetched = await fetchSpilled({
    write: async (request) => {
      storeParts(store, prefixOf(request));
      return await (write?.(store, prefixOf(request)) ?? Promise.resolve(ROWS));
    },
  }, { spill: "s3://lakes/results/", access, ...options });
  return { ...fetched, keys: [...store.objects.keys()], uploads: store.uploads.size };
}

Deno.test("a result is read from the store where Spark wrote it, in order, and removed there", async () => {
  const { frame, thrown, warnings, keys, uploads } = await fetchBeyond();
  assertEquals(frame?.getColumn("n").toArray(), ["a", "b", "c", "e"], String(thrown));
  assertEquals([keys, uploads, warnings], [[OTHER], 0, []]);
});

Deno.test("a body that breaks off is read on", async () => {
  let broken = 0;
  const { frame, thrown } = await fetchBeyond({
    prepare(store) {
      store.fault = ({ method, key }) =>
        method === "GET" && key.endsWith("part-2-x.parquet") && broken++ === 0 ? { cutAfter: 20 } : undefined;
    },
  });
  assertEquals([frame?.height, broken > 1], [ROWS, true], String(thrown));
});

Deno.test("missing rows, damaged and lost objects are errors, and nothing is left", async (t) => {
  const cases: Record<string, [write: (store: S3Stub, prefix: string) => number, message: string]> = {
    "rows": [() => 5, "of 5 rows that Spark wrote 4 are in it"],
    "a damaged object": [
      (store, prefix) => {
        const name = `${prefix}/part-2-x.parquet`;
        store.store(name, store.objects.get(name)!.bytes.slice(0, 40));
        return ROWS;
      },
      "part-2-x.parquet cannot be read: ",
    ],
    "an object that is lost after it was listed": [
      (store) => {
        store.fault = ({ method, key }) =>
          method === "GET" && key.endsWith("part-2-x.parquet") ? refusal(method, "NoSuchKey") : undefined;
        return ROWS;
      },
      "part-2-x.parquet cannot be read: it is no longer there",
    ],
  };
  for (const [name, [write, message]] of Object.entries(cases)) {
    await t.step(name, async () => {
      const outcome = await fetchBeyond({ write: (store, prefix) => Promise.resolve(write(store, prefix)) });
      const error = sparkError(outcome.thrown);
      assertEquals([error.reason, error.location], ["unreadable", undefined], error.message);
      assertStringIncludes(error.message, message);
      assertEquals([outcome.keys, outcome.uploads, outcome.warnings], [[OTHER], 0, []]);
    });
  }
});

Deno.test("a result that is too large, or may not be listed, stays, and the error names it", async (t) => {
  const refuse = (store: S3Stub) => {
    store.fault = ({ method, key }) => key === "" ? refusal(method, "AccessDenied") : undefined;
  };
  const sizeless = (store: S3Stub) => {
    store.fault = ({ method, path }) => {
      const prefix = new URLSearchParams(path.split("?")[1]).get("prefix");
      const key = `${prefix}part-00000-x.parquet`;
      if (method !== "GET" || !path.includes("list-type")) return undefined;
      return new Response(`<ListBucketResult><Contents><Key>${key}</Key></Contents></ListBucketResult>`);
    };
  };
  const cases: Record<string, [Parameters<typeof fetchBeyond>[0], message: string]> = {
    "no sizes": [
      { prepare: sizeless },
      "which cannot be read from here: the store does not state the size of results/",
    ],
    "too large": [{ options: { maxSpillBytes: 50 } }, "more than maxSpillBytes: 50; read it there"],
    "no right": [{ prepare: refuse }, "which cannot be read from here: Cannot list s3://lakes"],
  };
  for (const [name, [given, message]] of Object.entries(cases)) {
    await t.step(name, async () => {
      const { thrown, keys, warnings } = await fetchBeyond(given);
      const error = sparkError(thrown);
      assertEquals([error.reason, error.rows, warnings], ["too-large", ROWS, []], error.message);
      assertStringIncludes(error.message, message);
      assertStringIncludes(error.message, `read it there with pl.scanParquet("s3://lakes/results/result-`);
      assert(!error.message.includes("AKIDSTUB"), error.message);
      const prefix = error.location!.slice("s3a://lakes/".length);
      assertEquals(keys.filter((key) => key.startsWith(`${prefix}/part-`)).length, Object.keys(PARTS).length);
    });
  }
});

Deno.test({
  name: "without a key the result stays, and the error explains how to name one",
  // Variables that this process may not read are absent.
  permissions: { net: ["127.0.0.1", "localhost"], read: true, write: true, ffi: true, sys: true, env: ["TMPDIR"] },
  async fn() {
    const { thrown } = await fetchBeyond({ options: { access: undefined } });
    assertStringIncludes(sparkError(thrown).message, "which cannot be read from here: Cannot use s3://lakes/results/");
    assertStringIncludes(sparkError(thrown).message, "run with --allow-env='AWS_*'");
  },
});

Deno.test("what may not be removed is named by a warning", async () => {
  const { frame, warnings } = await fetchBeyond({
    prepare(store) {
      store.fault = ({ method }) => method === "DELETE" ? refusal(method, "AccessDenied") : undefined;
    },
  });
  assertEquals([frame?.height, warnings.length], [ROWS, 1]);
  assertStringIncludes(warnings[0], "A part of a result may be left in s3a://lakes/results/result-");
  assertStringIncludes(warnings[0], "; remove it.");
});

Deno.test("Stop rejects with its reason and leaves nothing, also of what the last tasks write after it", async () => {
  const controller = new AbortController();
  const reason = new DOMException("Stop was pressed", "AbortError");
  const { thrown, keys, uploads } = await fetchBeyond({
    options: { signal: controller.signal },
    async write(store, prefix) {
      queueMicrotask(() => controller.abort(reason));
      setTimeout(() => storeParts(store, prefix), 150);
      return await new Promise(() => {});
    },
  });
  assertEquals([thrown, keys, uploads], [reason, [OTHER], 0]);
});

Deno.test("a wrong address is refused before anything is asked", () => {
  for (const spill of ["s3://b", "s3a://bucket/my results", "s3://bucket/a//b"]) {
    assertThrows(() => spark("sc://127.0.0.1:1", { spill }), TypeError, "Cannot use the address");
  }
});
