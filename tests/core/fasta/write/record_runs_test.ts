import { assertEquals } from "@std/assert";
import fc from "fast-check";
import type { FastaHead } from "../../../../src/core/fasta/text/fasta_batch.ts";
import { HeaderWriter } from "../../../../src/core/fasta/write/_header_writer.ts";
import { LF } from "../../../../src/core/fasta/text/bases.ts";
import { makeRewrapRoutines, type RewrapRoutines } from "../../../../src/core/fasta/write/_rewrap_routines.ts";
import { PlainRewrapRoutines } from "./_plain_rewrap_routines.ts";
import { INPUT_BYTES, OUTPUT_BYTES, RewrapScanner } from "../../../../src/core/fasta/write/_rewrap_scanner.ts";
import type { ScanLimits, ScannedRows } from "../../../../src/core/fasta/scan/scanner.ts";
import { bytesOf } from "../_naive.ts";

const WASM = makeRewrapRoutines(INPUT_BYTES, OUTPUT_BYTES);
const PLAIN = new PlainRewrapRoutines(INPUT_BYTES, OUTPUT_BYTES);
const REGISTRY: FastaHead = { kind: "registry", fields: ["acc", "Host", "Country"] };
const ONE_FIELD: FastaHead = { kind: "registry", fields: ["acc"] };
const NO_FIELDS: FastaHead = { kind: "plain", fields: ["id", "description"] };
const LIMITS: ScanLimits = {
  name: "standard input",
  keepsSequences: true,
  batchRows: 16_384,
  batchBytes: 8 << 20,
  maxRecordBytes: 1 << 30,
  maxHeaderBytes: 1 << 20,
};

interface Case {
  readonly head: FastaHead;
  readonly template?: string | undefined;
  readonly wrap?: number;
  readonly limits?: Partial<ScanLimits>;
  readonly pieceBytes?: number;
}

/** All that comes out of a scanner: each batch's rows and its chunks of text, and how it ended. */
function scanned(routines: RewrapRoutines, bytes: Uint8Array, { head, template, wrap = 70, ...rest }: Case) {
  routines.end = 0;
  const scanner = new RewrapScanner({ routines, limits: { ...LIMITS, ...rest.limits }, wrap });
  scanner.useHeaders({ endsAtPipe: head.kind === "registry", hashFactor: 0x9e3779b1 | 0 });
  scanner.writeHeaders(head, new HeaderWriter(head, template));
  const batches: unknown[] = [];
  const take = () => {
    const rows = settled(scanner.take());
    const text = Array.from(scanner.takeText(), (chunk) => new TextDecoder().decode(chunk));
    const { line, position } = scanner;
    batches.push({ rows, text, line, position });
  };
  try {
    for (let at = 0; at < bytes.length;) {
      const piece = bytes.subarray(at, at + (rest.pieceBytes ?? bytes.length));
      const stop = scanner.scan(piece, 0);
      at += stop;
      if (scanner.isFull) take();
      else if (stop < piece.length) {
        const found = bytes.indexOf(LF, at);
        const next = found < 0 ? bytes.length : found + 1;
        scanner.skip(next - at, found < 0 ? 0 : 1);
        at = next;
      }
    }
    scanner.finish();
    take();
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    batches.push(error.message);
  }
  return batches;
}

/** Rows as they are kept; of those without an odd letter nobody asks which it is. */
function settled(rows: ScannedRows) {
  const isOdd = (_: number, row: number) => rows.invalidByte[row] >= 0;
  return {
    ...rows,
    headers: { offsets: rows.headers.offsets.slice(), data: rows.headers.data.slice() },
    idLengths: rows.idLengths.slice(),
    idHashes: rows.idHashes.slice(),
    valueCounts: rows.valueCounts.slice(),
    headerMarks: rows.headerMarks.slice(),
    length: rows.length.slice(),
    line: rows.line.slice(),
    byte: rows.byte.slice(),
    invalidByte: rows.invalidByte.slice(),
    invalidBase: rows.invalidBase.filter(isOdd),
    invalidLine: rows.invalidLine.filter(isOdd),
    gcBases: null,
    ambiguous: null,
  };
}

