import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { makeLineRoutines, RECORDS_BYTES } from "../../../../src/core/fasta/scan/line_routines.ts";
import { PlainLineRoutines } from "./_plain_line_routines.ts";

const BYTES = 400;
const fast = makeLineRoutines(BYTES, BYTES * 4);
const plain = new PlainLineRoutines(BYTES, BYTES * 4);

function fill(bytes: Uint8Array): void {
  for (const { input } of [fast, plain]) input.set(bytes);
}

const bytes = fc.oneof(
  fc.uint8Array({ maxLength: BYTES }),
  fc.stringMatching(/^[ACGT>;\n ]{0,400}$/).map((text) => new TextEncoder().encode(text)),
  // Lines of one length, one of which may be spoilt.
  fc.tuple(fc.integer({ min: 1, max: 40 }), fc.constantFrom("\n", "\r\n"), fc.nat(BYTES), fc.nat(255)).map(
    ([letters, end, place, byte]) => {
      const text = new TextEncoder().encode(("A".repeat(letters) + end).repeat(BYTES).slice(0, BYTES));
      if (byte > 0) text[place] = byte;
      return text;
    },
  ),
);

Deno.test("both modules of lines are there and say the same", () => {
  const numbers = fc.tuple(fc.nat(40), fc.integer({ min: 1, max: 45 }), fc.integer({ min: 1, max: 2 }));
  fc.assert(
    fc.property(bytes, numbers, (bytes, [from, letters, end]) => {
      fill(bytes);
      const start = Math.min(from, bytes.length);
      assertEquals(fast.countGraphic(start, bytes.length), plain.countGraphic(start, bytes.length));
      assertEquals(
        fast.countFullLines(start, bytes.length, letters + end, letters),
        plain.countFullLines(start, bytes.length, letters + end, letters),
      );
    }),
    { numRuns: 1000 },
  );
});

Deno.test("both modules of lines wrap alike", () => {
  fc.assert(
    fc.property(bytes, fc.integer({ min: 1, max: 100 }), fc.nat(100), fc.nat(20), (bytes, wrap, full, at) => {
      fill(bytes);
      const column = Math.min(full, wrap);
      const end = plain.wrapBases(bytes.length, at, column, wrap);
      assertEquals(fast.wrapBases(bytes.length, at, column, wrap), end);
      assertEquals(fast.output.slice(at, end), plain.output.slice(at, end));
    }),
    { numRuns: 500 },
  );
});

Deno.test("both modules of lines join alike", () => {
  const numbers = fc.tuple(fc.nat(40), fc.integer({ min: 1, max: 40 }), fc.integer({ min: 0, max: 3 }), fc.nat(40));
  let joined = 0;
  fc.assert(
    fc.property(bytes, numbers, fc.boolean(), (bytes, [from, letters, ends, column], isWhole) => {
      const text = isWhole
        ? new TextEncoder().encode(("ACGTN".repeat(8).slice(0, letters) + "\r \n".slice(3 - ends)).repeat(9))
        : bytes;
      fill(text);
      const start = Math.min(from, text.length);
      const first = isWhole ? start % (letters + ends) : column;
      if (first >= letters) return;
      const count = plain.joinLines(start, text.length, first, letters, letters + ends);
      assertEquals(fast.joinLines(start, text.length, first, letters, letters + ends), count);
      if (count < 0) return;
      joined += 1;
      assertEquals(fast.output.slice(0, count), plain.output.slice(0, count));
    }),
    { numRuns: 1000 },
  );
  assert(joined > 100);
});

Deno.test("a module with room for records finds them, and one without finds none", () => {
  const text = new TextEncoder().encode(">a x\nACGT\nAC\n>bc\nGG\n>d\n");
  const search = { endsAtPipe: false, position: 100 };
  const large = makeLineRoutines(BYTES, RECORDS_BYTES);
  large.input.set(text, 7);
  assertEquals(large.findRecords(7, 7 + text.length, search), 2);
  assertEquals(new TextDecoder().decode(large.foundText), "a\t6\t105\t4\t5\nbc\t2\t117\t2\t3\n");
  assertEquals([[...large.idLengths.subarray(0, 2)], large.stop, large.foundLines], [[1, 2], 7 + 20, 5]);
  fill(text);
  assertEquals(fast.findRecords(0, text.length, search), 0);
});

Deno.test("a module with room for records notes ids, and owns up to those it cannot", () => {
  const id = (text: string) => new TextEncoder().encode(text);
  const large = makeLineRoutines(BYTES, RECORDS_BYTES);
  for (const text of ["a", "b", "ab"]) large.noteId(id(text));
  assertEquals(large.mayRepeat, false);
  large.noteId(id("b"));
  assertEquals(large.mayRepeat, true);
  const other = makeLineRoutines(BYTES, RECORDS_BYTES);
  other.noteId(id("a".repeat(1 << 18)));
  assertEquals(other.mayRepeat, false);
  other.noteId(id("a".repeat((1 << 18) + 1)));
  assertEquals(other.mayRepeat, true);
  const small = makeLineRoutines(BYTES, BYTES);
  assertEquals(small.mayRepeat, false);
  small.noteId(id("a"));
  assertEquals(small.mayRepeat, true);
});
