/** Reads pieces of files, and keeps those that were wanted last. */
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { BLOCK_BYTES, BlockSums } from "./block_sums.ts";
import { DamagedFileError } from "./damaged_file.ts";
import { hasManyDescriptors } from "./free_descriptors.ts";

/** Pieces that are kept in memory, of several files together. */
export class PieceCache {
  readonly #most: number;
  readonly #pieces = new Map<number, Uint8Array>();
  #bytes = 0;
  #files = 0;

  /** Makes a cache of so many bytes. */
  constructor(bytes: number) {
    this.#most = bytes;
  }

  /** Numbers a file: pieces of different files differ by it. */
  register(): number {
    return this.#files++;
  }

  /** Returns a piece of so many bytes, read by `read` when it is not there. */
  get(key: number, bytes: number, read: () => Uint8Array): Uint8Array {
    let piece = this.#pieces.get(key);
    if (piece !== undefined) {
      this.#pieces.delete(key);
      // Two pieces may begin at one offset: an empty array begins where the next does.
      if (piece.length === bytes) {
        this.#pieces.set(key, piece);
        return piece;
      }
      this.#bytes -= piece.length;
    }
    piece = read();
    this.#pieces.set(key, piece);
    this.#bytes += piece.length;
    for (const [oldest, { length }] of this.#pieces) {
      if (this.#bytes <= this.#most) break;
      this.#pieces.delete(oldest);
      this.#bytes -= length;
    }
    return piece;
  }
}

/** Offsets in one file; a file has fewer bytes than this. */
const OFFSETS = 2 ** 44;

/** Blocks that are read together for a range that does not begin or end with one. */
const HELD_BLOCKS = 4;

/** A file that is read in pieces. */
export class FileReader implements Disposable {
  readonly #path: string;
  readonly #file: ReadingFile;
  readonly #cache: PieceCache | undefined;
  readonly #number: number;
  readonly #sums: BlockSums | undefined;
  readonly bytes: number;
  /** Blocks that were read and verified last: adjacent records are often read next. */
  #held = new Uint8Array(0);
  #heldAt = 0;
  #heldBytes = 0;
  #closed = false;

  /**
   * Opens a file; without a cache every piece is read anew. With `sums`, all that is read is compared with the
   * checksums of the file's blocks.
   */
  constructor(path: string, { cache, sums = false }: { readonly cache?: PieceCache; readonly sums?: boolean } = {}) {
    this.#path = path;
    this.#file = new ReadingFile(path);
    this.#cache = cache;
    this.#number = cache?.register() ?? 0;
    try {
      this.bytes = fstatSync(this.#file.descriptor).size;
      this.#sums = sums ? new BlockSums(path, this.bytes) : undefined;
    } catch (cause) {
      this.#file[Symbol.dispose]();
      throw cause;
    }
  }

  /** Returns bytes of the file, which others may hold, too: they are only to be read. */
  piece(position: number, bytes: number): Uint8Array {
    if (this.#cache === undefined) return this.read(position, bytes);
    return this.#cache.get(this.#number * OFFSETS + position, bytes, () => this.read(position, bytes));
  }

  read(position: number, bytes: number): Uint8Array {
    return this.readInto(new Uint8Array(bytes), position);
  }

  /** Fills a buffer from the file. @throws {DamagedFileError} If what is read is not what was written. */
  readInto(buffer: Uint8Array, position: number): Uint8Array {
    if (this.#closed) throw new TypeError("Cannot read records: the registry's store is closed");
    if (this.#sums === undefined) return this.#fill(buffer, position);
    this.#checkEnd(position + buffer.length);
    let at = 0;
    while (at < buffer.length) {
      const from = position + at;
      const isHeld = from >= this.#heldAt && from < this.#heldAt + this.#heldBytes;
      const blocks = Math.floor((buffer.length - at) / BLOCK_BYTES);
      if (!isHeld && blocks > 0 && from % BLOCK_BYTES === 0) {
        // Whole blocks go where they are wanted, without a copy.
        const whole = this.#fill(buffer.subarray(at, at + blocks * BLOCK_BYTES), from);
        this.#sums.check(whole, from / BLOCK_BYTES);
        at += whole.length;
        continue;
      }
      if (!isHeld) this.#hold(from, buffer.length - at, this.#sums);
      const start = from - this.#heldAt;
      const length = Math.min(buffer.length - at, this.#heldBytes - start);
      buffer.set(this.#held.subarray(start, start + length), at);
      at += length;
    }
    return buffer;
  }

  /** Reads and compares the blocks of a short range, or the first of a long one. */
  #hold(from: number, bytes: number, sums: BlockSums): void {
    const block = Math.floor(from / BLOCK_BYTES);
    const last = Math.floor((from + bytes - 1) / BLOCK_BYTES);
    const count = last - block < HELD_BLOCKS ? last - block + 1 : 1;
    const start = block * BLOCK_BYTES;
    const length = Math.min(this.bytes, start + count * BLOCK_BYTES) - start;
    if (this.#held.length < length) this.#held = new Uint8Array(count * BLOCK_BYTES);
    this.#heldBytes = 0;
    sums.check(this.#fill(this.#held.subarray(0, length), start), block);
    this.#heldAt = start;
    this.#heldBytes = length;
  }

  #fill(buffer: Uint8Array, position: number): Uint8Array {
    for (let at = 0; at < buffer.length;) {
      const read = readSync(this.#file.descriptor, buffer, at, buffer.length - at, position + at);
      if (read === 0) this.#checkEnd(position + buffer.length, position + at);
      at += read;
    }
    return buffer;
  }

  #checkEnd(end: number, bytes: number = this.bytes): void {
    if (end > bytes) throw new DamagedFileError(this.#path, `it ends after ${bytes} bytes, expected ${end}`);
  }

  [Symbol.dispose](): void {
    this.#closed = true;
    this.#file[Symbol.dispose]();
  }
}

/** Files that are open at once: enough for one step of an import. */
const FEW = 4;
/** And where the process may open many, which two registries with many fields hardly reach. */
const MANY = 64;

const open = new Set<ReadingFile>();

/** A file that is opened again when it is read after it was closed for others. */
class ReadingFile implements Disposable {
  readonly #path: string;
  #descriptor: number | undefined;

  constructor(path: string) {
    this.#path = path;
    this.#descriptor = this.#open();
  }

  /** The descriptor, good until another file is read. */
  get descriptor(): number {
    return this.#descriptor ??= this.#openAgain();
  }

  [Symbol.dispose](): void {
    if (this.#descriptor === undefined) return;
    open.delete(this);
    closeSync(this.#descriptor);
    this.#descriptor = undefined;
  }

  #open(): number {
    const most = hasManyDescriptors() ? MANY : FEW;
    for (const oldest of open) {
      if (open.size < most) break;
      oldest[Symbol.dispose]();
    }
    const descriptor = openSync(this.#path, "r");
    open.add(this);
    return descriptor;
  }

  #openAgain(): number {
    try {
      return this.#open();
    } catch (cause) {
      if (!(cause instanceof Error && "code" in cause && cause.code === "ENOENT")) throw cause;
      throw new DamagedFileError(this.#path, "it is no longer there", { cause });
    }
  }
}
