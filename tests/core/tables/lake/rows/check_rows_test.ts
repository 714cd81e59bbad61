/** A CSV that streams, checked row by row. */
import { assertEquals, assertRejects } from "@std/assert";
import { ParseError } from "../../../../../src/core/errors.ts";
import { checkRows } from "../../../../../src/core/tables/lake/rows/check_rows.ts";
import { readCell } from "../../../../../src/core/tables/lake/rows/checked_rows.ts";
import { bytesOf } from "../../_frames.ts";

/** A source of chunks that tells whether it was closed. */
function sourceOf(...chunks: readonly string[]) {
  const state = { read: 0, isClosed: false };
  async function* read() {
    try {
      for (const chunk of chunks) {
        state.read++;
        yield bytesOf(chunk);
      }
    } finally {
      state.isClosed = true;
    }
  }
  return { state, chunks: read() };
}

Deno.test("checkRows() reads the header, then yields rows as they are pulled", async () => {
  const { state, chunks } = sourceOf("a,", "b\n1,", "x\n2,y\n", "3\n4,z");
  await using rows = await checkRows(chunks, { name: "a.csv" });
  assertEquals([rows.header, state.read], [["a", "b"], 2]);
  rows.setKinds([0, 1]);
  const batches: unknown[] = [];
  for await (const { bytes, rows: count, firstRow, cells } of rows) {
    batches.push([new TextDecoder().decode(bytes), count, firstRow, readCell(bytes, cells[2], cells[3]), state.read]);
  }
  assertEquals(batches, [["1,x\n2,y\n", 2, 1, "x", 3], ["4,z\n", 1, 3, "z", 4]]);
  assertEquals([rows.unparsed, rows.problems.map(({ line }) => line)], [1, [4]]);
});

Deno.test("checkRows() closes its source however it ends", async (t) => {
  await t.step("a consumer that stops early", async () => {
    const { state, chunks } = sourceOf("a\n1\n", "2\n", "3\n");
    await using rows = await checkRows(chunks, { name: "a.csv" });
    for await (const _ of rows) break;
    assertEquals(state, { read: 1, isClosed: true });
  });
  await t.step("rows that are never asked for", async () => {
    const { state, chunks } = sourceOf("a\n1\n");
    await using _rows = await checkRows(chunks, { name: "a.csv" }).then(async (rows) => {
      await rows[Symbol.asyncDispose]();
      return rows;
    });
    assertEquals(state.isClosed, true);
  });
  await t.step("a header that is invalid", async () => {
    const { state, chunks } = sourceOf("a,a\n1,2\n", "3,4\n");
    await assertRejects(() => checkRows(chunks, { name: "a.csv" }), ParseError, "two columns are called");
    assertEquals(state, { read: 1, isClosed: true });
  });
  await t.step("an abort", async () => {
    const stop = new AbortController();
    const { state, chunks } = sourceOf("a\n1\n", "2\n", "3\n");
    await using rows = await checkRows(chunks, { name: "a.csv", signal: stop.signal });
    stop.abort(new Error("enough"));
    await assertRejects(() => Array.fromAsync(rows), Error, "enough");
    assertEquals(state, { read: 2, isClosed: true });
  });
});
