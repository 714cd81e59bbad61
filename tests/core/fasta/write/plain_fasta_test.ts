import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import fc from "fast-check";
import { gzipSync } from "node:zlib";
import {
  FastaError,
  headerTemplate,
  plainFasta,
  type PlainFastaOptions,
  readFastaBatches,
  writePlainBatches,
} from "../../../../src/core/fasta/mod.ts";
import { rewriteBy } from "../../../../src/core/fasta/write/plain_fasta.ts";
import { makeRewrapRoutines } from "../../../../src/core/fasta/write/_rewrap_routines.ts";
import { PlainRewrapRoutines } from "./_plain_rewrap_routines.ts";
import { anyText } from "../../../_any_text.ts";
import { bytesOf, inPieces, joined } from "../_naive.ts";

const STRATEGIES = {
  wasm: { makeRoutines: makeRewrapRoutines },
  plain: { makeRoutines: (input: number, output: number) => new PlainRewrapRoutines(input, output) },
};

/** What the slow way writes, and says of the file. */
async function slowly(bytes: Uint8Array, { header, wrap, ...options }: PlainFastaOptions) {
  const reader = readFastaBatches(bytes, options);
  try {
    const { fields } = await reader.head();
    const make = header === undefined ? undefined : headerTemplate(header, fields);
    const text = await joined(writePlainBatches(reader, { header: make, wrap }));
    return { text, problems: reader.problems, ledger: reader.ledger };
  } catch (error) {
    return { error: error instanceof Error ? error.message : error };
  }
}

async function quickly(
  strategy: keyof typeof STRATEGIES,
  bytes: Uint8Array,
  pieceBytes: number,
  options: PlainFastaOptions,
) {
  const reader = rewriteBy(STRATEGIES[strategy], inPieces(bytes, pieceBytes), { name: "standard input", ...options });
  try {
    const text = await joined(reader);
    return { text, problems: reader.problems, ledger: reader.ledger };
  } catch (error) {
    return { error: error instanceof Error ? error.message : error };
  }
}

const line = fc.oneof(
  fc.stringMatching(/^[ACGTNacgtn*.-]{0,80}$/),
  fc.constantFrom(
    "A".repeat(70),
    "ACGT-".repeat(14),
    "",
    ";comment",
    ">",
    ">a|b",
    "> x",
    ";fields=a|b",
    "A C\tG",
    "\r",
  ),
  fc.stringMatching(/^[ -~]{0,90}$/),
  anyText({ maxLength: 20 }),
);
const text = fc.tuple(
  fc.constantFrom("", ";fields=acc|Host\n", "\uFEFF", "; hand made\n;fields=acc|Host\r\n"),
  fc.array(
    fc.tuple(
      fc.oneof(fc.constantFrom("v1|bat", "v2|", "v3", "a b c|d", "é x|y", "v4|a\rb", ""), fc.string({ maxLength: 20 })),
      fc.array(line, { maxLength: 6 }),
      fc.constantFrom("\n", "\r\n"),
    ),
    { maxLength: 6 },
  ),
).map(([head, records]) =>
  head + records.map(([header, lines, end]) => [`>${header}`, ...lines, ""].join(end)).join("")
);

Deno.test("plainFasta() writes and says what the slow way does, however the text is cut", async () => {
  await fc.assert(
    fc.asyncProperty(
      text.map((text) => new TextEncoder().encode(text)),
      fc.oneof(fc.integer({ min: 1, max: 90 }), fc.integer({ min: 91, max: 4000 })),
      fc.constantFrom(undefined, 0, 1, 3, 16, 17, 60, 70),
      fc.constantFrom(undefined, "{id}|{id}", "x {id} y"),
      fc.constantFrom("wasm", "plain"),
      async (bytes, pieceBytes, wrap, header, strategy) => {
        const options = { header, wrap, name: "standard input" };
        assertEquals(await quickly(strategy, bytes, pieceBytes, options), await slowly(bytes, options));
      },
    ),
    { numRuns: 200 },
  );
});

Deno.test("plainFasta() writes long records, and records of one base per line", async (t) => {
  const letters = "ACGTNACGT-".repeat(250_000);
  const texts: Record<string, string> = {
    "a long line": `>a\n${letters}\n>b\nAC\n`,
    "a long record, one header wrong": `;fields=a|b\n>1\n${letters}\n>2|x\n${letters.replace(/.{60}/g, "$&\n")}`,
    "one letter a line": `>a\n${"A\n>\n".repeat(20_000)}`,
  };
  for (const [name, text] of Object.entries(texts)) {
    for (const [strategy, wrap] of [["wasm", 70], ["wasm", 0], ["plain", 1]] as const) {
      await t.step(`${name}, ${strategy}, ${wrap}`, async () => {
        const options = { wrap, name: "standard input", maxProblems: 3 };
        const bytes = bytesOf(text);
        const fast = await quickly(strategy, bytes, 1 << 19, options);
        const slow = await slowly(bytes, options);
        assert(fast.text === slow.text);
        assertEquals(fast.ledger, slow.ledger);
      });
    }
  }
});

Deno.test("plainFasta() reads a large file ahead, gzip too, and closes what a consumer leaves", async () => {
  const path = await Deno.makeTempFile();
  const lines = "ACGT".repeat(5_000).replace(/.{70}/g, "$&\n");
  const text = Array.from({ length: 450 }, (_, n) => `>a${n} of 450\n${lines}\n`).join("");
  await Deno.writeTextFile(path, text);
  const whole = await joined(plainFasta(path, { header: "{id} {description}" }));
  assert(whole === text.replaceAll("\n\n", "\n"));
  for await (const _ of plainFasta(path)) break;
  const stop = new AbortController();
  const aborted = async () => {
    for await (const _ of plainFasta(path, { signal: stop.signal })) stop.abort(new Error("enough"));
  };
  await assertRejects(aborted, Error, "enough");
  await Deno.writeFile(path, gzipSync(text, { level: 1 }));
  assert(await joined(plainFasta(path, { header: "{id} {description}" })) === whole);
  await Deno.remove(path);
});

Deno.test("plainFasta() keeps a chunk as it is while the next is made", async () => {
  const text = `>a\n${"ACGT".repeat(200)}\n`.repeat(4_000);
  const reader = plainFasta(bytesOf(text), { wrap: 0 });
  let before: Uint8Array | undefined;
  let all = "";
  for await (const chunk of reader) {
    if (before !== undefined) all += new TextDecoder().decode(before);
    before = chunk;
  }
  assert(all + new TextDecoder().decode(before) === text);
});

Deno.test("plainFasta() refuses what it cannot mean, and what is too long", async () => {
  assertThrows(() => plainFasta(bytesOf(""), { wrap: -1 }), RangeError, "from 0 to 1,000,000,000");
  assertThrows(() => plainFasta(bytesOf(""), { header: "{" }), TypeError, "has no partner");
  await assertRejects(() => joined(plainFasta(bytesOf(">a\n"), { header: "{b}" })), TypeError, "unknown field");
  const long = bytesOf(">a x\nACGT\nACGT\n");
  const error = await assertRejects(
    () => joined(plainFasta(long, { maxRecordBytes: 7 })),
    FastaError,
    "--max-record-bytes",
  );
  assertEquals([error.id, error.line], ["a", 1]);
  await assertRejects(
    () => joined(plainFasta(long, { maxHeaderBytes: 2 })),
    FastaError,
    "readFasta() with maxHeaderBytes",
  );
});
