/** The records of the rows of a version in a temporary file: written in the order of the rows, read several times. */
import { writeAll } from "@seqreg/core/io/files";
import { temporaryError } from "@seqreg/core/io/files/temp_path";
import { Yielder } from "@seqreg/core/io/tasks";
import type { RecordLayout } from "./hash_record.ts";

/** Records that are read at a time. */
const BLOCK_RECORDS = 16_384;

const WORD_BYTES = 4;

/** Bytes that are gathered before they are written. */
const GATHERED_BYTES = 1 << 19;

/** A new temporary file whose bytes come in small parts. */
export class GatheredFile implements Disposable {
  readonly #file: Deno.FsFile;
  readonly #block = new Uint8Array(GATHERED_BYTES);
  #used = 0;

  constructor(path: string) {
    this.#file = Deno.openSync(path, { write: true, createNew: true });
  }

  /** @throws {RegistryError} With code `disk` if it cannot be written, as `flush` does. */
  append(bytes: Uint8Array): void {
    if (this.#used + bytes.length > this.#block.length) this.flush();
    if (bytes.length > this.#block.length) return this.#write(bytes);
    this.#block.set(bytes, this.#used);
    this.#used += bytes.length;
  }

  /** Writes what was gathered. */
  flush(): void {
    this.#write(this.#block.subarray(0, this.#used));
    this.#used = 0;
  }

  #write(bytes: Uint8Array): void {
    try {
      writeAll(this.#file, bytes);
    } catch (cause) {
      throw temporaryError(cause);
    }
  }

  [Symbol.dispose](): void {
    this.#file.close();
  }
}

/** Reads records in order. */
export class HashReader implements Disposable {
  readonly #file: Deno.FsFile;
  readonly #block: Uint8Array;
  readonly #words: number;
  readonly #least: number;
  readonly #yielder = new Yielder();
  #isWhole = false;
  /** Records as words; valid until more are read. */
  readonly words: Uint32Array;
  /** Offset in `words` of the record under way, and of the end of what was read. */
  at = 0;
  end = 0;
  /** The number of its row. */
  row = 0;

  /** Opens a file; so many records after the one under way are in memory, up to the end of the file. */
  constructor(path: string, { words }: RecordLayout, ahead = 0) {
    this.#file = Deno.openSync(path);
    this.#block = new Uint8Array((BLOCK_RECORDS + ahead) * words * WORD_BYTES);
    this.words = new Uint32Array(this.#block.buffer);
    this.#words = words;
    this.#least = (ahead + 1) * words;
  }

  /** Whether more has to be read before the record under way is looked at. */
  get isLow(): boolean {
    return this.end - this.at < this.#least && !this.#isWhole;
  }

  /** Whether all records were passed. */
  get isOver(): boolean {
    return this.at === this.end && this.#isWhole;
  }

  /** Reads until memory is full, or the file ends. */
  async fill(signal?: AbortSignal): Promise<void> {
    await this.#yielder.yieldWhenDue(signal);
    this.words.copyWithin(0, this.at, this.end);
    let used = (this.end - this.at) * WORD_BYTES;
    while (used < this.#block.length && !this.#isWhole) {
      const count = this.#file.readSync(this.#block.subarray(used));
      if (count === null) this.#isWhole = true;
      else used += count;
    }
    [this.at, this.end] = [0, used / WORD_BYTES];
  }

  /** Passes the record under way. */
  next(): void {
    this.at += this.#words;
    this.row++;
  }

  [Symbol.dispose](): void {
    this.#file.close();
  }
}
