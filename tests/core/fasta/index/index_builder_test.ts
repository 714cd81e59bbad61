import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { IndexBuilder } from "../../../../src/core/fasta/index/_index_builder.ts";
import { type LineRoutines, makeLineRoutines, RECORDS_BYTES } from "../../../../src/core/fasta/scan/line_routines.ts";
import { PlainLineRoutines } from "../scan/_plain_line_routines.ts";
import { bytesOf } from "../_naive.ts";

const ROOM = 1 << 15;
const plain = new PlainLineRoutines(ROOM, 0);

/** What an index of text in pieces holds, or why there is none. */
function build(routines: LineRoutines, text: string, pieceBytes: number) {
  const bytes = bytesOf(text);
  const builder = new IndexBuilder("x.fasta", routines);
  try {
    for (let at = 0; at < bytes.length; at += pieceBytes) {
      const piece = bytes.subarray(at, at + pieceBytes);
      routines.input.set(piece);
      builder.add(0, piece.length);
    }
    const { table, ...findings } = builder.finish();
    return { text: new TextDecoder().decode(table.format()), ...findings };
  } catch (error) {
    return String(error);
  }
}

const line = fc.stringMatching(/^[ACGTN*.-]{1,40}$/);
const oddity = fc.constantFrom(
  "",
  "\n",
  " \n",
  "\r\n",
  ";c\n",
  "A C\n",
  "\r",
  ">\n",
  "> \n",
  "AC\rGT\n",
  ";fields=a|b\n",
  "é\n",
);
const record = fc.tuple(
  fc.oneof(
    fc.constantFrom("a", "b x", "c|d", "e\tf|g"),
    fc.stringMatching(/^[ \t]{0,2}[a-e]{0,2}[|\t\r ]?[ -~]{0,6}$/),
  ),
  line,
  fc.integer({ min: 1, max: 20 }),
  fc.constantFrom("\n", "\r\n"),
  fc.option(oddity, { freq: 8, nil: "" }),
  fc.boolean(),
).map(([header, letters, wrap, end, odd, isLast]) => {
  const lines = letters.repeat(3).match(new RegExp(`.{1,${wrap}}`, "g"))!.join(end) + end;
  return `>${header}${end}${isLast ? lines + odd : odd + lines}`;
});
const text = fc.tuple(
  fc.constantFrom("", ";fields=a|b\n", "\ufeff", "\n"),
  fc.array(record, { maxLength: 12 }),
  fc.nat(3),
)
  .map(([head, records, cut]) => {
    const whole = head + records.join("");
    return whole.slice(0, whole.length - cut);
  });

Deno.test("an index is the same whether records are found by the module or line by line, however the bytes were cut", () => {
  const pieceBytes = fc.oneof(fc.integer({ min: 1, max: 200 }), fc.constant(ROOM));
  let distinct = 0;
  fc.assert(
    fc.property(text, pieceBytes, (text, pieceBytes) => {
      const fast = makeLineRoutines(ROOM, RECORDS_BYTES);
      assertEquals(build(fast, text, pieceBytes), build(plain, text, ROOM));
      if (!fast.mayRepeat) distinct += 1;
    }),
    { numRuns: 1000 },
  );
  assert(distinct > 100 && distinct < 980, `${distinct} of 1000 files without an id that may have come before`);
});

Deno.test("the module finds all records but one that is not simple, and the last, whose end it cannot see", () => {
  const find = (text: string, endsAtPipe = false) => {
    const fast = makeLineRoutines(ROOM, RECORDS_BYTES);
    const bytes = bytesOf(text);
    fast.input.set(bytes, 1);
    const count = fast.findRecords(1, bytes.length + 1, { endsAtPipe, position: 1000 });
    const found = new TextDecoder().decode(fast.foundText).split("\n").slice(0, -1);
    assertEquals(found.length, count);
    return [found, [...fast.idLengths.subarray(0, count)], fast.foundLines, text.slice(fast.stop - 1, fast.stop + 1)];
  };
  const a = "a\t7\t1005\t4\t5";
  assertEquals(find(">a b\nACGT\nACG\n>b\nA\n"), [[a], [1], 3, ">b"]);
  assertEquals(find(">a b\nACGT\nACG\n>b\nA C\n>c\nA\n>d"), [[a], [1], 3, ">b"]);
  assertEquals(find("> a\r\nACGT\r\nACGT\r\n>b|\nA\n>c"), [
    ["a\t8\t1005\t4\t6", "b|\t1\t1021\t1\t2"],
    [1, 2],
    5,
    ">c",
  ]);
  assertEquals(find("> a|b\nA\n>b b|\tc\r\nA\n>c", true), [
    [" a\t1\t1006\t1\t2", "b b\t1\t1017\t1\t2"],
    [2, 3],
    4,
    ">c",
  ]);
  assertEquals(find("> a|b\nA\n>b\tb\r\nA\n>c", true), [[" a\t1\t1006\t1\t2"], [2], 2, ">b"]);
  for (
    const odd of [">a\n\nAC\n>b", ">a\n;\nAC\n>b", ">a\nAC\nACG\n>b", ">a\nACG\nAC\nA\n>b", ">a\nAC\n\n>b", ">a\n>b"]
  ) {
    assertEquals(find(odd), [[], [], 0, ">a"], odd);
  }
});

Deno.test("the module tells when an id may have come before, and when there are too many to know", () => {
  const routines = makeLineRoutines(ROOM, RECORDS_BYTES);
  const number = new Uint8Array(4);
  for (let count = 0; count < 1 << 19; count++) {
    new DataView(number.buffer).setUint32(0, count);
    routines.noteId(number);
  }
  assertEquals(routines.mayRepeat, false);
  routines.noteId(bytesOf("one more"));
  assertEquals(routines.mayRepeat, true);
  const other = makeLineRoutines(ROOM, RECORDS_BYTES);
  for (const id of ["", "a", "a\0", "aa", "abcdefgh", "abcdefghi", "abcdefgh\0"]) other.noteId(bytesOf(id));
  assertEquals(other.mayRepeat, false);
  other.noteId(bytesOf("abcdefghi"));
  assertEquals(other.mayRepeat, true);
});
