import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { gzipSync } from "node:zlib";
import { BatchSource, type ScanStrategy, USUAL_STRATEGY } from "../../../../src/core/fasta/records/batch_source.ts";
import { FastaError } from "../../../../src/core/fasta/mod.ts";
import { GzipError } from "../../../../src/core/io/gzip/gunzip.ts";
import { type RangeFile, RangeScan, type TextRange } from "../../../../src/core/fasta/ranges/range_scan.ts";
import { block, blocks, joined, writeBlocks } from "../_blocks.ts";
import { bytesOf } from "../_naive.ts";

const NEVER: ScanStrategy = { ...USUAL_STRATEGY, splitBytes: Infinity };

/** Everything that a reading says of a file. */
async function readAll(path: string, strategy: ScanStrategy) {
  const source = new BatchSource(path, { sequences: false, batchRows: 3 }, strategy);
  const rows: unknown[] = [];
  try {
    for await (const batch of source.batches()) {
      for (let row = 0; row < batch.rows; row++) {
        const counts = [batch.length[row], batch.gcLetters[row], batch.ambiguous[row]];
        rows.push([batch.ids[row], ...counts, batch.line[row], batch.byte[row]]);
      }
    }
  } finally {
    await source.close();
  }
  const { ledger, problems } = { ledger: source.log.ledger(), problems: source.log.problems };
  const sorted = [...problems].sort((a, b) => a.byte! - b.byte! || a.reason.localeCompare(b.reason));
  return { rows, problems: sorted, ledger, bytes: source.bytes };
}

const line = fc.oneof(
  { weight: 4, arbitrary: fc.stringMatching(/^[ACGTN]{0,60}$/) },
  { weight: 3, arbitrary: fc.stringMatching(/^>[a-c>]{0,3}\|[a-z;]{0,5}$/) },
  { weight: 1, arbitrary: fc.stringMatching(/^;[ -~]{0,9}$/).filter((text) => !text.startsWith(";fields")) },
  { weight: 1, arbitrary: fc.stringMatching(/^[ -~]{0,20}$/).filter((text) => !text.startsWith(";")) },
);
const fasta = fc.tuple(fc.boolean(), fc.array(fc.tuple(line, fc.constantFrom("\n", "\r\n")), { maxLength: 40 }), line)
  .map(([fields, lines, last]) => `${fields ? ";fields=a|b\n" : "\n"}>first|\n${lines.flat().join("")}${last}`);

/** What a reading says, or how it fails. */
async function outcome(path: string, strategy: ScanStrategy): Promise<unknown> {
  try {
    return await readAll(path, strategy);
  } catch (error) {
    assert(error instanceof FastaError || error instanceof GzipError, String(error));
    return [error.name, error.message, error.byte];
  }
}

Deno.test("blocks that are split say the same as the whole, wherever they and the ranges are cut", async () => {
  const path = await Deno.makeTempFile();
  try {
    const cuts = fc.array(fc.nat(900), { maxLength: 40 });
    const tail = fc.constantFrom("end", "none", "zeros", "member", "garbage", "cut", "damage");
    await fc.assert(
      fc.asyncProperty(fasta, cuts, fc.integer({ min: 1, max: 120 }), tail, async (text, cuts, rangeBytes, tail) => {
        const parts = blocks(bytesOf(text), cuts);
        if (tail === "end") parts.push(block(new Uint8Array(0)));
        if (tail === "zeros") parts.push(new Uint8Array(40));
        if (tail === "member") parts.push(new Uint8Array(gzipSync("ACG\n>more|x\nTT\n")));
        if (tail === "garbage") parts.push(bytesOf("garbage that is no block"));
        let bytes = joined(parts);
        if (tail === "cut") bytes = bytes.subarray(0, -1 - text.length % 30);
        if (tail === "damage") bytes = bytes.with(bytes.length - 5, bytes[bytes.length - 5] ^ 1);
        await Deno.writeFile(path, bytes);
        const split = await outcome(path, { ...USUAL_STRATEGY, splitBytes: 0, rangeBytes });
        assertEquals(split, await outcome(path, NEVER));
      }),
      { numRuns: 20 },
    );
  } finally {
    await Deno.remove(path);
  }
});

Deno.test("a worker says the same of blocks as the main thread", async () => {
  const path = await Deno.makeTempFile();
  try {
    const record = (n: number) =>
      `>id${n % 900}|${n}\n${"ACGTN".repeat(n % 50)}\n${n % 7 === 0 ? ";note\n" : ""}acg>t\n`;
    await writeBlocks(path, ";fields=a|b\n" + Array.from({ length: 8_000 }, (_, n) => record(n)).join(""), 3000);
    const split = await readAll(path, { ...USUAL_STRATEGY, splitBytes: 0, rangeBytes: 8192 });
    assertEquals(split, await readAll(path, NEVER));
    assert(split.rows.length === 8_000 && split.ledger.warnings.every((warning) => !warning.includes("end block")));
  } finally {
    await Deno.remove(path);
  }
});

const FIRST_BLOCK = { compressed: 0, uncompressed: 0 };

/** Asks a worker for a range; gives all that it says until it goes. */
async function askWorker(file: RangeFile, range: TextRange): Promise<unknown[]> {
  const worker = new Worker(new URL("../../../../src/core/fasta/ranges/_range_worker.ts", import.meta.url), {
    type: "module",
  });
  const { port1, port2 } = new MessageChannel();
  const answers: unknown[] = [];
  const isGone = new Promise<void>((resolve) => {
    port1.onmessage = ({ data }) => {
      answers.push(data);
      if (data === "ready") port1.postMessage({ index: 7, range });
      if (data === "gone") resolve();
    };
  });
  worker.postMessage(file, [port2]);
  await isGone;
  port1.close();
  worker.terminate();
  return answers;
}

