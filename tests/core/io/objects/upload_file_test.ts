/** Files become objects whole, or not at all. */
import { assertEquals, assertRejects } from "@std/assert";
import { sha256 } from "../../../../src/core/io/digest/sha256.ts";
import { ObjectStore } from "../../../../src/core/io/objects/object_store.ts";
import { findStoreAccess } from "../../../../src/core/io/objects/store_access.ts";
import { uploadFile } from "../../../../src/core/io/objects/upload_file.ts";
import { refusal, type S3Stub, startS3Stub } from "./_s3_stub.ts";
import { inFolder } from "../../../_files.ts";

const address = { bucket: "lakes", key: "table/part" };
const PART = 64 * 1024;
const content = Uint8Array.from({ length: 3 * PART + 5 }, (_, index) => index * 31 % 253);

async function withFile(
  run: (
    stub: S3Stub,
    upload: (options?: { partBytes?: number; sha256?: string; signal?: AbortSignal }) => Promise<string>,
  ) => Promise<void>,
) {
  await using stub = startS3Stub();
  const { endpoint, region, key } = stub;
  const access = await findStoreAccess("s3://lakes", { endpoint, region, key }, () => undefined);
  const store = new ObjectStore(access, { wait: () => Promise.resolve() });
  await inFolder(async (folder) => {
    await Deno.writeFile(`${folder}/part`, content);
    const digest = await sha256(content);
    await run(
      stub,
      async (options) => {
        const sent = await uploadFile(store, `${folder}/part`, address, {
          sha256: digest,
          partBytes: PART,
          ...options,
        });
        assertEquals(stub.objects.has(address.key), false, "an object before the upload is completed");
        return await sent.complete(options?.signal).finally(() => sent.abort());
      },
    );
  });
}

Deno.test("a file goes in parts, and becomes an object when the upload is completed", async () => {
  await withFile(async (stub, upload) => {
    let etag = await upload();
    assertEquals(stub.objects.get(address.key)?.bytes, content);
    assertEquals([etag, stub.uploads.size], [stub.objects.get(address.key)!.etag, 0]);
    assertEquals(stub.seen.filter(({ path }) => path.includes("partNumber")).map(({ bytes }) => bytes), [
      PART,
      PART,
      PART,
      5,
    ]);
    stub.seen.length = 0;
    stub.objects.clear();
    etag = await upload({ partBytes: 1 << 20 });
    assertEquals(etag, stub.objects.get(address.key)!.etag);
    assertEquals(stub.seen.filter(({ method }) => method === "PUT").map(({ bytes }) => bytes), [content.length]);
  });
});

Deno.test("an upload that fails or is stopped leaves no object and no part", async (t) => {
  const [stop, early] = [new AbortController(), new AbortController()];
  const isPart = (path: string, number: number) => path.includes(`partNumber=${number}&`);
  const cases: [
    name: string,
    says: string,
    fault: S3Stub["fault"],
    options?: Parameters<Parameters<Parameters<typeof withFile>[0]>[1]>[0],
  ][] = [
    ["a part is refused", "may not write", ({ path }) => isPart(path, 3) ? refusal("PUT", "AccessDenied") : undefined],
    ["the store stays busy", "try again later", ({ path }) => isPart(path, 2) ? refusal("PUT", "SlowDown") : undefined],
    ["the file is another", "not as it was written", () => undefined, { sha256: "0".repeat(64) }],
    ["a small file is another", "not as it was written", () => undefined, {
      sha256: "0".repeat(64),
      partBytes: 1 << 20,
    }],
    ["stopped", "stopped", ({ path }) => {
      if (isPart(path, 2)) stop.abort(new Error("stopped"));
      return undefined;
    }, { signal: stop.signal }],
    ["stopped while it begins", "too early", ({ path }) => {
      if (path.endsWith("?uploads=")) early.abort(new Error("too early"));
      return undefined;
    }, { signal: early.signal }],
    [
      "joining fails",
      "try again later",
      ({ method, path }) =>
        method === "POST" && path.includes("uploadId")
          ? new Response("<Error><Code>InternalError</Code></Error>", { status: 200 })
          : undefined,
    ],
  ];
  for (const [name, says, fault, options] of cases) {
    await t.step(name, async () => {
      await withFile(async (stub, upload) => {
        stub.fault = fault;
        await assertRejects(() => upload(options), Error, says);
        assertEquals([stub.objects.size, stub.uploads.size], [0, 0]);
      });
    });
  }
});

Deno.test("a join whose answer is lost is found to be done", async () => {
  await withFile(async (stub, upload) => {
    let isLost = false;
    stub.fault = ({ method, path }) => {
      if (method !== "POST" || !path.includes("uploadId") || isLost) return undefined;
      isLost = true;
      stub.store(address.key, content);
      stub.uploads.clear();
      return refusal("POST", "InternalError");
    };
    await upload();
    assertEquals(stub.objects.get(address.key)?.bytes, content);
  });
});
