import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { formatShare } from "../../../src/cli/rows/decimals.ts";
import type { RowCell, RowWriter } from "../../../src/cli/rows/row_cell.ts";
import { PlainRows } from "./_plain_rows.ts";
import { WasmRows } from "../../../src/cli/rows/number_rows.ts";
import { tsvRow } from "../../../src/core/io/csv/csv_text.ts";

const WRITERS: Record<string, RowWriter> = { PlainRows: new PlainRows(), WasmRows: new WasmRows() };

function write(writer: RowWriter, rows: number, cells: readonly RowCell[]): string {
  let written = "";
  // The bytes are used again: what is not copied is lost.
  for (const piece of writer.write(rows, cells) ?? []) written += new TextDecoder().decode(piece);
  return written;
}

Deno.test("rows are the bytes that texts would make", async (t) => {
  const whole = fc.oneof(
    fc.nat(99),
    fc.nat(2 ** 31 - 1),
    fc.maxSafeNat(),
    fc.constantFrom(9, 10, 999_999, 1_000_000, 128, 2 ** 31, 2 ** 32 - 1, 2 ** 32, Number.MAX_SAFE_INTEGER),
  );
  const id = fc.oneof(fc.stringMatching(/^[!-Z]{0,30}$/), fc.constant("x".repeat(200_000)));
  const row = fc.record({
    id: fc.oneof({ weight: 20, arbitrary: id }, id),
    whole,
    part: fc.double({ min: 0, max: 1, noNaN: true }),
    others: fc.nat(1000),
  });
  for (const [name, writer] of Object.entries(WRITERS)) {
    await t.step(name, () => {
      fc.assert(
        fc.property(fc.array(row, { maxLength: 20 }), (rows) => {
          const others = Float64Array.from(rows, ({ whole, others }) => Math.min(whole, others));
          const parts = Float64Array.from(rows, ({ whole, part }, at) => Math.round((whole - others[at]) * part));
          const wholes = Float64Array.from(rows, ({ whole }) => whole);
          const texts = rows.map(({ id, whole }, at) => {
            const rest = whole - others[at];
            return tsvRow([String(whole), id, formatShare(rest === 0 ? null : parts[at] / rest)]) + "\n";
          });
          const data = new TextEncoder().encode("?" + rows.map(({ id }) => id).join(""));
          const lengths = Int32Array.from(rows, ({ id }) => id.length);
          const starts = lengths.map((_, at) => lengths.subarray(0, at).reduce((sum, length) => sum + length, 1));
          const written = write(writer, rows.length, [
            { kind: "integer", values: wholes },
            { kind: "bytes", data, starts, lengths },
            { kind: "share", parts, wholes, others },
          ]);
          const expected = texts.join("");
          assertEquals(written === expected, true, `${written.slice(0, 300)} for ${expected.slice(0, 300)}`);
        }),
        { numRuns: 60 },
      );
    });
  }
});

Deno.test("every share is rounded as formatShare() does, those in the middle between two and beside it", async (t) => {
  const shares: [part: number, whole: number][] = [];
  for (let whole = 1; whole <= 256; whole++) for (let part = 0; part <= whole; part += 3) shares.push([part, whole]);
  // An odd number of two-millionths: as near to the middle as a share can come, from either side, or on it.
  for (let part = 1; part < 2_000_000; part += 998) shares.push([part, 2_000_000]);
  for (let power = 7; power < 30; power++) shares.push([1, 2 ** power], [3, 2 ** power], [2 ** power - 1, 2 ** power]);
  shares.push([9_007_199_254_740_990, 9_007_199_254_740_991], [1, 9_007_199_254_740_991]);
  const parts = Float64Array.from(shares, ([part]) => part);
  const wholes = Float64Array.from(shares, ([, whole]) => whole);
  const expected = shares.map(([part, whole]) => formatShare(part / whole) + "\n").join("");
  for (const [name, writer] of Object.entries(WRITERS)) {
    await t.step(name, () => {
      const others = new Float64Array(parts.length);
      assertEquals(write(writer, shares.length, [{ kind: "share", parts, wholes, others }]), expected);
    });
  }
});

Deno.test("rows come in pieces, the longest of them as one", async (t) => {
  const lengths = Int32Array.from({ length: 60 }, (_, row) => row === 31 ? 300_000 : 9_000);
  const starts = lengths.map(() => 0);
  const cells: RowCell[] = [{ kind: "bytes", data: new Uint8Array(300_000).fill(0x61), starts, lengths }];
  for (const [name, writer] of Object.entries(WRITERS)) {
    await t.step(name, () => {
      const pieces = Array.from(writer.write(60, cells) ?? [], (piece) => piece.length);
      assertEquals(pieces.reduce((sum, length) => sum + length), 59 * 9_001 + 300_001);
      assertEquals(pieces.length > 2, true);
      assertEquals([...writer.write(0, []) ?? ["no"]], []);
    });
  }
});

Deno.test("texts that TSV may not hold as they are, are left to the escaping writer", async (t) => {
  const row = (data: Uint8Array): RowCell => ({
    kind: "bytes",
    data,
    starts: Int32Array.of(0),
    lengths: Int32Array.of(data.length),
  });
  for (const [name, writer] of Object.entries(WRITERS)) {
    await t.step(name, () => {
      for (let byte = 0; byte < 256; byte++) {
        const isHeld = byte >= 0x20 && byte < 0x7f && byte !== 0x5c;
        for (const length of [1, 15, 16, 17, 40]) {
          const text = new Uint8Array(length).fill(0x41).with(byte * 7 % length, byte);
          // What lies behind the text in memory is not asked about.
          assertEquals(
            writer.write(1, [row(new Uint8Array(64).fill(byte).subarray(0, 0)), row(text)]) !== undefined,
            isHeld,
          );
        }
      }
    });
  }
});
