import { assertEquals, assertRejects } from "@std/assert";
import { gzipSync } from "node:zlib";
import { GzipError } from "../../../../src/core/io/gzip/gunzip.ts";
import { openBytes } from "../../../../src/core/io/bytes/open_bytes.ts";
import { readBytes } from "../../../../src/core/io/bytes/byte_source.ts";
import { RegistryError } from "../../../../src/core/errors.ts";
import { concat, damagedGzip } from "../_damaged_gzip.ts";
import { inFolder } from "../../../_files.ts";

const encoder = new TextEncoder();
const gzip = (text: string) => new Uint8Array(gzipSync(text));

async function read(bytes: Uint8Array, chunkBytes?: number): Promise<string> {
  return await join(openBytes(bytes, { chunkBytes }));
}

async function join(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of chunks) text += decoder.decode(chunk, { stream: true });
  return text;
}

Deno.test("openBytes() tells gzip by its bytes and reads every legal form", async (t) => {
  const forms: Record<string, [bytes: Uint8Array, text: string]> = {
    "plain text": [encoder.encode("acgt"), "acgt"],
    "one byte": [encoder.encode("a"), "a"],
    "nothing": [new Uint8Array(0), ""],
    "one member": [gzip("acgt"), "acgt"],
    "two members": [concat(gzip("ac"), gzip("gt")), "acgt"],
    "an empty member": [concat(gzip(""), gzip("acgt"), gzip("")), "acgt"],
    "trailing zeros": [concat(gzip("acgt"), new Uint8Array(600)), "acgt"],
  };
  for (const [form, [bytes, text]] of Object.entries(forms)) {
    for (const chunkBytes of [1, 7, 1 << 20]) {
      await t.step(`${form}, ${chunkBytes} bytes at a time`, async () => {
        assertEquals(await read(bytes, chunkBytes), text);
      });
    }
  }
});

Deno.test("openBytes() refuses damaged gzip and names it", async (t) => {
  const faults = damagedGzip("acgt".repeat(100));
  assertEquals(Object.keys(faults).length >= 14, true);
  for (const [fault, [bytes, says]] of Object.entries(faults)) {
    for (const chunkBytes of [1, 1 << 20]) {
      await t.step(`${fault}, ${chunkBytes} bytes at a time`, async () => {
        await assertRejects(() => read(bytes, chunkBytes), GzipError, says);
      });
    }
  }
});

Deno.test("a consumer that stops early closes the source", async () => {
  let closed = false;
  const source = (async function* () {
    try {
      for (;;) yield gzip("acgt".repeat(1000));
    } finally {
      closed = true;
    }
  })();
  for await (const _ of openBytes(source)) break;

  assertEquals(closed, true);
});

Deno.test("a fault of the source comes as it is", async () => {
  const source = (async function* () {
    yield gzip("acgt").slice(0, 12);
    throw new RangeError("the source failed");
  })();

  await assertRejects(() => Array.fromAsync(openBytes(source)), RangeError, "the source failed");
});

Deno.test("an abort ends the reading with its reason", async () => {
  const abort = new AbortController();
  const reading = async () => {
    for await (const _ of openBytes(gzip("acgt".repeat(1 << 20)), { signal: abort.signal, chunkBytes: 16 })) {
      abort.abort(new Error("enough"));
    }
  };

  await assertRejects(reading, Error, "enough");
});

Deno.test("readBytes() says why a file cannot be read", async () => {
  await inFolder(async (folder) => {
    await assertRejects(() => Array.fromAsync(readBytes(`${folder}/none`)), RegistryError, "the file does not exist");
    await assertRejects(() => Array.fromAsync(readBytes(folder)), RegistryError, "it is a folder");
  });
});