/** Records that the compiled module left to TypeScript. */
let left = 0;
const begin = WASM.begin.bind(WASM);
WASM.begin = () => {
  left += 1;
  begin();
};

/** Scans with both modules; how many records the compiled one left to TypeScript. */
function assertSame(text: string, options: Case): number {
  const bytes = bytesOf(text);
  left = 0;
  const fast = scanned(WASM, bytes, options);
  const counted = left;
  assertEquals(fast, scanned(PLAIN, bytes, options));
  return counted;
}

const REGISTRY_HEADERS = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.tuple(
      fc.constantFrom("v1", "v2", "v 3", "vj000000000001"),
      fc.stringMatching(/^[ -{}~\t]{0,40}$/),
      fc.stringMatching(/^[A-Za-z >;]{0,9}$/),
    ).map((values) => values.join("|")),
  },
  fc.constantFrom("", "v1|bat", "v1|bat|Chile|", "||", "v1||\r", "v\r1|bat|Chile", "é|bat|Chile", "v1|bat|Chilé", "v1"),
  fc.string({ maxLength: 40 }),
);
const PLAIN_HEADERS = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.tuple(
      fc.constantFrom("v1", "v2|x", "|", "", "vj000000000001"),
      fc.constantFrom("", " ", "\t\v\f ", "\0"),
      fc.stringMatching(/^[ -~]{0,40}$/),
    ).map((parts) => parts.join("")),
  },
  fc.constantFrom("v1\r", "v\r 1", "é x", "v1 é"),
  fc.string({ maxLength: 40 }),
);
const LINES = fc.oneof(
  fc.stringMatching(/^[ACGTNacgtn*.-]{0,80}$/),
  fc.constantFrom("A".repeat(16), "ACGTN".repeat(14), "", "AC GT", "A>C", "1", " >", ";fields=a|b", "AC\r", "é"),
);
const casesOf = (headers: fc.Arbitrary<string>) => {
  const record = fc.tuple(headers, fc.array(LINES, { maxLength: 4 }), fc.constantFrom("\n", "\n", "\n", "\r\n"));
  return fc.record({
    text: fc.array(record, { maxLength: 12 }).map((records) =>
      records.map(([header, lines, end]) => [`>${header.replaceAll("\n", " ")}`, ...lines, ""].join(end)).join("")
    ),
    cut: fc.nat(12),
    pieceBytes: fc.oneof(fc.integer({ min: 1, max: 80 }), fc.integer({ min: 81, max: 2000 }), fc.constant(1 << 16)),
    wrap: fc.constantFrom(0, 1, 3, 16, 17, 70),
    limits: fc.record({
      batchRows: fc.constantFrom(16_384, 16_384, 1, 2, 5),
      batchBytes: fc.constantFrom(8 << 20, 8 << 20, 1, 40),
      maxRecordBytes: fc.constantFrom(1 << 30, 1 << 30, 0, 100),
      maxHeaderBytes: fc.constantFrom(1 << 20, 1 << 20, 14, 30),
    }),
  });
};

Deno.test("runs of records are what record after record is, of a registry FASTA", () => {
  const templates = fc.constantFrom(
    undefined,
    "{acc}",
    "{acc}|{Host}|{Country}",
    "é {Host}{Host}|{{{acc}}} {Country}",
    "x",
  );
  fc.assert(
    fc.property(casesOf(REGISTRY_HEADERS), templates, ({ text, cut, ...options }, template) => {
      assertSame(text.slice(0, text.length - cut), { ...options, head: REGISTRY, template });
    }),
    { numRuns: 400 },
  );
});

Deno.test("runs of records are what record after record is, of any FASTA", () => {
  const templates = fc.constantFrom(
    undefined,
    "{id}",
    "{id} {description}",
    "{description}|{id}|{id}",
    "é{description}",
  );
  fc.assert(
    fc.property(casesOf(PLAIN_HEADERS), templates, ({ text, cut, ...options }, template) => {
      assertSame(text.slice(0, text.length - cut), { ...options, head: NO_FIELDS, template });
    }),
    { numRuns: 400 },
  );
});

