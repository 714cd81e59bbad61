import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { RegistryError } from "../../../../src/core/errors.ts";
import { readFasta } from "../../../../src/core/fasta/mod.ts";
import { readBytes, releaseSource } from "../../../../src/core/io/bytes/byte_source.ts";
import { testWithPrograms } from "../../../_needs.ts";

/** A stream of two chunks that then fails, ends, or waits for ever; notes when it is cancelled. */
function makeStream(end: "fail" | "close" | "wait"): { stream: ReadableStream<Uint8Array>; cancelled(): boolean } {
  let chunks = 0;
  let cancelled = false;
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (chunks++ < 2) controller.enqueue(new Uint8Array([chunks]));
      else if (end === "fail") controller.error(new Error("broken pipe"));
      else if (end === "close") controller.close();
      else return new Promise(() => {});
    },
    cancel() {
      cancelled = true;
    },
  }, { highWaterMark: 0 });
  return { stream, cancelled: () => cancelled };
}

Deno.test("readBytes() reads a stream to its end, or to its error", async () => {
  const read: number[] = [];
  for await (const [byte] of readBytes(makeStream("close").stream)) read.push(byte);
  for await (const [byte] of readBytes(new Response(makeStream("close").stream))) read.push(byte);
  assertEquals(read, [1, 2, 1, 2]);
  assertEquals(await Array.fromAsync(readBytes(new Response(null))), []);
  await assertRejects(() => Array.fromAsync(readBytes(makeStream("fail").stream)), Error, "broken pipe");
});

Deno.test("readBytes() cancels a stream when its consumer stops early", async () => {
  const { stream, cancelled } = makeStream("close");
  for await (const _ of readBytes(stream)) break;
  assertEquals([cancelled(), stream.locked], [true, false]);
});

Deno.test("readBytes() ends with the signal's reason, even while it waits for a chunk that never comes", async () => {
  const { stream, cancelled } = makeStream("wait");
  const stop = new AbortController();
  let read = 0;
  const reading = (async () => {
    for await (const _ of readBytes(stream, { signal: stop.signal })) {
      if (++read === 2) queueMicrotask(() => stop.abort(new Error("enough")));
    }
  })();
  await assertRejects(() => reading, Error, "enough");
  assertEquals([read, cancelled()], [2, true]);
});

Deno.test("readBytes() says when a file becomes shorter while it is read", async () => {
  const path = await Deno.makeTempFile();
  await Deno.writeFile(path, new Uint8Array(100));
  const read = async () => {
    let bytes = 0;
    for await (const chunk of readBytes(path, { chunkBytes: 10 })) {
      if (bytes === 0) await Deno.truncate(path, 50);
      bytes += chunk.length;
    }
  };
  await assertRejects(read, Error, "it had 100 bytes and now ends after 50");
  await Deno.remove(path);
});

Deno.test("readBytes() ends with the signal's reason while it waits for an iterable, which it does not wait for", async () => {
  const stop = new AbortController();
  const stalled = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  async function* chunks() {
    try {
      yield new Uint8Array(1);
      queueMicrotask(() => stop.abort(new Error("enough")));
      await stalled.promise;
      yield new Uint8Array(1);
    } finally {
      ended.resolve();
    }
  }
  await assertRejects(() => Array.fromAsync(readBytes(chunks(), { signal: stop.signal })), Error, "enough");
  stalled.resolve();
  await ended.promise;
});

Deno.test("readBytes() ends an iterable when its consumer stops early, and takes its error as it is", async () => {
  let ended = 0;
  async function* chunks(error?: Error) {
    try {
      yield new Uint8Array(1);
      if (error) throw error;
      yield new Uint8Array(1);
    } finally {
      ended++;
    }
  }
  for await (const _ of readBytes(chunks())) break;
  assertEquals(ended, 1);
  await assertRejects(() => Array.fromAsync(readBytes(chunks(new Error("broken")))), Error, "broken");
  assertEquals((await Array.fromAsync(readBytes(chunks()))).length, 2);
  assertEquals(ended, 3);
});

