/** The client against a store that verifies signatures and fails as stores do. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { joinBytes } from "../../../../src/core/io/bytes/join_bytes.ts";
import { ObjectStore } from "../../../../src/core/io/objects/object_store.ts";
import { type ObjectFault, ObjectStoreError } from "../../../../src/core/io/objects/object_store_error.ts";
import { findStoreAccess } from "../../../../src/core/io/objects/store_access.ts";
import type { ObjectStoreOptions } from "../../../../src/core/io/objects/store_options.ts";
import { refusal, type S3Stub, startS3Stub } from "./_s3_stub.ts";

const waits: number[] = [];

/** Opens the stub's store; attempts do not wait. */
async function open(stub: S3Stub, options: ObjectStoreOptions = {}): Promise<ObjectStore> {
  const { endpoint, region, key } = stub;
  const access = await findStoreAccess("s3://lakes", { endpoint, region, key, ...options }, () => undefined);
  return new ObjectStore(access, { wait: (ms) => Promise.resolve(void waits.push(ms)) });
}

const at = (key: string) => ({ bucket: "lakes", key });
const bytesOf = (length: number) => Uint8Array.from({ length }, (_, index) => index * 7 % 251);
const readAll = async (store: ObjectStore, key: string, etag?: string) => {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  for await (const chunk of store.read(at(key), { ...etag !== undefined && { etag } })) chunks.push(chunk.slice());
  return joinBytes(chunks);
};

Deno.test("objects are written, read from any offset, listed page by page, removed", async () => {
  await using stub = startS3Stub({ accessKeyId: "AKIDTEMP", secretAccessKey: "a/b+c=", sessionToken: "to/ken+==" });
  const store = await open(stub);
  const content = bytesOf(300_000);
  const etag = await store.put(at("a/b.~-_1"), content);
  assertEquals(await store.head(at("a/b.~-_1")), { bytes: 300_000, etag });
  assertEquals(await readAll(store, "a/b.~-_1", etag), content);
  let rest = 0;
  for await (const chunk of store.read(at("a/b.~-_1"), { from: 299_990 })) rest += chunk.length;
  assertEquals(rest, 10);
  assertEquals((await store.readWhole(at("a/b.~-_1"), { maxBytes: 300_000 }))?.bytes, content);
  await assertRejects(() => store.readWhole(at("a/b.~-_1"), { maxBytes: 299_999 }), ObjectStoreError, "at most 299999");
  assertEquals([await store.head(at("none")), await store.readWhole(at("none"), { maxBytes: 1 })], [
    undefined,
    undefined,
  ]);
  stub.pageSize = 2;
  for (const name of ["1", "2", "3", "4"]) stub.store(`p/${name}`, bytesOf(Number(name)));
  const listed = await Array.fromAsync(store.list(at("p/")));
  assertEquals(listed.map(({ key, bytes }) => [key, bytes]), [["p/1", 1], ["p/2", 2], ["p/3", 3], ["p/4", 4]]);
  await store.remove(at("p/1"));
  await store.remove(at("p/1"));
  assertEquals(stub.objects.has("p/1"), false);
});