Deno.test("records that are simple are left as they are, and only they", () => {
  const simple = ">v1|bat|Chile\nACGT\nAC\n>v2||\n>|a b|\nAC1\n\n>v2|bat|Peru\nA\n";
  const long = (bytes: number) => `>${"v".repeat(bytes - 2)}||\nAC\n`;
  const wide = { kind: "registry", fields: Array.from({ length: 600 }, (_, n) => `f${n}`) } as const;
  const cases: [name: string, text: string, options: Case, left: number][] = [
    ["none", simple.repeat(3), { head: REGISTRY, template: "{Host}|{acc}" }, 0],
    ["one field", ">v1\nAC\n>\nAC\n>v1|\nAC\n>v2\n", { head: ONE_FIELD }, 1],
    ["any FASTA", ">v1 a b|\nAC\n>\nAC\n>x\n", { head: NO_FIELDS, template: "{description}|{id}" }, 0],
    ["blanks before an id", ">v1\nAC\n> x\nAC\n>\t x y\n", { head: NO_FIELDS, template: "{description}|{id}" }, 2],
    ["too few, too many values", `${simple}>v\nAC\n>v||||\nAC\n${simple}`, { head: REGISTRY }, 2],
    ["a mark", `${simple}>é||\nAC\n>v||\r\nAC\n${simple}`, { head: REGISTRY }, 2],
    ["a comment", `${simple};a comment\nAC\n${simple}`, { head: REGISTRY }, 0],
    ["a header that is cut", simple.slice(0, 8), { head: REGISTRY }, 1],
    ["a header that is long", long(1023) + long(1024) + long(1025) + simple, { head: REGISTRY }, 1],
    ["batches of two rows", simple.repeat(3), { head: REGISTRY, limits: { batchRows: 2 } }, 0],
    ["batches of few headers", simple.repeat(3), { head: REGISTRY, limits: { batchBytes: 15 } }, 0],
    ["a long template", simple, { head: REGISTRY, template: `{acc}${"x".repeat(4100)}` }, 4],
    ["many fields", `>${"|".repeat(599)}\nAC\n`, { head: wide }, 1],
  ];
  for (const [name, text, options, left] of cases) assertEquals(assertSame(text, options), left, name);
});

Deno.test("runs end where their rows, their headers, the output or a record are full, and others go on", () => {
  const rows = Array.from({ length: 2100 }, (_, n) => `>v${n}||\nAC\n`).join("");
  const headers = `>v|${"bat ".repeat(250)}|\nAC\n`.repeat(140);
  const record = `>v|bat|Chile\n${`${"ACGTN".repeat(14)}\n`.repeat(100)}`;
  const giant = `>v|bat|Chile\n${"ACGT".repeat(900_000)}\n`;
  const template = "{acc}|{Host}";
  assertEquals(assertSame(rows, { head: REGISTRY, template }), 0);
  assertEquals(assertSame(headers, { head: REGISTRY, template }), 0);
  assertEquals(assertSame(record.repeat(400), { head: REGISTRY, template }), 0);
  // A letter a line makes twice as much of a text: more than is waited for.
  assertEquals(assertSame(record + giant + record.repeat(2), { head: REGISTRY, template, wrap: 1 }), 0);
  // The line feed that ends a record may be what fills a batch: 71 bytes come out of 70.
  for (const more of [42, 43, 44]) {
    const letters = "A".repeat(Math.floor((1 << 20) / 71) * 70 + more);
    assertEquals(assertSame(`>v1\n${letters}\n>v\nAC\n`.repeat(2), { head: NO_FIELDS }), 0);
  }
  const tooLong = `${record.repeat(2)}>v||\n${"A".repeat(7001)}\n${record}`;
  assertSame(tooLong, { head: REGISTRY, template, limits: { maxRecordBytes: 7000 } });
});
