/** The files of a crate: copied into its folder, each with its size and digest. */
import { basename, dirname, join } from "node:path";
import { RegistryError } from "@seqreg/core/errors";
import { sha256 } from "@seqreg/core/io/digest";
import type { LedgerFile } from "./_ledger_file.ts";

export interface CrateFile {
  /** Path in the crate, with `/`. */
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
  /** Media type, if the name determines it. */
  readonly mediaType?: string;
}

/** A result and its ledger, either of which may be alone. */
export interface CrateResult {
  readonly file?: CrateFile;
  readonly ledgerFile?: CrateFile;
  readonly ledger?: LedgerFile;
}

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  csv: "text/csv",
  tsv: "text/tab-separated-values",
  json: "application/json",
  jsonl: "application/jsonl",
  parquet: "application/vnd.apache.parquet",
  ipynb: "application/x-ipynb+json",
  lock: "application/json",
  cff: "application/yaml",
  gz: "application/gzip",
  tar: "application/x-tar",
  zst: "application/zstd",
  svg: "image/svg+xml",
  png: "image/png",
  html: "text/html",
  md: "text/markdown",
  txt: "text/plain",
  fasta: "text/x-fasta",
  fa: "text/x-fasta",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  ts: "text/x-typescript",
  js: "text/javascript",
  mjs: "text/javascript",
  py: "text/x-python",
  r: "text/x-r",
  sh: "text/x-shellscript",
};

/** The folder of a crate while it is filled. */
export class CrateFolder {
  readonly #folder: string;
  readonly #signal: AbortSignal | undefined;
  /** Names that are taken, as a file system that ignores case compares them, and what took them. */
  readonly #taken = new Map<string, string>();
  readonly #paths: string[] = [];

  constructor(folder: string, signal?: AbortSignal) {
    this.#folder = folder;
    this.#signal = signal;
  }

  /** Paths of its files, sorted. */
  get paths(): string[] {
    return [...this.#paths].sort();
  }

  /** Copies a file. @throws {RegistryError} With code `disk` if another file has its name. */
  async copy(source: string, folder = ""): Promise<CrateFile> {
    const path = this.#take(`${folder}${basename(source)}`, source);
    await Deno.mkdir(dirname(join(this.#folder, path)), { recursive: true });
    this.#signal?.throwIfAborted();
    await Deno.copyFile(source, join(this.#folder, path));
    return await this.#describe(path);
  }

  async write(path: string, text: string): Promise<CrateFile> {
    this.#take(path, "the crate itself");
    await Deno.writeTextFile(join(this.#folder, path), text, { createNew: true });
    return await this.#describe(path);
  }

  #take(path: string, source: string): string {
    const key = path.normalize("NFC").toLowerCase();
    const other = this.#taken.get(key);
    if (other !== undefined) {
      throw new RegistryError(
        "disk",
        `Cannot put ${source} into the crate: ${other} is there under the name ${path}; rename one of the files`,
      );
    }
    this.#taken.set(key, source);
    this.#paths.push(path);
    return path;
  }

  async #describe(path: string): Promise<CrateFile> {
    const file = join(this.#folder, path);
    const { size } = await Deno.stat(file);
    const signal = this.#signal;
    const ending = /\.([a-z]+)$/i.exec(path)?.[1].toLowerCase();
    const mediaType = ending === undefined || !Object.hasOwn(MEDIA_TYPES, ending) ? undefined : MEDIA_TYPES[ending];
    const digest = await sha256(file, { signal });
    return { path, bytes: size, sha256: digest, ...mediaType !== undefined && { mediaType } };
  }
}