Deno.test("each refusal has its kind, says what to do, and shows no key", async (t) => {
  await using stub = startS3Stub();
  const { accessKeyId, secretAccessKey } = stub.key;
  const wrong = { key: { accessKeyId, secretAccessKey: "not-the-secret" } };
  const cases: [name: string, fault: ObjectFault, says: string, options: ObjectStoreOptions, before?: () => void][] = [
    ["a wrong secret", "wrong-key", "is not that of its access key", wrong],
    ["an unknown key", "wrong-key", "renew it", { key: { accessKeyId: "AKIDOTHER", secretAccessKey } }],
    ["another region", "other-region", "set AWS_REGION=eu-test-1", { region: "us-east-1" }],
    ["no signature", "denied", "unset AWS_NO_SIGN_REQUEST", { anonymous: true }],
    ["a clock behind", "wrong-clock", "20 minutes behind", {}, () => void (stub.skewMs = 20 * 60_000)],
    ["a redirect", "other-region", "AWS_REGION=ap-1", {}, () => {
      stub.fault = () => new Response(null, { status: 301, headers: { "x-amz-bucket-region": "ap-1" } });
    }],
    [
      "rights",
      "denied",
      "may not read it (AccessDenied)",
      {},
      () => void (stub.fault = () => refusal("GET", "AccessDenied")),
    ],
    ["a web page", "refused", "the store answered 418", {}, () => {
      stub.fault = () => new Response("<html>I am a teapot", { status: 418 });
    }],
    ["no such object", "no-object", "it does not exist", {}],
  ];
  for (const [name, fault, says, options, before] of cases) {
    await t.step(name, async () => {
      [stub.skewMs, stub.fault] = [0, () => undefined];
      before?.();
      const store = await open(stub, options);
      const error = await assertRejects(() => readAll(store, "none"), ObjectStoreError, says);
      assertEquals([error.fault, error.address], [fault, "s3://lakes/none"]);
      const shown = Deno.inspect(error, { depth: 9 });
      for (const part of [accessKeyId, secretAccessKey, "not-the-secret", "AKIDOTHER"]) {
        assert(!shown.includes(part), shown);
      }
    });
  }
  await t.step("no such bucket", async () => {
    [stub.skewMs, stub.fault] = [0, () => undefined];
    const store = await open(stub);
    const error = await assertRejects(() => Array.fromAsync(store.list({ bucket: "lake", key: "" })), ObjectStoreError);
    assertEquals([error.fault, error.storeCode], ["no-bucket", "NoSuchBucket"]);
  });
});

Deno.test("what may pass is tried four times, and then an error", async () => {
  await using stub = startS3Stub();
  const store = await open(stub);
  for (const code of ["SlowDown", "InternalError"]) {
    stub.seen.length = waits.length = 0;
    stub.fault = () => stub.seen.length < 4 ? refusal("PUT", code) : undefined;
    await store.put(at("a"), bytesOf(10));
    assertEquals([stub.seen.length, waits.length], [4, 3]);
    assert(waits.every((ms, index) => ms >= 125 * 4 ** index && ms <= 250 * 4 ** index), String(waits));
    stub.fault = () => refusal("PUT", code);
    const error = await assertRejects(() => store.put(at("a"), bytesOf(10)), ObjectStoreError, "try again later");
    assertEquals([error.code, error.fault], ["busy", "busy"]);
  }
  stub.seen.length = 0;
  stub.fault = () => refusal("GET", "AccessDenied");
  await assertRejects(() => store.head(at("a")), ObjectStoreError);
  assertEquals(stub.seen.length, 1, "what will not pass is asked for once");
});

Deno.test("a body that breaks off is resumed where it broke off, of the same object", async () => {
  await using stub = startS3Stub();
  const store = await open(stub);
  const content = bytesOf(2_000_000);
  stub.store("a", content);
  let cuts = 2;
  stub.fault = ({ method }) => method === "GET" && cuts-- > 0 ? { cutAfter: 600_000 } : undefined;
  assertEquals(await readAll(store, "a"), content);
  const gets = stub.seen.filter(({ method }) => method === "GET");
  assertEquals(gets.length, 3);
  assert(
    gets.slice(1).every(({ headers }) =>
      headers.has("range") && headers.get("if-match") === stub.objects.get("a")!.etag
    ),
  );
  stub.fault = ({ method }) => method === "GET" ? { cutAfter: 10 } : undefined;
  await assertRejects(() => readAll(store, "a"), ObjectStoreError, "broke 4 times");
  let isFirst = true;
  stub.fault = ({ method }) => {
    if (method !== "GET" || !isFirst) stub.store("a", bytesOf(2_000_001));
    const fault = isFirst ? { cutAfter: 600_000 } : undefined;
    isFirst = false;
    return fault;
  };
  const error = await assertRejects(() => readAll(store, "a"), ObjectStoreError, "another has been written meanwhile");
  assertEquals([error.code, error.fault], ["damaged", "changed"]);
});

