/** What takes a while: run by `deno task checks giant`. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { buildFastaIndex } from "../../../src/core/fasta/index/build_fasta_index.ts";
import { FastaError } from "../../../src/core/fasta/text/fasta_error.ts";
import { fastaStats } from "../../../src/core/fasta/stats/fasta_stats.ts";
import { plainFasta } from "../../../src/core/fasta/write/plain_fasta.ts";
import { readFastaBatches } from "../../../src/core/fasta/records/read_fasta_batches.ts";

const bytesOf = (text: string) => new TextEncoder().encode(text);

/** Each takes some seconds: what takes so long is stuck, or its time grows with the square of what it reads. */
const TIMEOUT_MS = 60_000;

type Feed = (chunks: Iterable<Uint8Array>) => AsyncGenerator<Uint8Array>;

/** A test that fails when its time is over, at the latest when a source that it feeds is asked for the next chunk. */
function testInTime(name: string, work: (feed: Feed) => Promise<void>): void {
  Deno.test(name, async () => {
    const deadline = performance.now() + TIMEOUT_MS;
    const checkTime = () => assert(performance.now() < deadline, `it takes longer than ${TIMEOUT_MS} ms`);
    await work(async function* (chunks) {
      for (const chunk of chunks) {
        checkTime();
        yield chunk;
      }
    });
    checkTime();
  });
}

testInTime(
  "readFastaBatches() reads a record of 300 MB, and millions of empty ones, in bounded memory",
  async (feed) => {
    const chunk = new Uint8Array(1 << 20).fill(0x41);
    const giant = (function* () {
      yield bytesOf(">a\n");
      for (let count = 0; count < 300; count++) yield chunk;
    })();
    for await (const batch of readFastaBatches(feed(giant))) assertEquals(batch.length[0], 300 << 20);

    const empty = bytesOf(">\n".repeat(1 << 19));
    const many = (function* () {
      for (let count = 0; count < 4; count++) yield empty;
    })();
    const reader = readFastaBatches(feed(many));
    let rows = 0;
    for await (const batch of reader) rows += batch.rows;
    assertEquals([rows, reader.problemCount, reader.problems.length], [1 << 21, 2 << 21, 1000]);
  },
);

testInTime("buildFastaIndex() and plainFasta() take ten million empty records in bounded memory", async (feed) => {
  const empty = bytesOf(">a\n".repeat(1 << 19));
  const many = function* () {
    for (let count = 0; count < 20; count++) yield empty;
  };
  const { count, empty: kept, emptyCount } = await buildFastaIndex(feed(many()));
  assertEquals([count, kept.length, emptyCount], [0, 1000, 20 << 19]);
  const reader = plainFasta(feed(many()));
  let bytes = 0;
  for await (const chunk of reader) bytes += chunk.length;
  assertEquals([bytes, reader.ledger.received, reader.problems.length], [20 * empty.length, 20 << 19, 1000]);
});

testInTime("fastaStats() keeps ten million ids apart, and finds the one that comes twice", async (feed) => {
  const many = function* () {
    for (let from = 0; from < 10_000_000; from += 100_000) {
      yield bytesOf(Array.from({ length: 100_000 }, (_, n) => `>r${from + n}\n`).join(""));
    }
    yield bytesOf(">r4321098\n");
  };
  const { records, max, ledger, problems } = await fastaStats(feed(many()));
  assertEquals([records, max, ledger.duplicate, problems.length], [10_000_001, 0, 1, 1000]);
  assertEquals(ledger.warnings[0], "1 record with an id that came before: r4321098 (line 10000001)");
});

testInTime(
  "a line of 2 GB is an error that names the limit and the option that lifts it, and is counted without one",
  async (feed) => {
    const chunk = new Uint8Array(1 << 20).fill(0x41);
    const line = function* () {
      yield bytesOf(">a\n");
      for (let count = 0; count < 1900; count++) yield chunk;
    };
    await assertRejects(
      () => Array.fromAsync(readFastaBatches(feed(line()))),
      FastaError,
      "raise maxRecordBytes (--max-record-bytes)",
    );
    const stats = await fastaStats(feed(line()));
    assertEquals(stats.max, 1900 << 20);
    let letters = 0;
    for await (const { length } of readFastaBatches(feed(line()), { sequences: false })) letters += length[0];
    assertEquals(letters, 1900 << 20);
  },
);
