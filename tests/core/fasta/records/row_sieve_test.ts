import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { ID_LIMITS } from "../../../../src/core/fasta/text/id_limits.ts";
import type { RowSieve } from "../../../../src/core/fasta/records/_row_sieve.ts";
import { PlainSieve } from "./_plain_sieve.ts";
import { BREAK_MARK, hashOf, NON_ASCII_MARK, type ScannedRows } from "../../../../src/core/fasta/scan/scanner.ts";
import { makeSieve, WasmSieve } from "../../../../src/core/fasta/records/_wasm_sieve.ts";

interface Row {
  readonly id: string;
  readonly rest: string;
  readonly values: number;
  readonly marks: number;
  readonly length: number;
  readonly invalidByte: number;
}

/** Rows as a scanner gives them, in columns with room for more; with few hashes, ids meet on one slot. */
function scanned(rows: readonly Row[], hashes = 0xffff_ffff): ScannedRows {
  const encoder = new TextEncoder();
  const headers = rows.map(({ id, rest }) => encoder.encode(id + rest));
  const ids = rows.map(({ id }) => encoder.encode(id));
  const offsets = new Int32Array(rows.length + 3);
  for (const [row, header] of headers.entries()) offsets[row + 1] = offsets[row] + header.length;
  const data = new Uint8Array(offsets[rows.length] + 5).fill(0x3f);
  for (const [row, header] of headers.entries()) data.set(header, offsets[row]);
  const numbers = (number: (row: Row) => number) => Float64Array.from([...rows.map(number), -1, -1]);
  const nothing = new Float64Array(rows.length);
  return {
    rows: rows.length,
    headers: { offsets, data },
    idLengths: Int32Array.from([...ids.map((id) => id.length), 9, 9]),
    idHashes: Int32Array.from([...ids.map((id) => hashOf(id, 0, id.length, 0x9e3779b9) & hashes), 9, 9]),
    valueCounts: Int32Array.from(numbers(({ values }) => values)),
    headerMarks: Uint8Array.from(numbers(({ marks }) => marks)),
    sequences: null,
    length: numbers(({ length }) => length),
    gcBases: nothing,
    ambiguous: nothing,
    line: nothing,
    byte: nothing,
    invalidBase: new Uint8Array(rows.length),
    invalidLine: nothing,
    invalidByte: numbers(({ invalidByte }) => invalidByte),
  };
}

/** Everything that a sieve finds; ids of foreign headers are asked for as the reader does. */
function sift(sieve: RowSieve, batches: readonly (readonly Row[])[], hashes?: number): unknown[] {
  const found: unknown[] = [];
  for (const [index, rows] of batches.entries()) {
    sieve.load(scanned(rows, hashes));
    for (let row = sieve.next(0); row < rows.length; row = sieve.next(row + 1)) {
      const id = new TextEncoder().encode(`${rows[row].id}\uFFFD`.repeat(row % 3));
      const seen = rows[row].marks & NON_ASCII_MARK && sieve.seen(hashOf(id, 0, id.length, 77777) & (hashes ?? -1), id);
      found.push([index, row, sieve.isDuplicate, seen]);
    }
    found.push(sieve.isOverfull);
  }
  return found;
}

const id = fc.oneof(
  { weight: 3, arbitrary: fc.nat(40).map((n) => `vj${String(n).padStart(12, "0")}`) },
  fc.stringMatching(/^[a-c]{0,9}$/),
  fc.string({ unit: "grapheme", maxLength: 3 }),
);
const often = <T>(usual: T, other: fc.Arbitrary<T>) => fc.oneof({ weight: 8, arbitrary: fc.constant(usual) }, other);
const row: fc.Arbitrary<Row> = fc.record({
  id,
  rest: fc.constantFrom("", " b", "|Chile|2020"),
  values: often(2, fc.nat(3)),
  marks: often(0, fc.constantFrom(BREAK_MARK, NON_ASCII_MARK, BREAK_MARK | NON_ASCII_MARK)),
  length: often(900, fc.constant(0)),
  invalidByte: often(-1, fc.constantFrom(0, 77)),
});

Deno.test("both sieves find the same rows", () => {
  const batches = fc.array(fc.array(row, { maxLength: 40 }), { maxLength: 6 });
  const limits = fc.constantFrom(ID_LIMITS, { mostIds: 7, mostBytes: 1000 }, { mostIds: 1000, mostBytes: 60 });
  fc.assert(
    fc.property(
      batches,
      fc.constantFrom(0, 2),
      limits,
      fc.constantFrom(-1, 3, 0),
      (batches, values, limits, hashes) => {
        const fast = makeSieve(values, limits);
        assert(fast instanceof WasmSieve);
        assertEquals(sift(fast, batches, hashes), sift(new PlainSieve(values, limits), batches, hashes));
      },
    ),
    { numRuns: 200 },
  );
});

Deno.test("a sieve keeps many ids apart, and finds each of them again", () => {
  const sieve = makeSieve(0);
  const batch = (from: number) =>
    Array.from({ length: 10_000 }, (_, n): Row => ({
      id: `vj${from + n}${"x".repeat(n % 20)}`,
      rest: "",
      values: 1,
      marks: 0,
      length: 1,
      invalidByte: -1,
    }));
  const batches = Array.from({ length: 6 }, (_, index) => batch(10_000 * index));
  // A very long id, and the first and the last batch again.
  batches.push([{ ...batches[0][0], id: "y".repeat(1 << 20) }], batches[0], batches[5]);
  const found = sift(sieve, batches);
  const expected = [
    ...Array.from({ length: 7 }, () => false),
    ...[7, 8].flatMap((index) => [...batches[0].map((_, row) => [index, row, true, 0]), false]),
  ];
  assertEquals(found.length, expected.length);
  assert(JSON.stringify(found) === JSON.stringify(expected));
});
