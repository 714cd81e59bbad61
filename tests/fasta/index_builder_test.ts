import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { FOUND_BYTES, IndexBuilder } from "../../src/fasta/_index_builder.ts";
import { type LineKernel, makeLineKernel, PlainLineKernel, RECORD_NUMBERS } from "../../src/fasta/_line_kernel.ts";
import { bytesOf } from "./_naive.ts";

const ROOM = 1 << 15;
const fast = makeLineKernel(ROOM, FOUND_BYTES);
const plain = new PlainLineKernel(ROOM, FOUND_BYTES);

/** What an index of text in pieces holds, or why there is none. */
function build(kernel: LineKernel, text: string, pieceBytes: number) {
  const bytes = bytesOf(text);
  const builder = new IndexBuilder("x.fasta", kernel);
  try {
    for (let at = 0; at < bytes.length; at += pieceBytes) {
      const piece = bytes.subarray(at, at + pieceBytes);
      kernel.input.set(piece);
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
  fc.stringMatching(/^[ \t]{0,2}[a-e]{0,2}[|\t\r ]?[ -~]{0,6}$/),
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

Deno.test("an index is the same whether records are found by the kernel or line by line, however the bytes were cut", () => {
  assert(!(fast instanceof PlainLineKernel));
  const pieceBytes = fc.oneof(fc.integer({ min: 1, max: 200 }), fc.constant(ROOM));
  fc.assert(
    fc.property(text, pieceBytes, (text, pieceBytes) => {
      assertEquals(build(fast, text, pieceBytes), build(plain, text, ROOM));
    }),
    { numRuns: 2000 },
  );
});

Deno.test("the kernel finds all records but one that is not simple, and the last, whose end it cannot see", () => {
  const find = (text: string, ids = { endsAtPipe: false, hashFactor: 5 }) => {
    const bytes = bytesOf(text);
    fast.input.set(bytes);
    const count = fast.findRecords(0, bytes.length, ids);
    const found = Array.from({ length: count }, (_, n) => {
      const [idStart, idEnd, offset, ...numbers] = fast.records.subarray(
        n * RECORD_NUMBERS,
        (n + 1) * RECORD_NUMBERS - 1,
      );
      return [text.slice(idStart, idEnd), offset, ...numbers];
    });
    return [found, text.slice(fast.stop, fast.stop + 2)];
  };
  const a = ["a", 5, 7, 4, 5, 3];
  assertEquals(find(">a b\nACGT\nACG\n>b\nA\n"), [[a], ">b"]);
  assertEquals(find(">a b\nACGT\nACG\n>b\nA C\n>c\nA\n>d"), [[a], ">b"]);
  assertEquals(find("> a\r\nACGT\r\nACGT\r\n>b|\nA\n>c"), [[["a", 5, 8, 4, 6, 3], ["b|", 21, 1, 1, 2, 2]], ">c"]);
  assertEquals(find("> a|b\nA\n>b\nA\n>c", { endsAtPipe: true, hashFactor: 5 }), [
    [[" a", 6, 1, 1, 2, 2], ["b", 11, 1, 1, 2, 2]],
    ">c",
  ]);
  for (
    const odd of [">a\n\nAC\n>b", ">a\n;\nAC\n>b", ">a\nAC\nACG\n>b", ">a\nACG\nAC\nA\n>b", ">a\nAC\n\n>b", ">a\n>b"]
  ) {
    assertEquals(find(odd), [[], ">a"], odd);
  }
});
