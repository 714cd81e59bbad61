/** Gathers bytes in temporary files of bounded size and has each converted while the next is gathered. */
import { join } from "node:path";
import { writeAll } from "../../../io/files/write_all.ts";
import type { FileChecks } from "../../../parquet/write/file_checks.ts";
import type { LakeFile } from "./lake_manifest.ts";

/** How parts are made. */
export interface PartSinkOptions<Part> {
  /** Folder of the Parquet files, and of the temporary ones. */
  readonly folder: string;
  /** Converts one temporary file to one Parquet file; returns its checksums. */
  convert(temporary: string, parquet: string, part: Part): Promise<FileChecks>;
  /** Looks at a finished Parquet file, while the next part is converted. */
  inspect(parquet: string): Promise<void>;
  /** Gives what is known of a part, before what is written next belongs to another. */
  complete(): Part;
  readonly signal?: AbortSignal;
}

/** The Parquet files. */
export interface PartSinkResult {
  readonly files: readonly LakeFile[];
  readonly rows: number;
}

/** A file of a part, whose size and checksums come when it is written. */
export type WrittenFile = { -readonly [Key in keyof LakeFile]: LakeFile[Key] };

const BUFFER_BYTES = 1 << 20;
/** Bytes that are written at once, not gathered. */
const DIRECT_BYTES = 1 << 16;

/** At most one part is being converted and one waits, while the next is written and the one before is inspected. */
export class PartSink<Part> {
  readonly #options: PartSinkOptions<Part>;
  readonly #buffer = new Uint8Array(BUFFER_BYTES);
  readonly #files: WrittenFile[] = [];
  #used = 0;
  #bytes = 0;
  #rows = 0;
  #file: Deno.FsFile | undefined;
  #before: Promise<void> = Promise.resolve();
  #converting: Promise<void> = Promise.resolve();
  #inspecting: Promise<void> = Promise.resolve();

  constructor(options: PartSinkOptions<Part>) {
    this.#options = options;
  }

  /** Bytes in the part under way. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Rows in the part under way. */
  get rows(): number {
    return this.#rows;
  }

  /** Parts that have ended. */
  get count(): number {
    return this.#files.length;
  }

  /** Adds bytes of whole rows. */
  write(bytes: Uint8Array, rows: number): void {
    if (this.#file === undefined) {
      this.#file = Deno.openSync(this.#temporary(this.#files.length), { write: true, create: true });
    }
    this.#put(bytes);
    this.#rows += rows;
  }

  /** Ends the part under way and begins its conversion, after the one before. */
  async close(): Promise<void> {
    if (this.#file === undefined) return;
    this.#flush();
    this.#file.truncateSync(this.#bytes);
    const part = this.#options.complete();
    this.#file.close();
    this.#file = undefined;
    const index = this.#files.length;
    const name = `part-${String(index).padStart(5, "0")}.parquet`;
    const file: WrittenFile = { name, rows: this.#rows, bytes: 0 };
    this.#files.push(file);
    this.#bytes = 0;
    this.#rows = 0;
    await this.#before;
    this.#options.signal?.throwIfAborted();
    const parquet = join(this.#options.folder, name);
    const before = this.#before = this.#converting;
    this.#converting = (async () => {
      await before;
      this.#options.signal?.throwIfAborted();
      file.checks = await this.#options.convert(this.#temporary(index), parquet, part);
      file.bytes = (await Deno.stat(parquet)).size;
      await this.#inspecting;
      this.#inspecting = this.#options.inspect(parquet);
      this.#inspecting.catch(() => {});
    })();
    // The next close(), finish() or abandon() looks at it; until then a failure must not be an unhandled one.
    this.#converting.catch(() => {});
  }

  /** Ends: every part is converted. An archive without rows has one part without rows. */
  async finish(): Promise<PartSinkResult> {
    if (this.#files.length === 0 && this.#file === undefined) this.write(new Uint8Array(0), 0);
    await this.close();
    await this.#converting;
    await this.#inspecting;
    for (const index of [0, 1, 2]) await Deno.remove(this.#temporary(index)).catch(() => {});
    return { files: this.#files, rows: this.#files.reduce((sum, { rows }) => sum + rows, 0) };
  }

  /** Gives up: waits for the part being converted, since its thread cannot be stopped. */
  async abandon(): Promise<void> {
    this.#file?.close();
    this.#file = undefined;
    await this.#converting.catch(() => {});
    await this.#inspecting.catch(() => {});
  }

  #put(bytes: Uint8Array): void {
    this.#bytes += bytes.length;
    if (bytes.length >= DIRECT_BYTES) {
      this.#flush();
      return writeAll(this.#file!, bytes);
    }
    if (this.#used + bytes.length > BUFFER_BYTES) this.#flush();
    this.#buffer.set(bytes, this.#used);
    this.#used += bytes.length;
  }

  #flush(): void {
    writeAll(this.#file!, this.#buffer.subarray(0, this.#used));
    this.#used = 0;
  }

  /** Three files in turn: one that is there already costs less to write than a new one. */
  #temporary(index: number): string {
    return join(this.#options.folder, `.rows-${index % 3}`);
  }
}