Deno.test("readBytes() releases what it does not begin to read, since the signal has aborted", async () => {
  const signal = AbortSignal.abort(new Error("enough"));
  const { stream, cancelled } = makeStream("wait");
  await assertRejects(() => Array.fromAsync(readBytes(stream, { signal })), Error, "enough");
  assertEquals(cancelled(), true);
});

Deno.test("releaseSource() leaves alone what another reader has, and what has failed", async () => {
  const { stream, cancelled } = makeStream("close");
  const reader = stream.getReader();
  await releaseSource(stream);
  await releaseSource(new ReadableStream({ start: (controller) => controller.error(new Error("broken pipe")) }));
  await releaseSource(new Response(null));
  assertEquals([cancelled(), (await reader.read()).value], [false, new Uint8Array([1])]);
  await reader.cancel();
});

Deno.test("readBytes() gives a file's bytes in order, whatever the size of its chunks", async () => {
  const path = await Deno.makeTempFile();
  const bytes = Uint8Array.from({ length: 1000 }, (_, index) => (index * 7) % 256);
  await Deno.writeFile(path, bytes);
  for (const chunkBytes of [1, 3, 499, 500, 999, 1000, 1001]) {
    const seen: number[] = [];
    for await (const chunk of readBytes(path, { chunkBytes })) {
      // The chunk holds while its consumer takes time, though the next one is being read meanwhile.
      const before = chunk.slice();
      if (seen.length === 0) await new Promise((resolve) => setTimeout(resolve, 2));
      assertEquals(chunk, before);
      seen.push(...chunk);
    }
    assertEquals(seen, [...bytes], `chunks of ${chunkBytes}`);
  }
  await Deno.remove(path);
});

Deno.test("readBytes() closes a file that its consumer leaves early, while the next chunk is being read", async () => {
  const path = await Deno.makeTempFile();
  await Deno.writeFile(path, new Uint8Array(1000));
  for await (const chunk of readBytes(path, { chunkBytes: 10 })) {
    assertEquals(chunk.length, 10);
    break;
  }
  // The test runner fails on a file left open, or on a read still under way.
  await Deno.remove(path);
});

testWithPrograms(
  ["mkfifo", "sh"],
  "readBytes() does not wait for a pipe's next bytes before it gives the first",
  async () => {
    const folder = await Deno.makeTempDir();
    const path = `${folder}/pipe`;
    await new Deno.Command("mkfifo", { args: [path] }).output();
    const child = new Deno.Command("sh", { args: ["-c", `exec 3> ${path}; echo acgt >&3; exec sleep 60`] }).spawn();
    for await (const chunk of readBytes(path)) {
      assertEquals(new TextDecoder().decode(chunk), "acgt\n");
      break;
    }
    child.kill("SIGKILL");
    await child.status;
    await Deno.remove(folder, { recursive: true });
  },
);

Deno.test("a reader tells what a source may be, and that a text is a path", async (t) => {
  const text = ">a\nAC\n";
  const sources: Record<string, [source: unknown, message: string]> = {
    "a Blob": [new Blob([text]), 'argument "source" of a reader must be a path, a file: URL, bytes, a stream'],
    "a list": [["a.fasta"], 'or a Response, not ["a.fasta"]'],
    "nothing": [undefined, 'argument "source" of a reader is missing'],
  };
  for (const [name, [source, message]] of Object.entries(sources)) {
    await t.step(name, async () => {
      assertThrows(() => readBytes(source as never), TypeError, message);
      await assertRejects(() => Array.fromAsync(readFasta(source as never)), TypeError, message);
    });
  }
  await t.step("the text itself", async () => {
    await assertRejects(() => Array.fromAsync(readFasta(text)), RegistryError, "a text is a path");
    await assertRejects(() => Array.fromAsync(readFasta("absent")), RegistryError, "check its name and folder");
  });
});
