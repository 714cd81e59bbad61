import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import { type FastaBatch, FastaError, readFastaBatches, textsOf } from "../../../../src/core/fasta/mod.ts";
import { sha256 } from "../../../../src/core/io/digest/sha256.ts";
import { bytesOf, inPieces } from "../_naive.ts";

/** What a batch holds, copied. */
function rowsOf(batch: FastaBatch) {
  // The bytes of a column are those of its texts, and no more.
  for (const { offsets, data } of batch.columns) assertEquals(data.length, offsets[batch.rows]);
  const columns = batch.columns.map(textsOf);
  const sequences = batch.sequences === null ? null : textsOf(batch.sequences);
  return Array.from({ length: batch.rows }, (_, row) => ({
    id: batch.ids[row],
    values: columns.map((column) => column[row]),
    sequence: sequences?.[row],
    counts: [batch.length[row], batch.gcLetters[row], batch.ambiguous[row]],
  }));
}

const TEXT = ";fields=acc|Host|Country\n>v1|bat|Chile\nACGT\nN\n>v2|é|\nGG\n>v3||\n\n>v4|a|b\nC\n";

Deno.test("readFastaBatches() gives columns, whatever the size of batches and pieces", async (t) => {
  for (const batchRows of [1, 2, 3, 100]) {
    for (const pieceBytes of [1, 5, 1000]) {
      await t.step(`${batchRows} rows, ${pieceBytes} bytes`, async () => {
        const rows: unknown[] = [];
        for await (const batch of readFastaBatches(inPieces(TEXT, pieceBytes), { batchRows })) {
          assertEquals(batch.rows <= batchRows, true);
          assertEquals(batch.fields, ["acc", "Host", "Country"]);
          rows.push(...rowsOf(batch));
        }
        assertEquals(rows, [
          { id: "v1", values: ["v1", "bat", "Chile"], sequence: "ACGTN", counts: [5, 2, 1] },
          { id: "v2", values: ["v2", "é", ""], sequence: "GG", counts: [2, 2, 0] },
          { id: "v3", values: ["v3", "", ""], sequence: "", counts: [0, 0, 0] },
          { id: "v4", values: ["v4", "a", "b"], sequence: "C", counts: [1, 1, 0] },
        ]);
      });
    }
  }
});

Deno.test("readFastaBatches() without sequences counts the same", async () => {
  for await (const batch of readFastaBatches(bytesOf(TEXT), { sequences: false })) {
    assertEquals(batch.sequences, null);
    assertEquals(rowsOf(batch).map(({ counts }) => counts), [[5, 2, 1], [2, 2, 0], [0, 0, 0], [1, 1, 0]]);
  }
});

Deno.test("readFastaBatches() leaves out rows in the middle of a batch", async () => {
  const text = ";fields=acc|Host\n>v0\nA\n>v1|bat\nAC\n>v2\nGG\n>v3|x\nT\n>v4|a|b\nC\n";
  const rows: unknown[] = [];
  for await (const batch of readFastaBatches(bytesOf(text))) rows.push(...rowsOf(batch));
  assertEquals(rows, [
    { id: "v1", values: ["v1", "bat"], sequence: "AC", counts: [2, 1, 0] },
    { id: "v3", values: ["v3", "x"], sequence: "T", counts: [1, 0, 0] },
  ]);
});

Deno.test("readFastaBatches() fills batches by bases too", async () => {
  const sizes: number[] = [];
  const text = ">a\nACGTACGT\n".repeat(10);
  for await (const batch of readFastaBatches(inPieces(text, 11), { batchBytes: 20 })) sizes.push(batch.rows);
  assertEquals(sizes, [3, 3, 3, 1]);
});

Deno.test("readFastaBatches() splits plain headers into id and description", async () => {
  for await (const batch of readFastaBatches(bytesOf(">a  b c\nA\n>d\nC\n>\te\nG\n"))) {
    assertEquals(batch.columns.map(textsOf), [["a", "d", "e"], ["b c", "", ""]]);
  }
});

