/** Reads pieces of files, and keeps those that were wanted last. */
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { RegistryError } from "../../errors.ts";

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

  /** Gives a number to a file: pieces of different files differ by it. */
  register(): number {
    return this.#files++;
  }

  /** Gives a piece of so many bytes, read by `read` when it is not there. */
  get(key: number, bytes: number, read: () => Uint8Array): Uint8Array {
    let piece = this.#pieces.get(key);
    if (piece !== undefined) {
      this.#pieces.delete(key);
      // Two pieces may begin at one place: an empty array does where the next begins.
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

/** Places in one file; a file has fewer bytes than this. */
const PLACES = 2 ** 44;

/** A file that is read in pieces. */
export class FileReader implements Disposable {
  readonly #path: string;
  readonly #file: number;
  readonly #cache: PieceCache | undefined;
  readonly #number: number;
  #closed = false;

  /** Opens a file; without a cache every piece is read anew. */
  constructor(path: string, cache?: PieceCache) {
    this.#path = path;
    this.#file = openSync(path, "r");
    this.#cache = cache;
    this.#number = cache?.register() ?? 0;
  }

  /** Size in bytes. */
  get bytes(): number {
    return fstatSync(this.#file).size;
  }

  /** Gives bytes of the file, which others may hold, too: they are only to be read. */
  piece(position: number, bytes: number): Uint8Array {
    if (this.#cache === undefined) return this.read(position, bytes);
    return this.#cache.get(this.#number * PLACES + position, bytes, () => this.read(position, bytes));
  }

  /** Reads bytes of the file. */
  read(position: number, bytes: number): Uint8Array {
    return this.readInto(new Uint8Array(bytes), position);
  }

  /** Fills a buffer from the file. */
  readInto(buffer: Uint8Array, position: number): Uint8Array {
    if (this.#closed) throw new TypeError("Cannot read records: the registry's store is closed");
    for (let at = 0; at < buffer.length;) {
      const read = readSync(this.#file, buffer, at, buffer.length - at, position + at);
      if (read === 0) {
        throw new RegistryError(
          "disk",
          `Cannot read ${this.#path}: it ends after ${position + at} bytes, expected ${position + buffer.length}; ` +
            "remove the import, so that it is made again",
        );
      }
      at += read;
    }
    return buffer;
  }

  /** Closes the file. */
  [Symbol.dispose](): void {
    if (this.#closed) return;
    this.#closed = true;
    closeSync(this.#file);
  }
}
