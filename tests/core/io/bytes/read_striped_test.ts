import { assertEquals, assertRejects } from "@std/assert";
import fc from "fast-check";
import { RegistryError } from "../../../../src/core/errors.ts";
import { readStriped } from "../../../../src/core/io/bytes/read_striped.ts";

function buffersOf(count: number, bytes: number): Uint8Array[] {
  return Array.from({ length: count }, () => new Uint8Array(bytes));
}

Deno.test("readStriped() gives all bytes in order, whatever the buffers", async () => {
  const path = await Deno.makeTempFile();
  await fc.assert(
    fc.asyncProperty(
      fc.uint8Array({ maxLength: 60 }),
      fc.integer({ min: 2, max: 4 }),
      fc.integer({ min: 1, max: 20 }),
      async (bytes, count, length) => {
        await Deno.writeFile(path, bytes);
        const read: number[] = [];
        for await (const piece of readStriped(path, { buffers: buffersOf(count, length) })) read.push(...piece);
        assertEquals(read, [...bytes]);
      },
    ),
    { numRuns: 50 },
  );
  await Deno.remove(path);
});

Deno.test("readStriped() says when a file shrinks, and leaves out what is added meanwhile", async (t) => {
  const path = await Deno.makeTempFile();
  const read = async (change: () => Promise<void>) => {
    let bytes = 0;
    for await (const piece of readStriped(path, { buffers: buffersOf(2, 4), name: "a.fasta" })) {
      if (bytes === 0) await change();
      bytes += piece.length;
    }
    return bytes;
  };
  await t.step("shrinks", async () => {
    await Deno.writeFile(path, new Uint8Array(40));
    await assertRejects(
      () => read(() => Deno.truncate(path, 10)),
      RegistryError,
      "a.fasta: it had 40 bytes and now ends",
    );
  });
  await t.step("grows", async () => {
    await Deno.writeFile(path, new Uint8Array(40));
    assertEquals(await read(() => Deno.writeFile(path, new Uint8Array(9), { append: true })), 40);
  });
  await Deno.remove(path);
});

Deno.test("readStriped() refuses a file that is replaced while it is opened", async () => {
  const folder = await Deno.makeTempDir();
  const path = `${folder}/a.fasta`;
  const { open } = Deno;
  let opened = 0;
  try {
    await Deno.writeTextFile(path, "one");
    await Deno.writeTextFile(`${folder}/b.fasta`, "two");
    Deno.open = async (...args) => {
      if (++opened === 2) await Deno.rename(`${folder}/b.fasta`, path);
      return await open(...args);
    };
    const pieces = readStriped(path, { buffers: buffersOf(2, 4), name: "a.fasta" });
    await assertRejects(() => pieces.next(), RegistryError, "Cannot read a.fasta: another file took its place");
    assertEquals(opened, 2);
  } finally {
    Deno.open = open;
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("readStriped() closes its files when it is stopped or aborted", async () => {
  const path = await Deno.makeTempFile();
  await Deno.writeFile(path, new Uint8Array(40));
  for await (const _ of readStriped(path, { buffers: buffersOf(3, 4) })) break;
  const stop = new AbortController();
  await assertRejects(
    async () => {
      for await (const _ of readStriped(path, { buffers: buffersOf(2, 4), signal: stop.signal })) {
        stop.abort(new Error("enough"));
      }
    },
    Error,
    "enough",
  );
  await assertRejects(() => Array.fromAsync(readStriped(`${path}.no`, { buffers: buffersOf(2, 4) })));
  await Deno.remove(path);
});
