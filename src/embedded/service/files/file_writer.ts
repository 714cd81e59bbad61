/** A file that is written from its beginning to its end, much at a time. */
import { closeSync, constants, fdatasync, openSync, writeSync } from "node:fs";
import { promisify } from "node:util";
import { BlockSummer } from "./block_sums.ts";

/** Bytes that are gathered before they are written, and bytes that are not worth gathering. */
const GATHERED = 1 << 20;
const MANY = 1 << 17;

/** Appends to a file that is there: one that was removed meanwhile is not made again. */
const APPEND = constants.O_WRONLY | constants.O_APPEND;

/**
 * Appends to a new file, which is open only while it is written to: an import has several for each of its fields, more
 * than a process with few descriptors may open.
 */
export class FileWriter {
  /** Bytes appended so far. */
  position = 0;
  readonly #gathered = new Uint8Array(GATHERED);
  readonly #path: string;
  readonly #sums: BlockSummer | undefined;
  #used = 0;

  /**
   * Creates the file; with `sums`, checksums of its blocks are written to a separate file when it is synced or closed.
   */
  constructor(path: string, { sums = false }: { readonly sums?: boolean } = {}) {
    this.#path = path;
    closeSync(openSync(path, "w"));
    this.#sums = sums ? new BlockSummer() : undefined;
  }

  /** Appends bytes, copying them; returns the offset where they begin. */
  append(view: ArrayBufferView): number {
    const bytes = new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
    const begin = this.position;
    if (bytes.length > MANY || this.#used + bytes.length > GATHERED) this.flush();
    if (bytes.length > MANY) this.#write(bytes);
    else {
      this.#gathered.set(bytes, this.#used);
      this.#used += bytes.length;
    }
    this.position += bytes.length;
    return begin;
  }

  /** Appends zeros up to a multiple of eight bytes. */
  align(): void {
    const rest = this.position % 8;
    if (rest > 0) this.append(new Uint8Array(8 - rest));
  }

  /** Hands everything to the system. */
  flush(): void {
    this.#write(this.#gathered.subarray(0, this.#used));
    this.#used = 0;
  }

  /** Ends: puts everything that was appended on the disk. */
  async sync(): Promise<void> {
    this.close();
    const file = openSync(this.#path, APPEND);
    try {
      await promisify(fdatasync)(file);
    } finally {
      closeSync(file);
    }
  }

  /** Ends: hands everything to the system, with the checksums. */
  close(): void {
    this.flush();
    this.#sums?.write(this.#path);
  }

  #write(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    this.#sums?.add(bytes);
    const file = openSync(this.#path, APPEND);
    try {
      for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at, bytes.length - at);
    } finally {
      closeSync(file);
    }
  }
}
