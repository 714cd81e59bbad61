import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { makeLineKernel, PlainLineKernel } from "../../src/fasta/_line_kernel.ts";

const BYTES = 400;
const fast = makeLineKernel(BYTES, BYTES * 4);
const plain = new PlainLineKernel(BYTES, BYTES * 4);

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

Deno.test("both kernels of lines are there and say the same", () => {
  assert(!(fast instanceof PlainLineKernel));
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

Deno.test("both kernels of lines wrap alike", () => {
  fc.assert(
    fc.property(bytes, fc.integer({ min: 1, max: 100 }), fc.nat(100), fc.nat(20), (bytes, wrap, full, at) => {
      fill(bytes);
      const column = Math.min(full, wrap);
      const end = plain.wrapLetters(bytes.length, at, column, wrap);
      assertEquals(fast.wrapLetters(bytes.length, at, column, wrap), end);
      assertEquals(fast.output.slice(at, end), plain.output.slice(at, end));
    }),
    { numRuns: 500 },
  );
});
