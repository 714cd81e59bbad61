/** Gzip files with a digest: the same content gives the same bytes. */
import { crc32, createDeflateRaw, type DeflateRaw } from "node:zlib";
import { constants } from "node:zlib";
import { type AtomicFile, createAtomicFile } from "@seqreg/core/io/files/atomic_file";
import { type Sha256, startSha256 } from "@seqreg/core/io/digest";

/**
 * How archives are compressed.
 *
 * `portable` codes bases without looking for repeats: zlib finds repeats with the processor's own instructions, so
 * that two machines may write different bytes; this way they do not, at four bases a byte for a sequence. `small`
 * looks for repeats, which makes related genomes far smaller.
 */
export type Compression = "portable" | "small";

/** Size of the chunks that are compressed: fixed, since zlib's output may depend on it. */
const CHUNK_BYTES = 1 << 18;
/** Bytes of a UTF-16 code unit in UTF-8 at most. */
const MAX_UTF8_BYTES = 3;

/** Header of a gzip member: no name, no time, no system, so that nothing of the machine is in the bytes. */
const HEADER = new Uint8Array([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);

/** A gzip file that is being written, under one or several paths. Without {@linkcode finish} it is discarded. */
export class GzipFile implements AsyncDisposable {
  readonly #files: readonly AtomicFile[];
  readonly #deflater: DeflateRaw;
  readonly #hash: Sha256 = startSha256();
  readonly #chunk = new Uint8Array(CHUNK_BYTES);
  readonly #encoder = new TextEncoder();
  readonly #written: Promise<void>;
  #used = 0;
  #crc = 0;
  #length = 0;

  private constructor(files: readonly AtomicFile[], compression: Compression) {
    this.#files = files;
    this.#deflater = createDeflateRaw({
      level: 6,
      strategy: compression === "portable" ? constants.Z_HUFFMAN_ONLY : constants.Z_DEFAULT_STRATEGY,
      chunkSize: CHUNK_BYTES,
    });
    this.#written = this.#drain();
    // A failure is thrown where it is awaited; until then it must not end the process.
    this.#written.catch(() => {});
  }

  /** Begins a file; all paths get the same bytes. */
  static async create(paths: readonly string[], compression: Compression): Promise<GzipFile> {
    const files: AtomicFile[] = [];
    try {
      for (const path of paths) files.push(await createAtomicFile(path));
    } catch (error) {
      for (const file of files) await file.discard();
      throw error;
    }
    return new GzipFile(files, compression);
  }

  async text(text: string): Promise<void> {
    // Short texts are encoded in place: an array for each would wait for the garbage collector, outside its heap.
    if (text.length * MAX_UTF8_BYTES < CHUNK_BYTES - this.#used) {
      this.#used += this.#encoder.encodeInto(text, this.#chunk.subarray(this.#used)).written;
    } else await this.bytes(this.#encoder.encode(text));
  }

  /** Adds bytes, which are used up when this returns. */
  async bytes(bytes: Uint8Array): Promise<void> {
    for (let start = 0; start < bytes.length;) {
      const part = bytes.subarray(start, start + CHUNK_BYTES - this.#used);
      this.#chunk.set(part, this.#used);
      this.#used += part.length;
      start += part.length;
      if (this.#used === CHUNK_BYTES) await this.#compress();
    }
  }

  /** Ends the file and gives it its names; returns the SHA-256 of its bytes. */
  async finish(): Promise<string> {
    if (this.#used > 0) await this.#compress();
    this.#deflater.end();
    await this.#written;
    const trailer = new DataView(new ArrayBuffer(8));
    trailer.setUint32(0, this.#crc, true);
    trailer.setUint32(4, this.#length, true);
    await this.#put(new Uint8Array(trailer.buffer));
    await together(this.#files.map((file) => file.commit()));
    return this.#hash.digest();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#deflater.destroy();
    await this.#written.catch(() => {});
    for (const file of this.#files) await file.discard();
  }

  async #compress(): Promise<void> {
    const piece = this.#chunk.subarray(0, this.#used);
    this.#crc = crc32(piece, this.#crc);
    this.#length = (this.#length + piece.length) % 2 ** 32;
    await Promise.race([
      new Promise<void>((resolve, reject) => {
        this.#deflater.write(piece, (error) => error ? reject(error) : resolve());
      }),
      // Only a failure ends this one first.
      this.#written,
    ]);
    this.#used = 0;
  }

  async #drain(): Promise<void> {
    await this.#put(HEADER);
    for await (const chunk of this.#deflater) await this.#put(chunk);
  }

  async #put(bytes: Uint8Array): Promise<void> {
    this.#hash.update(bytes);
    for (const file of this.#files) await file.write(bytes);
  }
}

/** Waits for all promises, even if some reject, so that nothing is still writing when the first error is thrown. */
export async function together(work: readonly Promise<unknown>[]): Promise<void> {
  for (const outcome of await Promise.allSettled(work)) if (outcome.status === "rejected") throw outcome.reason;
}
