/**
 * Files that are kept open, so that what was proved of them can be sent after their names lead to others.
 *
 * A file that is replaced by renaming stays as it was for those who have it open. One that is overwritten in place does
 * not: size and times tell that it was written to, and its digest whether its bytes are still the same.
 */
import { RegistryError } from "@seqreg/core/errors";
import { equalDigests, startSha256 } from "@seqreg/core/io/digest";

/** Bytes that are read at once for a digest. */
const CHUNK_BYTES = 1 << 18;
/** Milliseconds after which a file that was overwritten is digested again: it may have been restored in place. */
const PATIENCE_MS = 1000;

export class HeldFile implements Disposable {
  /** Where it was when it was opened. */
  readonly path: string;
  readonly bytes: number;
  readonly #file: Deno.FsFile;
  readonly #sha256: string;
  #info: Deno.FileInfo;
  /** The last use of the file: there is one position, and one use at a time. */
  #last: Promise<unknown> = Promise.resolve();
  #proof: Promise<void> | undefined;
  #refutedAt = -Infinity;

  private constructor(path: string, file: Deno.FsFile, info: Deno.FileInfo, sha256: string) {
    this.path = path;
    this.bytes = info.size;
    this.#file = file;
    this.#info = info;
    this.#sha256 = sha256;
  }

  /** Opens a file of a known digest, which is not proved here. */
  static async open(path: string, sha256: string): Promise<HeldFile> {
    const file = await Deno.open(path);
    try {
      return new HeldFile(path, file, await file.stat(), sha256);
    } catch (cause) {
      file.close();
      throw cause;
    }
  }

  /** When it was last written to, in milliseconds since 1970, as it was opened. */
  get writtenAt(): number {
    return this.#info.mtime?.getTime() ?? 0;
  }

  /** Whether a path leads to this file. */
  async isAt(path: string): Promise<boolean> {
    const { dev, ino } = this.#info;
    return await Deno.stat(path).then((info) => info.dev === dev && info.ino === ino, () => false);
  }

  /**
   * Reads bytes from a position on, and returns how many: fewer than there is room for only at the end. They are those
   * of the digest.
   *
   * @throws {RegistryError} With code `damaged` if the file was overwritten.
   */
  async read(into: Uint8Array, position: number): Promise<number> {
    for (;;) {
      const count = await this.#readAt(into, position);
      // What was read before a proof may have been other bytes for a while.
      if (await this.#isProved()) return count;
    }
  }

  /**
   * Checks that nobody has written to the file since it was opened. If so, or if that cannot be excluded, its digest
   * decides.
   *
   * @throws {RegistryError} With code `damaged` if the file was overwritten.
   */
  async check(): Promise<void> {
    while (!await this.#isProved());
  }

  /** Whether nobody has written to the file since it was proved; it is proved anew otherwise. */
  async #isProved(): Promise<boolean> {
    const info = await this.#alone(() => this.#file.stat());
    if (this.#isAsBefore(info)) return true;
    // A proof that another call has begun may be of the bytes before the last writing.
    await (this.#proof ??= this.#prove(info).finally(() => this.#proof = undefined));
    return false;
  }

  /**
   * Checks the digest of the file.
   *
   * @throws {RegistryError} With code `damaged` if it is another.
   */
  async verify(): Promise<void> {
    await this.#prove(await this.#alone(() => this.#file.stat()));
  }

  [Symbol.dispose](): void {
    this.#file.close();
  }

  #isAsBefore(info: Deno.FileInfo): boolean {
    const before = this.#info;
    if (info.size !== before.size || info.mtime?.getTime() !== before.mtime?.getTime()) return false;
    if (info.ctime?.getTime() === before.ctime?.getTime()) return true;
    // A name that is given or taken changes the time of the inode, and the number of names with it: that once, and
    // nothing is excused of a file that was refuted.
    if (info.nlink === before.nlink || this.#refutedAt !== -Infinity) return false;
    this.#info = info;
    return true;
  }

  async #prove(info: Deno.FileInfo): Promise<void> {
    const isRefuted = performance.now() - this.#refutedAt < PATIENCE_MS;
    if (isRefuted || info.size !== this.bytes || !equalDigests(await this.#digest(), this.#sha256)) {
      if (!isRefuted) this.#refutedAt = performance.now();
      throw new RegistryError(
        "damaged",
        `Cannot send ${this.path}: it was overwritten after it was imported; replace archives by renaming`,
      );
    }
    this.#info = info;
    this.#refutedAt = -Infinity;
  }

  async #digest(): Promise<string> {
    const hash = startSha256();
    const chunk = new Uint8Array(CHUNK_BYTES);
    for (let position = 0;;) {
      const count = await this.#readAt(chunk, position);
      if (count === 0) return hash.digest();
      hash.update(chunk.subarray(0, count));
      position += count;
    }
  }

  async #readAt(into: Uint8Array, position: number): Promise<number> {
    return await this.#alone(async () => {
      await this.#file.seek(position, Deno.SeekMode.Start);
      for (let filled = 0;;) {
        const count = filled === into.length ? null : await this.#file.read(into.subarray(filled));
        if (count === null) return filled;
        filled += count;
      }
    });
  }

  #alone<T>(use: () => Promise<T>): Promise<T> {
    const result = this.#last.then(use);
    this.#last = result.catch(() => {});
    return result;
  }
}