function fileOf(path: string, size: number): RangeFile {
  const limits = {
    name: path,
    keepsSequences: false,
    batchRows: 100,
    batchBytes: 1 << 20,
    maxRecordBytes: 100,
    maxHeaderBytes: 100,
  };
  return { path, begin: 0, size, limits, rule: { endsAtPipe: true, hashFactor: 77777 } };
}

Deno.test("the worker scans ranges as the main thread would, and goes when no more tasks come", async () => {
  const path = await Deno.makeTempFile();
  try {
    const text = Array.from({ length: 3000 }, (_, n) => `>id${n}\nACG\n;note\nTN\n`).join("");
    const file = fileOf(path, await writeBlocks(path, text, 3000));
    const range = { from: 1000, to: 9000, fileBytes: 9000, block: FIRST_BLOCK };
    const answers = await askWorker(file, range);
    const scan = RangeScan.open(file);
    const parts: unknown[] = [];
    const ranges = scan.scan(range, 0);
    let next = ranges.next();
    for (; !next.done; next = ranges.next()) if (next.value !== undefined) parts.push(structuredClone(next.value));
    scan.close();
    assert(parts.length > 3);
    assertEquals(answers, ["ready", { index: 7, parts, lines: next.value }, "gone"]);
  } finally {
    await Deno.remove(path);
  }
});

Deno.test("the worker leaves a range of too many records to the main thread, and one that it cannot scan", async () => {
  const path = await Deno.makeTempFile();
  try {
    for (const text of [">\n".repeat(600_000), `>${"x".repeat(200)}\n`]) {
      const file = fileOf(path, await writeBlocks(path, text, 60_000));
      const answers = await askWorker({ ...file, limits: { ...file.limits, batchRows: 16_384 } }, {
        from: 0,
        to: text.length,
        fileBytes: file.size,
        block: FIRST_BLOCK,
      });
      assertEquals(answers, ["ready", { index: 7, lines: 0 }, "gone"]);
    }
  } finally {
    await Deno.remove(path);
  }
});

Deno.test("a reading that is dropped half-way does not keep the process from its end", async () => {
  const path = await Deno.makeTempFile();
  try {
    await writeBlocks(path, ">a|b\nACGT\n".repeat(50_000), 5000);
    const source = new URL("../../../../src/core/fasta/records/batch_source.ts", import.meta.url);
    const code = `import { BatchSource, USUAL_STRATEGY } from ${JSON.stringify(source)};
      const strategy = { ...USUAL_STRATEGY, splitBytes: 0, rangeBytes: 5000 };
      const source = new BatchSource(${JSON.stringify(path)}, { sequences: false }, strategy);
      console.log((await source.batches().next()).value.rows > 0);`;
    // A worker that stays is a process that stays: the signal ends it, and the test.
    const { success, stdout } = await new Deno.Command(Deno.execPath(), {
      args: ["eval", "--quiet", "--no-check", code],
      signal: AbortSignal.timeout(30_000),
    }).output();
    assertEquals(new TextDecoder().decode(stdout), "true\n");
    assert(success);
  } finally {
    await Deno.remove(path);
  }
});

Deno.test("stopping early ends the worker and closes the file", async () => {
  const path = await Deno.makeTempFile();
  try {
    await writeBlocks(path, ">a|b\nACGT\n".repeat(50_000), 5000);
    const source = new BatchSource(path, { sequences: false }, {
      ...USUAL_STRATEGY,
      splitBytes: 0,
      rangeBytes: 5000,
    });
    const batches = source.batches();
    assert(!(await batches.next()).done);
    // What is still open would be found by the test runner.
    await source.close();
  } finally {
    await Deno.remove(path);
  }
});

/** How many workers a reading starts. */
async function workersOf(path: string, strategy: ScanStrategy, sequences = false): Promise<number> {
  const { Worker } = globalThis;
  let count = 0;
  globalThis.Worker = class extends Worker {
    constructor(url: string | URL, options?: WorkerOptions) {
      super(url, options);
      count += 1;
    }
  };
  const source = new BatchSource(path, { sequences }, strategy);
  try {
    await source.head();
    return count;
  } finally {
    globalThis.Worker = Worker;
    await source.close();
  }
}

Deno.test("a worker helps with BGZF from a size on, when no bases are kept, and never with a plain file", async () => {
  const [plain, bgzf] = [await Deno.makeTempFile(), await Deno.makeTempFile()];
  try {
    const text = ">a\n" + "ACGT\n".repeat(2_000_000);
    await Deno.writeTextFile(plain, text);
    const size = await writeBlocks(bgzf, text.slice(0, 100_000), 5000);
    assertEquals(await workersOf(bgzf, { ...USUAL_STRATEGY, splitBytes: size }), 1);
    assertEquals(await workersOf(bgzf, { ...USUAL_STRATEGY, splitBytes: size + 1 }), 0);
    assertEquals(await workersOf(bgzf, { ...USUAL_STRATEGY, splitBytes: size }, true), 0);
    assertEquals(await workersOf(plain, { ...USUAL_STRATEGY, splitBytes: 0 }), 0);
    assertEquals(USUAL_STRATEGY.splitBytes, 16_000_000);
  } finally {
    await Deno.remove(plain);
    await Deno.remove(bgzf);
  }
});
