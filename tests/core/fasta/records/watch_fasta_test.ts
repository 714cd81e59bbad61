import { assertEquals, assertRejects } from "@std/assert";
import { FastaError } from "../../../../src/core/fasta/mod.ts";
import { watchFasta, type WatchFastaOptions } from "../../../../src/core/fasta/records/watch_fasta.ts";
import { bytesOf, inPieces, joined } from "../_naive.ts";

const TEXT = ";fields=acc|Host\n>v1|bat\nACGT\nN\n>v2\nGG\n>v3|x\nC\n";

Deno.test("watchFasta() passes on what it reads, and tells head, batches and ledger in turn", async () => {
  for (const pieceBytes of [1, 7, 1000]) {
    const told: unknown[] = [];
    const watched = watchFasta(inPieces(TEXT, pieceBytes), {
      onHead: ({ kind, fields }) => told.push([kind, fields]),
      onBatch: ({ ids, length, sequences }) => told.push([[...ids], [...length], sequences]),
      onLedger: ({ received, unparsed }) => told.push([received, unparsed]),
    });
    assertEquals(await joined(watched), TEXT);
    assertEquals(told, [["registry", ["acc", "Host"]], [["v1", "v3"], [5, 1], null], [2, 1]]);
  }
});

Deno.test("watchFasta() holds no chunk back: a chunk is read when it is passed on", async () => {
  const heads: string[] = [];
  const watched = watchFasta(inPieces(TEXT, 30), { onHead: ({ kind }) => heads.push(kind) });
  assertEquals([(await watched.next()).value?.length, heads], [30, ["registry"]]);
  await watched.return(undefined);
});

Deno.test("watchFasta() fails before it passes on a chunk with a fault", async (t) => {
  const faults: Record<string, [chunks: string[], options: WatchFastaOptions, passed: number]> = {
    "no FASTA": [["words ".repeat(100), ">a\n"], {}, 0],
    "other fields in the middle": [[TEXT, ";fields=acc\n", ">v4\nA\n"], {}, 1],
    "strict reading, at the end": [[">a\nA\n>b\n"], { strict: true }, 1],
  };
  for (const [name, [chunks, options, expected]] of Object.entries(faults)) {
    await t.step(name, async () => {
      let passed = 0;
      const source = (async function* () {
        for (const chunk of chunks) yield bytesOf(chunk);
      })();
      await assertRejects(async () => {
        for await (const _ of watchFasta(source, options)) passed++;
      }, FastaError);
      assertEquals(passed, expected);
    });
  }
});
