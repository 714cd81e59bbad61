import { assert, assertRejects } from "@std/assert";
import { gzipSync } from "node:zlib";
import { BatchSource, USUAL_STRATEGY } from "../../../src/core/fasta/records/batch_source.ts";
import { BgzfInflater } from "../../../src/core/fasta/bgzf/bgzf.ts";
import { buildFastaIndex } from "../../../src/core/fasta/index/build_fasta_index.ts";
import { GzipInflater } from "../../../src/core/io/gzip/gzip_inflater.ts";
import { writeBlocks } from "./_blocks.ts";
import { bytesOf } from "./_naive.ts";

/** One record, as long as it takes: nothing but time lets anybody else have a turn. */
const TEXT = bytesOf(">a\n" + "ACGTACGTAC\n".repeat(3_000_000));

/**
 * Milliseconds from the moment that somebody could abort until the reading ends, by a clock that goes on by 5 ms at
 * each read and for each piece that is inflated: a busy machine is no part of it.
 */
async function measureAbort(source: string | Uint8Array, splits: boolean): Promise<number> {
  const { now } = performance;
  const { read, readSync } = Deno.FsFile.prototype;
  const { inflate } = GzipInflater.prototype;
  let time = 0;
  let aborted = -1;
  const stop = new AbortController();
  const strategy = { ...USUAL_STRATEGY, splitBytes: splits ? 0 : Infinity };
  const batches = new BatchSource(source, { sequences: false, signal: stop.signal }, strategy);
  try {
    await batches.head();
    // From here on: a clock taken before a slow start would lie behind the last yield, and nothing would yield.
    time = performance.now();
    performance.now = () => source instanceof Uint8Array ? time += 1 : time;
    Deno.FsFile.prototype.readSync = function (bytes) {
      time += 5;
      return readSync.call(this, bytes);
    };
    Deno.FsFile.prototype.read = function (bytes) {
      time += 5;
      return read.call(this, bytes);
    };
    GzipInflater.prototype.inflate = function* (count) {
      for (const text of inflate.call(this, count)) {
        time += 5;
        yield text;
      }
    };
    setImmediate(() => {
      aborted = time;
      stop.abort(new Error("enough"));
    });
    await assertRejects(() => batches.batches().next(), Error, "enough");
    return aborted < 0 ? Infinity : time - aborted;
  } finally {
    performance.now = now;
    Object.assign(Deno.FsFile.prototype, { read, readSync });
    GzipInflater.prototype.inflate = inflate;
    await batches.close();
  }
}

Deno.test("an abort ends a reading within 50 ms, in the middle of a giant record too, and closes the file", async (t) => {
  const path = await Deno.makeTempFile();
  const gzip = await Deno.makeTempFile();
  const bgzf = await Deno.makeTempFile();
  try {
    await Deno.writeFile(path, TEXT);
    await writeBlocks(bgzf, TEXT, 60_000);
    await Deno.writeFile(gzip, new Uint8Array(gzipSync(TEXT, { level: 1 })));
    const readings: Record<string, [source: string | Uint8Array, splits: boolean]> = {
      "a file": [path, false],
      "a file of BGZF in ranges": [bgzf, true],
      "a gzip file": [gzip, false],
      "bytes": [TEXT, false],
    };
    for (const [name, [source, splits]] of Object.entries(readings)) {
      await t.step(name, async () => {
        const took = await measureAbort(source, splits);
        assert(took <= 50, `${took} ms`);
      });
    }
  } finally {
    await Deno.remove(path);
    await Deno.remove(gzip);
    await Deno.remove(bgzf);
  }
});

Deno.test("an abort ends the making of an index within 50 ms, in the middle of a read of many blocks too", async () => {
  const path = await Deno.makeTempFile();
  const { now } = performance;
  const { add } = BgzfInflater.prototype;
  const stop = new AbortController();
  let time = performance.now();
  let blocks = 0;
  try {
    await writeBlocks(path, TEXT, 60_000);
    performance.now = () => time;
    BgzfInflater.prototype.add = function* (chunk) {
      for (const text of add.call(this, chunk)) {
        if (blocks++ === 0) setImmediate(() => stop.abort(new Error("enough")));
        time += 5;
        yield text;
      }
    };
    await assertRejects(() => buildFastaIndex(path, { signal: stop.signal }), Error, "enough");
    assert(blocks <= 10, `${blocks} blocks of 5 ms`);
  } finally {
    performance.now = now;
    BgzfInflater.prototype.add = add;
    await Deno.remove(path);
  }
});

Deno.test("an abort is noticed within 50 ms between batches that come from one read", async () => {
  const { now } = performance;
  const stop = new AbortController();
  const batches = new BatchSource(bytesOf(">a\nAC\n".repeat(1000)), { batchRows: 1, signal: stop.signal });
  let time = performance.now();
  let count = 0;
  try {
    performance.now = () => time;
    await batches.head();
    setImmediate(() => stop.abort(new Error("enough")));
    await assertRejects(
      async () => {
        for await (const _ of batches.batches()) {
          count++;
          time += 5;
        }
      },
      Error,
      "enough",
    );
    assert(count <= 10, `${count} batches of 5 ms`);
  } finally {
    performance.now = now;
    await batches.close();
  }
});
