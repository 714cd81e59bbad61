/** The records of the rows of a version in a temporary file: written in the order of the rows, read several times. */
import { writeAll } from "@seqreg/core/io/files";
import { RECORD_BYTES } from "./_row_hasher.ts";

/** Bytes that are gathered before they are written, and read at a time: whole records. */
const BLOCK_BYTES = 16_384 * RECORD_BYTES;

/** A file of records that is being written. */
export class HashFile implements Disposable {
  readonly #file: Deno.FsFile;
  readonly #block = new Uint8Array(BLOCK_BYTES);
  #used = 0;

  constructor(path: string) {
    this.#file = Deno.openSync(path, { write: true, createNew: true });
  }

  append(records: Uint8Array): void {
    if (this.#used + records.length > BLOCK_BYTES) this.flush();
    if (records.length > BLOCK_BYTES) return writeAll(this.#file, records);
    this.#block.set(records, this.#used);
    this.#used += records.length;
  }

  /** Writes what was gathered. */
  flush(): void {
    writeAll(this.#file, this.#block.subarray(0, this.#used));
    this.#used = 0;
  }

  [Symbol.dispose](): void {
    this.#file.close();
  }
}

/** Reads records as words of 32 bits, many at a time; they are valid until the next are requested. */
export async function* readHashes(path: string, signal?: AbortSignal): AsyncGenerator<Uint32Array> {
  using file = await Deno.open(path);
  const block = new Uint8Array(BLOCK_BYTES);
  for (let used = 0;;) {
    signal?.throwIfAborted();
    const count = await file.read(block.subarray(used));
    if (count !== null) used += count;
    if (count !== null && used < BLOCK_BYTES) continue;
    if (used > 0) yield new Uint32Array(block.buffer, 0, used / 4);
    if (count === null) return;
    used = 0;
  }
}
