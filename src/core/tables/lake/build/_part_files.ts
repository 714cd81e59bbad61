/** The Parquet files of a table while it is built. */
import { join } from "node:path";
import type { FileMetadata, ParquetField } from "../../../parquet/write/columns.ts";
import { ParquetOutput } from "../../../parquet/write/parquet_file.ts";
import { partName } from "./lake_layout.ts";
import type { LakeFile } from "./lake_manifest.ts";

/** When a file is large enough to be ended. */
export interface FileLimits {
  /** A file has at least the bytes of all files before it, divided by this: so there are few, and several soon. */
  readonly growth: number;
  /** Bytes that are enough for any file. */
  readonly largeBytes: number;
  /** Rows after which every file has these bytes; the last one may have fewer. */
  readonly largeRows: number;
}

const LIMITS: FileLimits = { growth: 8, largeBytes: 256 * 1024 * 1024, largeRows: 100_000_000 };

export interface PartFilesOptions {
  readonly folder: string;
  readonly ending: "parquet" | "raw";
  readonly fields: readonly ParquetField[];
  /** Keys and values in the footer of each file. */
  readonly metadata?: FileMetadata;
  readonly limits?: FileLimits;
}

/** Files that grow with their table: row groups go to one until it is large enough, then to the next. */
export class PartFiles implements Disposable {
  /** Files that are ended, in order. */
  readonly files: LakeFile[] = [];
  readonly #options: PartFilesOptions;
  #rows = 0;
  #bytes = 0;
  #open: { readonly file: ParquetOutput; readonly path: string; rows: number } | undefined;

  /** Begins a table without files. */
  constructor(options: PartFilesOptions) {
    this.#options = options;
  }

  /** Writes rows by `write` to the file that is open, and ends it if it is large enough. */
  async write(rows: number, write: (file: ParquetOutput) => Promise<void> | void): Promise<void> {
    const open = this.#open ??= this.#begin();
    await write(open.file);
    open.rows += rows;
    const { growth, largeBytes, largeRows } = this.#options.limits ?? LIMITS;
    const enough = this.#rows >= largeRows ? largeBytes : Math.min(largeBytes, this.#bytes / growth);
    if (open.file.bytes >= enough) await this.finish();
  }

  /** Ends the file that is open; returns all files. */
  async finish(): Promise<readonly LakeFile[]> {
    const open = this.#open;
    if (open === undefined) return this.files;
    const { folder, ending } = this.#options;
    const checks = open.file.finish();
    const bytes = open.file.bytes;
    this[Symbol.dispose]();
    const name = partName(this.files.length, ending, checks.sha256);
    await Deno.rename(open.path, join(folder, name));
    this.files.push({ name, rows: open.rows, bytes, checks });
    this.#rows += open.rows;
    this.#bytes += bytes;
    return this.files;
  }

  /** Closes the file that is open. */
  [Symbol.dispose](): void {
    this.#open?.file[Symbol.dispose]();
    this.#open = undefined;
  }

  #begin() {
    const { folder, ending, fields, metadata } = this.#options;
    const path = join(folder, `${this.files.length}.${ending}`);
    return { file: new ParquetOutput(path, fields, metadata), path, rows: 0 };
  }
}
