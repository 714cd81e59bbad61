import { assert, assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { FastaError } from "../../../../src/core/fasta/mod.ts";
import { PlainScanner } from "./_plain_scanner.ts";
import type { FastaScanner, ScanLimits } from "../../../../src/core/fasta/scan/scanner.ts";
import { textsOf } from "../../../../src/core/fasta/text/text_column.ts";
import { makeScanner, WasmScanner } from "../../../../src/core/fasta/scan/wasm_scanner.ts";
import { anyText } from "../../../_any_text.ts";
import { bytesOf } from "../_naive.ts";

const LIMITS: ScanLimits = {
  name: "x.fasta",
  keepsSequences: true,
  batchRows: 3,
  batchBytes: 150,
  maxRecordBytes: 1000,
  maxHeaderBytes: 1000,
};

/** Everything that a scanner says of a text, which begins with a record and is cut at the given places. */
function scanAll(scanner: FastaScanner, text: Uint8Array, cuts: readonly number[], copies: boolean) {
  scanner.useHeaders({ endsAtPipe: cuts.length % 2 === 0, hashFactor: -77777 });
  const rows: unknown[] = [];
  const stops: number[] = [];
  const take = () => {
    const scanned = scanner.take();
    const headers = textsOf(scanned.headers);
    const sequences = scanned.sequences === null ? [] : textsOf(scanned.sequences);
    for (let row = 0; row < scanned.rows; row++) {
      const isOdd = scanned.invalidByte[row] >= 0;
      rows.push([
        headers[row],
        [scanned.idLengths[row], scanned.idHashes[row], scanned.valueCounts[row], scanned.headerMarks[row]],
        sequences[row],
        [scanned.length[row], scanned.gcBases[row], scanned.ambiguous[row]],
        [scanned.line[row], scanned.byte[row]],
        isOdd ? [scanned.invalidBase[row], scanned.invalidLine[row], scanned.invalidByte[row]] : [],
      ]);
    }
    rows.push("batch");
  };
  const places = [0, ...new Set(cuts.filter((cut) => cut > 0 && cut < text.length)), text.length].sort((a, b) => a - b);
  for (let piece = 0; piece + 1 < places.length; piece++) {
    let bytes = text.subarray(places[piece], places[piece + 1]);
    if (!copies) {
      const input = scanner.input.subarray(0, bytes.length);
      input.set(bytes);
      bytes = input;
    }
    for (let at = 0; at < bytes.length;) {
      at = scanner.scan(bytes, at);
      if (scanner.isFull) take();
      else if (at < bytes.length) {
        // A line that begins with `;`, which ends at a line feed or where the piece ends: the next bytes are scanned.
        stops.push(scanner.position);
        const end = bytes.indexOf(10, at);
        const next = end < 0 ? bytes.length : end + 1;
        scanner.skip(next - at, end < 0 ? 0 : 1);
        at = next;
      }
    }
  }
  scanner.finish();
  take();
  return { rows, stops, position: scanner.position, line: scanner.line };
}

const letters = fc.oneof(
  { weight: 6, arbitrary: fc.stringMatching(/^[ACGTUacgtu]{0,200}$/) },
  { weight: 3, arbitrary: fc.stringMatching(/^[A-Za-z]{0,90}$/) },
  { weight: 2, arbitrary: fc.stringMatching(/^[ACGTN*. -]{0,90}$/) },
  { weight: 1, arbitrary: fc.stringMatching(/^[ -~\t\r]{0,90}$/) },
  { weight: 1, arbitrary: anyText({ maxLength: 20 }) },
);
const header = fc.oneof(
  fc.stringMatching(/^>[ -~\r]{0,60}$/),
  fc.string({ unit: "grapheme", maxLength: 40 }).map((text) => `>${text.replaceAll("\n", "|")}`),
);
const comment = fc.stringMatching(/^;[ -~]{0,9}$/);
const line = fc.oneof({ weight: 5, arbitrary: letters }, { weight: 3, arbitrary: header }, comment);
const end = fc.constantFrom("\n", "\n", "\n", "\r\n", "\n\n");
const fasta = fc.tuple(fc.array(fc.tuple(line, end), { maxLength: 25 }), line)
  .map(([lines, last]) => bytesOf(">first\n" + lines.flat().join("") + last));

Deno.test("both scanners say the same of any text, however it is cut", () => {
  const places = fc.array(fc.nat(2000), { maxLength: 30 });
  fc.assert(
    fc.property(fasta, places, fc.boolean(), fc.boolean(), (text, cuts, keepsSequences, copies) => {
      const limits = { ...LIMITS, keepsSequences, maxRecordBytes: 1e9, maxHeaderBytes: 1e6 };
      const expected = scanAll(new PlainScanner(limits), text, cuts, copies);
      const scanner = makeScanner(limits);
      assert(scanner instanceof WasmScanner);
      assertEquals(scanAll(scanner, text, cuts, copies), expected);
    }),
    { numRuns: 400 },
  );
});

Deno.test("both scanners say the same at every single boundary", async (t) => {
  const texts: Record<string, string> = {
    "clean lines": ">a b\n" + ("ACGTacgtUu".repeat(7) + "\n").repeat(4) + ">c\nGGCC\n",
    "mixed": ">a\r\nACGTN-*\r\n;note\r\nRYK M\n\n>>b|c\n>\n1A\n>d>e\nAC>GT;A\n " + "n".repeat(80) + "\n>x",
    "one line": ">a\n" + "ACGT".repeat(50),
    "a mark behind a full block": ">a\n" + "A".repeat(63) + "\n>b\n" + "C".repeat(127) + "\n;c\nG\n",
  };
  for (const [name, text] of Object.entries(texts)) {
    await t.step(name, () => {
      const bytes = bytesOf(text);
      for (const keepsSequences of [true, false]) {
        const limits = { ...LIMITS, keepsSequences };
        for (let cut = 0; cut < bytes.length; cut++) {
          const expected = scanAll(new PlainScanner(limits), bytes, [cut], true);
          assertEquals(scanAll(makeScanner(limits), bytes, [cut], cut % 2 === 0), expected);
        }
        const everywhere = Array.from(bytes, (_, place) => place);
        assertEquals(
          scanAll(makeScanner(limits), bytes, everywhere, true),
          scanAll(new PlainScanner(limits), bytes, everywhere, true),
        );
      }
    });
  }
});

Deno.test("both scanners say the same of every byte, wherever it stands in a block", () => {
  const records: Uint8Array[] = [];
  for (let byte = 0; byte < 256; byte++) {
    for (let vector = 0; vector < 4; vector++) {
      const record = bytesOf(`>${byte}\n${"ACGTacgtUuGC".repeat(11)}\n`);
      const begin = record.indexOf(10) + 1;
      record[begin + 16 * vector + byte * 5 % 16] = byte;
      records.push(record);
    }
  }
  // As many of one kind as a counter can hold, and more.
  for (const letter of ["G", "c", "\n", "\nG", "A", "N", "Cn"]) records.push(bytesOf(`>\n${letter.repeat(9000)}\n`));
  const text = new Uint8Array(records.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const record of records) text.set(record, (at += record.length) - record.length);
  for (const keepsSequences of [false, true]) {
    const limits = { ...LIMITS, keepsSequences, batchRows: 5000, batchBytes: 1 << 20, maxRecordBytes: 1e5 };
    const [plain, fast] = [new PlainScanner(limits), makeScanner(limits)].map((scanner) =>
      scanAll(scanner, text, [], true)
    );
    assert(plain.rows.length > 1000);
    assertEquals(fast, plain);
  }
});

Deno.test("both scanners stop at the same limits with the same words", async (t) => {
  const limits: Record<string, [text: string, limits: Partial<ScanLimits>]> = {
    "header": [">abc def\nA\n", { maxHeaderBytes: 6 }],
    "header without an end": [">" + "a".repeat(50), { maxHeaderBytes: 49 }],
    "sequence": [">a\nA\n>abc d\n" + "ACGT\n".repeat(9) + ">x\nA\n", { maxRecordBytes: 35 }],
    // Its header ends where the first piece does.
    "sequence of a header of one word": [">xy\nA\n>a\n" + "ACGT".repeat(99), { maxRecordBytes: 395 }],
    "sequence without an end": [">abc|d\n" + "ACGT".repeat(99), { maxRecordBytes: 395 }],
  };
  for (const [name, [text, some]] of Object.entries(limits)) {
    await t.step(name, () => {
      const errors = [new PlainScanner({ ...LIMITS, ...some }), makeScanner({ ...LIMITS, ...some })].map((scanner) => {
        const { message, line, byte, id } = assertThrows(() => scanAll(scanner, bytesOf(text), [9], true), FastaError);
        return { message, line, byte, id };
      });
      assertEquals(errors[1], errors[0]);
    });
  }
});

Deno.test("a batch is full at its rows, bases or headers alike", async (t) => {
  const limits: Record<string, Partial<ScanLimits>> = {
    "rows": { batchRows: 2, batchBytes: 1 << 20 },
    "letters": { batchRows: 100, batchBytes: 9 },
    "headers, letters not kept": { batchRows: 100, batchBytes: 9, keepsSequences: false },
  };
  const text = bytesOf(">abc\nACGTAC\n".repeat(20));
  for (const [name, some] of Object.entries(limits)) {
    await t.step(name, () => {
      const plain = scanAll(new PlainScanner({ ...LIMITS, ...some }), text, [], false);
      assertEquals(scanAll(makeScanner({ ...LIMITS, ...some }), text, [], false), plain);
      assert(plain.rows.filter((row) => row === "batch").length > 3);
    });
  }
});
