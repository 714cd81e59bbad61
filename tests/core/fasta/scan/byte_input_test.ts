import { assert, assertEquals, assertRejects } from "@std/assert";
import { BatchSource } from "../../../../src/core/fasta/records/batch_source.ts";
import { buildFastaIndex } from "../../../../src/core/fasta/index/build_fasta_index.ts";
import { fastaStats } from "../../../../src/core/fasta/stats/fasta_stats.ts";
import { readFasta } from "../../../../src/core/fasta/records/read_fasta.ts";
import type { ByteSource } from "../../../../src/core/io/bytes/byte_source.ts";
import { RegistryError } from "../../../../src/core/errors.ts";
import { bytesOf } from "../_naive.ts";

/** All numbers of a reading, and what is said of it. */
async function readAll(source: ByteSource, sha256: boolean) {
  const batches = new BatchSource(source, { sequences: false, name: "x", sha256 });
  const columns: unknown[] = [];
  try {
    for await (const batch of batches.batches()) {
      columns.push(
        [...batch.ids],
        batch.length.slice(),
        batch.gcLetters.slice(),
        batch.line.slice(),
        batch.byte.slice(),
      );
    }
  } finally {
    await batches.close();
  }
  return { columns, ledger: batches.log.ledger(), bytes: batches.bytes, sha256: batches.sha256 };
}

Deno.test("a file that is read ahead says the same as its bytes", async () => {
  const path = await Deno.makeTempFile();
  try {
    // Records of many lengths, so that pieces end in headers, in lines and between them; ten pieces.
    const record = (n: number) => `>id${n} ${"x".repeat(n % 300)}\n${"ACGTGNacgtC\n".repeat(n * 37 % 500)};note\n`;
    const bytes = bytesOf(Array.from({ length: 6_500 }, (_, n) => record(n)).join(""));
    assert(bytes.length > 18 << 20);
    await Deno.writeFile(path, bytes);
    for (const sha256 of [false, true]) assertEquals(await readAll(path, sha256), await readAll(bytes, sha256));
  } finally {
    await Deno.remove(path);
  }
});

Deno.test("a file that becomes shorter while it is read is refused, large or small", async (t) => {
  for (const size of [1 << 20, 12 << 20]) {
    await t.step(`${size} bytes`, async () => {
      const path = await Deno.makeTempFile();
      const batches = new BatchSource(path, { sequences: false });
      try {
        await Deno.writeTextFile(path, ">a\n" + "ACGT\n".repeat(size / 5));
        await batches.head();
        await Deno.truncate(path, 1000);
        await assertRejects(() => batches.batches().next(), RegistryError, "now ends after");
      } finally {
        await batches.close();
        await Deno.remove(path);
      }
    });
  }
});

Deno.test("a reading of a large file that ends early closes it", async () => {
  const path = await Deno.makeTempFile();
  try {
    await Deno.writeTextFile(path, ">a\nACGT\n".repeat(2 << 20));
    const batches = new BatchSource(path, { sequences: false });
    assert(!(await batches.batches().next()).done);
    // What is still open, or still reads, would be found by the test runner.
    await batches.close();
  } finally {
    await Deno.remove(path);
  }
});

Deno.test("a source that is not read is released", async (t) => {
  const signal = AbortSignal.abort(new Error("enough"));
  const endings: Record<string, (source: ByteSource) => Promise<unknown>> = {
    "the reader is ended": async (source) => await readFasta(source).return?.(),
    "the reader leaves its scope": async (source) => {
      await using _ = readFasta(source);
    },
    "the signal has aborted before a record is read": (source) =>
      assertRejects(() => Array.fromAsync(readFasta(source, { signal })), Error, "enough"),
    "the signal has aborted before the head is read": (source) =>
      assertRejects(() => readFasta(source, { signal }).head(), Error, "enough"),
    "the signal has aborted before anything is counted": (source) =>
      assertRejects(() => fastaStats(source, { signal }), Error, "enough"),
    "the signal has aborted before an index is made": (source) =>
      assertRejects(() => buildFastaIndex(source, { signal }), Error, "enough"),
  };
  for (const [name, end] of Object.entries(endings)) {
    await t.step(name, async () => {
      let cancelled = 0;
      const makeStream = () => new ReadableStream<Uint8Array>({ cancel: () => void cancelled++ });
      await end(makeStream());
      await end(new Response(makeStream()));
      let ended = 0;
      const iterable = {
        [Symbol.asyncIterator]: () => ({
          next: () => new Promise<never>(() => {}),
          return: () => Promise.resolve({ done: true as const, value: ended++ }),
        }),
      };
      await end(iterable);
      assertEquals([cancelled, ended], [2, 1]);
    });
  }
});
