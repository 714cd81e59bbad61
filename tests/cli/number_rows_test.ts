import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { formatShare } from "../../src/cli/_decimals.ts";
import { NumberRows } from "../../src/cli/_number_rows.ts";
import { tsvRow } from "../../src/io/csv_text.ts";

Deno.test("NumberRows writes the bytes that texts would make", async () => {
  const whole = fc.oneof(
    fc.nat(99),
    fc.nat(2 ** 31 - 1),
    fc.maxSafeNat(),
    fc.constantFrom(9, 10, 999_999, 1_000_000, 128),
  );
  const id = fc.oneof(fc.stringMatching(/^[!-Z]{0,30}$/), fc.constant("x".repeat(200_000)));
  const row = fc.record({
    id: fc.oneof({ weight: 20, arbitrary: id }, id),
    whole,
    part: fc.double({ min: 0, max: 1, noNaN: true }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(row, { maxLength: 20 }), async (rows) => {
      const parts = rows.map(({ whole, part }) => Math.round(whole * part));
      const texts = rows.map(({ id, whole }, at) => {
        const share = formatShare(whole === 0 ? null : parts[at] / whole);
        return tsvRow([String(whole), id, share]) + "\n";
      });
      let written = "";
      const output = {
        // The bytes are used again: what is not copied is lost.
        write: (bytes: string | Uint8Array) => {
          written += typeof bytes === "string" ? bytes : new TextDecoder().decode(bytes);
          return Promise.resolve();
        },
      };
      const data = new TextEncoder().encode(rows.map(({ id }) => id).join(""));
      const lengths = Int32Array.from(rows, ({ id }) => id.length);
      const starts = lengths.map((_, at) => lengths.subarray(0, at).reduce((sum, length) => sum + length, 0));
      await new NumberRows(output).write(rows.length, [
        { kind: "integer", values: Float64Array.from(rows, ({ whole }) => whole) },
        { kind: "bytes", data, starts, lengths },
        { kind: "share", parts: Float64Array.from(parts), wholes: (at) => rows[at].whole },
      ]);
      assertEquals(written === texts.join(""), true, `${written.slice(0, 300)} for ${texts.join("").slice(0, 300)}`);
    }),
    { numRuns: 60 },
  );
});

Deno.test("NumberRows rounds every share with a small whole as formatShare() does", async () => {
  const shares: [part: number, whole: number][] = [];
  for (let whole = 1; whole <= 256; whole++) for (let part = 0; part <= whole; part += 3) shares.push([part, whole]);
  let written = "";
  const output = {
    write: (bytes: string | Uint8Array) => {
      written += typeof bytes === "string" ? bytes : new TextDecoder().decode(bytes);
      return Promise.resolve();
    },
  };
  const parts = Float64Array.from(shares, ([part]) => part);
  await new NumberRows(output).write(shares.length, [{ kind: "share", parts, wholes: (at) => shares[at][1] }]);
  assertEquals(written, shares.map(([part, whole]) => formatShare(part / whole) + "\n").join(""));
});