Deno.test("a small object that is written anew while it is read comes as it is then", async () => {
  await using stub = startS3Stub();
  const store = await open(stub);
  stub.store("a", bytesOf(2_000_000));
  let gets = 0;
  stub.fault = () => {
    if (++gets === 2) stub.store("a", bytesOf(5));
    return gets === 1 ? { cutAfter: 600_000 } : undefined;
  };
  assertEquals((await store.readWhole(at("a"), { maxBytes: 3_000_000 }))?.bytes, bytesOf(5));
});

Deno.test("an object is written on a condition, also when the first answer is lost", async () => {
  await using stub = startS3Stub();
  const store = await open(stub);
  const first = await store.put(at("a"), bytesOf(1), { onlyIf: null });
  const error = await assertRejects(() => store.put(at("a"), bytesOf(2), { onlyIf: null }), ObjectStoreError);
  assertEquals([error.fault, stub.objects.get("a")?.bytes.length], ["conflict", 1]);
  const second = await store.put(at("a"), bytesOf(3), { onlyIf: first });
  await assertRejects(() => store.put(at("a"), bytesOf(4), { onlyIf: first }), ObjectStoreError, "another process");
  // The store has written it, and its answer is lost.
  let isLost = false;
  stub.fault = ({ method }) => {
    if (method !== "PUT" || isLost) return undefined;
    isLost = true;
    stub.store("a", bytesOf(5));
    return refusal("PUT", "InternalError");
  };
  assertEquals(await store.put(at("a"), bytesOf(5), { onlyIf: second }), stub.objects.get("a")!.etag);
  stub.conditions = "refused";
  await store.put(at("a"), bytesOf(6), { onlyIf: null });
  assertEquals(stub.objects.get("a")?.bytes.length, 6, "a store without conditions is written to all the same");
});

Deno.test("a public bucket is read without a signature", async () => {
  await using stub = startS3Stub();
  stub.isPublic = true;
  stub.store("a", bytesOf(5));
  const store = await open(stub, { anonymous: true });
  assertEquals(await readAll(store, "a"), bytesOf(5));
  assert(stub.seen.every(({ headers }) => !headers.has("authorization")));
  await assertRejects(() => store.put(at("a"), bytesOf(1)), ObjectStoreError, "does not let everyone write it");
});

Deno.test("a signal ends a request and a wait", async () => {
  await using stub = startS3Stub();
  const { endpoint, region, key } = stub;
  const store = new ObjectStore(await findStoreAccess("s3://lakes", { endpoint, region, key }, () => undefined));
  const stop = new AbortController();
  stub.fault = () => {
    stop.abort(new Error("stopped"));
    return refusal("HEAD", "SlowDown");
  };
  await assertRejects(() => store.head(at("a"), stop.signal), Error, "stopped");
  await assertRejects(() => store.head(at("a"), AbortSignal.abort(new Error("before"))), Error, "before");
});

Deno.test("a store that is not there is named, with the reason", async () => {
  const stub = startS3Stub();
  await stub[Symbol.asyncDispose]();
  const store = await open(stub);
  const error = await assertRejects(() => store.head(at("a")), ObjectStoreError, "the connection was refused");
  assertEquals([error.code, error.message.includes(stub.endpoint)], ["network", true]);
});

Deno.test("an answer without the object's bytes is not left unread", async () => {
  const options = { endpoint: "http://127.0.0.1:9", region: "eu-test-1", anonymous: true };
  const access = await findStoreAccess("s3://lakes", options, () => undefined);
  for (const status of [412, 416]) {
    let isCancelled = false;
    const body = new ReadableStream<Uint8Array>({ cancel: () => void (isCancelled = true) });
    const store = new ObjectStore(access, { fetch: () => Promise.resolve(new Response(body, { status })) });
    const reading = Array.fromAsync(store.read(at("a"), { from: 1, etag: '"x"' }));
    if (status === 412) await assertRejects(() => reading, ObjectStoreError, "is not the object that was opened");
    else assertEquals(await reading, []);
    assertEquals(isCancelled, true, String(status));
  }
});
