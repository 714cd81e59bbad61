import { assert, assertEquals, assertRejects } from "@std/assert";
import fc from "fast-check";
import { BatchSource, type ScanMeans, USUAL_MEANS } from "../../src/fasta/_batch_source.ts";
import { FastaError } from "../../src/fasta/mod.ts";
import { RangeScan } from "../../src/fasta/_range_scan.ts";
import { bytesOf } from "./_naive.ts";

const NEVER: ScanMeans = { ...USUAL_MEANS, splitBytes: Infinity };

/** Everything that a reading says of a file. */
async function readAll(path: string, means: ScanMeans) {
  const source = new BatchSource(path, { sequences: false, batchRows: 3 }, means);
  const rows: unknown[] = [];
  try {
    for (let batch = await source.next(); batch !== undefined; batch = await source.next()) {
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

Deno.test("a file that is split says the same as a whole one, wherever it is cut", async () => {
  const path = await Deno.makeTempFile();
  try {
    await fc.assert(
      fc.asyncProperty(fasta, fc.integer({ min: 1, max: 120 }), async (text, rangeBytes) => {
        await Deno.writeTextFile(path, text);
        const whole = await readAll(path, NEVER);
        // Without a worker: the main thread scans every range, since no worker is ready so soon.
        assertEquals(await readAll(path, { ...USUAL_MEANS, splitBytes: 0, rangeBytes }), whole);
      }),
      { numRuns: 40 },
    );
  } finally {
    await Deno.remove(path);
  }
});

Deno.test("a worker says the same as the main thread", async () => {
  const path = await Deno.makeTempFile();
  try {
    const record = (n: number) =>
      `>id${n % 900}|${n}\n${"ACGTN".repeat(n % 50)}\n${n % 7 === 0 ? ";note\n" : ""}acg>t\n`;
    const records = Array.from({ length: 30_000 }, (_, n) => record(n)).join("");
    await Deno.writeFile(path, bytesOf(";fields=a|b\n" + records));
    const split = await readAll(path, { ...USUAL_MEANS, splitBytes: 0, rangeBytes: 4096 });
    assertEquals(split, await readAll(path, NEVER));
    assert(split.rows.length === 30_000);
  } finally {
    await Deno.remove(path);
  }
});

Deno.test("the worker scans ranges as the main thread would, and goes when no more tasks come", async () => {
  const path = await Deno.makeTempFile();
  try {
    const text = Array.from({ length: 3000 }, (_, n) => `>id${n}\nACG\n;note\nTN\n`).join("");
    await Deno.writeTextFile(path, text);
    const limits = {
      name: path,
      keepsSequences: false,
      batchRows: 100,
      batchBytes: 1 << 20,
      maxRecordBytes: 100,
      maxHeaderBytes: 100,
    };
    const file = { path, begin: 0, size: text.length, limits, rule: { endsAtPipe: true, hashFactor: 77777 } };
    const worker = new Worker(new URL("../../src/fasta/_range_worker.ts", import.meta.url), { type: "module" });
    const { port1, port2 } = new MessageChannel();
    const answers: unknown[] = [];
    const isGone = new Promise<void>((resolve) => {
      port1.onmessage = ({ data }) => {
        answers.push(data);
        if (data === "ready") port1.postMessage({ index: 7, from: 1000, to: 9000 });
        if (data === "gone") resolve();
      };
    });
    worker.postMessage(file, [port2]);
    await isGone;
    port1.close();
    worker.terminate();

    const scan = new RangeScan(file);
    const parts: unknown[] = [];
    const ranges = scan.scan(1000, 9000, 0);
    let next = ranges.next();
    for (; !next.done; next = ranges.next()) parts.push(structuredClone(next.value));
    scan.close();
    assert(parts.length > 3);
    assertEquals(answers, ["ready", { index: 7, parts, lines: next.value }, "gone"]);
  } finally {
    await Deno.remove(path);
  }
});

Deno.test("a reading that is dropped half-way does not keep the process from its end", async () => {
  const path = await Deno.makeTempFile();
  try {
    await Deno.writeTextFile(path, ">a|b\nACGT\n".repeat(50_000));
    const source = new URL("../../src/fasta/_batch_source.ts", import.meta.url);
    const code = `import { BatchSource, USUAL_MEANS } from ${JSON.stringify(source)};
      const means = { ...USUAL_MEANS, splitBytes: 0, rangeBytes: 5000 };
      const source = new BatchSource(${JSON.stringify(path)}, { sequences: false }, means);
      console.log((await source.next()).rows > 0);`;
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

Deno.test("a file that becomes shorter while it is read is refused", async () => {
  const path = await Deno.makeTempFile();
  try {
    await Deno.writeTextFile(path, ">a\n" + "ACGT\n".repeat(100_000));
    const limits = {
      name: path,
      keepsSequences: false,
      batchRows: 10,
      batchBytes: 1 << 20,
      maxRecordBytes: 1,
      maxHeaderBytes: 100,
    };
    const scan = new RangeScan({ path, begin: 0, size: 500_003, limits, rule: { endsAtPipe: true, hashFactor: 1 } });
    await Deno.truncate(path, 1000);
    await assertRejects(async () => void await Array.fromAsync(scan.scan(0, 500_003, 1)), FastaError, "now ends after");
    scan.close();
  } finally {
    await Deno.remove(path);
  }
});

Deno.test("stopping early ends the worker and closes the file", async () => {
  const path = await Deno.makeTempFile();
  try {
    await Deno.writeTextFile(path, ">a|b\nACGT\n".repeat(50_000));
    const source = new BatchSource(path, { sequences: false }, { ...USUAL_MEANS, splitBytes: 0, rangeBytes: 5000 });
    assert(await source.next() !== undefined);
    // What is still open would be found by the test runner.
    await source.close();
  } finally {
    await Deno.remove(path);
  }
});
