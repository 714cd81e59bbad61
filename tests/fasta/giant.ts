/** What takes a while: run by `.ci/run`, `deno test --allow-all tests/fasta/giant.ts`. */
import { assertEquals } from "@std/assert";
import { readFastaBatches } from "../../src/fasta/read_fasta_batches.ts";

const bytesOf = (text: string) => new TextEncoder().encode(text);

Deno.test("readFastaBatches() reads a record of 300 MB, and millions of empty ones, in bounded memory", async () => {
  const chunk = new Uint8Array(1 << 20).fill(0x41);
  const giant = (async function* () {
    yield bytesOf(">a\n");
    for (let count = 0; count < 300; count++) yield chunk;
  })();
  for await (const batch of readFastaBatches(giant)) assertEquals(batch.length[0], 300 << 20);

  const empty = bytesOf(">\n".repeat(1 << 19));
  const many = (async function* () {
    for (let count = 0; count < 4; count++) yield empty;
  })();
  const reader = readFastaBatches(many);
  let rows = 0;
  for await (const batch of reader) rows += batch.rows;
  assertEquals([rows, reader.problemCount, reader.problems.length], [1 << 21, 2 << 21, 1000]);
});