Deno.test("readFastaBatches() reads a record of 30 MB, and half a million empty ones, in bounded memory", async () => {
  const chunk = new Uint8Array(1 << 20).fill(0x41);
  const giant = (async function* () {
    yield bytesOf(">a\n");
    for (let count = 0; count < 30; count++) yield chunk;
  })();
  for await (const batch of readFastaBatches(giant)) assertEquals(batch.length[0], 30 << 20);

  const empty = bytesOf(">\n".repeat(1 << 17));
  const many = (async function* () {
    for (let count = 0; count < 4; count++) yield empty;
  })();
  const reader = readFastaBatches(many);
  let rows = 0;
  for await (const batch of reader) rows += batch.rows;
  assertEquals([rows, reader.problemCount, reader.problems.length], [1 << 19, 2 << 19, 1000]);
});

Deno.test("problems come in the order of the file, and strict reading fails at the first of them", async () => {
  const text = ";head\n>a\n>b\nA1\n;c\n>b\n;d\nG>G\n;e\n>\nA\n;f\n";
  const words = [
    "comment",
    "empty",
    "sequence character",
    "comment",
    "came",
    "comment",
    "inside",
    "comment",
    "header",
    "comment",
  ];
  const lines = [1, 2, 4, 5, 6, 7, 8, 9, 10, 12];
  for (const options of [{}, { batchRows: 1 }, { batchRows: 2 }]) {
    const reader = readFastaBatches(bytesOf(text), options);
    assertEquals((await Array.fromAsync(reader, ({ rows }) => rows)).reduce((sum, rows) => sum + rows), 4);
    assertEquals(reader.problems.map(({ line }) => line), lines);
    for (const [index, word] of words.entries()) assertMatch(reader.problems[index].reason, new RegExp(word));
  }
  for (const { index } of text.matchAll(/^>|^;head/gm)) {
    const rest = text.slice(index);
    const all = readFastaBatches(bytesOf(rest));
    await Array.fromAsync(all);
    const reading = Array.fromAsync(readFastaBatches(bytesOf(rest), { strict: true }));
    const error = await assertRejects(() => reading, FastaError);
    assertEquals(error.line, all.problems[0].line, rest);
  }
});

Deno.test("comments without end take no more memory than some", async () => {
  const reader = readFastaBatches(bytesOf(`>a\n${";c\n".repeat(10_000)}A\n`), { maxProblems: 3 });
  await Array.fromAsync(reader);
  assertEquals([reader.problemCount, reader.problems.length], [10_000, 3]);
});

Deno.test("columns are whole, however unevenly the values are long", async () => {
  const [long, longer] = ["x".repeat(500), "y".repeat(3000)];
  const text = `;fields=a|b|c\n>1|${long}|\nA\n>2|${longer}|z\nA\n>3|${long}|\nA\n`;
  for await (const batch of readFastaBatches(bytesOf(text))) {
    assertEquals(batch.columns.map(textsOf), [["1", "2", "3"], [long, longer, long], ["", "z", ""]]);
  }
});

Deno.test("a line of field names that is too long is refused before it ends", async () => {
  let pulled = 0;
  const endless = (async function* () {
    yield bytesOf(";fields=");
    for (; pulled < 100; pulled++) yield bytesOf("abcdefgh".repeat(16));
  })();
  const reader = readFastaBatches(endless, { maxHeaderBytes: 1000 });
  await assertRejects(() => reader.head(), FastaError, "readFasta() with maxHeaderBytes");
  assertEquals(pulled < 20, true);
});

Deno.test("a digest is null until all bytes are read, even when asked for in the middle", async () => {
  const bytes = bytesOf(">a\nA\n>b\nC\n");
  const reader = readFastaBatches(inPieces(bytes, 6), { sha256: true, batchRows: 1 });
  await reader.head();
  assertEquals(reader.sha256, null);
  await reader.next();
  assertEquals(reader.sha256, null);
  await Array.fromAsync(reader);
  assertEquals(reader.sha256, await sha256(bytes));
});

Deno.test("the digest of a reading that was not asked for it stays null", async () => {
  const reader = readFastaBatches(bytesOf(">a\nA\n"));
  await Array.fromAsync(reader);
  assertEquals(reader.sha256, null);
});
