/** Downloads of other programs: a folder or a ZIP archive that holds a FASTA and its table. */
import { basename, dirname, join } from "node:path";
import { checkArgument, checkOptions } from "@seqreg/core/options/check_options";
import type { OptionRules } from "@seqreg/core/options/option_rule";
import * as rule from "@seqreg/core/options/rules";
import { ParseError, RegistryError } from "@seqreg/core/errors";
import { type ByteSource, openRandomBytes } from "@seqreg/core/io/bytes";
import { isFolder } from "@seqreg/core/io/files/is_there";
import { openZip } from "@seqreg/core/io/zip/zip_archive";

/** A FASTA and its table. Dispose of it when they have been read. */
export interface Download extends Disposable {
  /** The sequences. */
  readonly fasta: ByteSource;
  /** The metadata. */
  readonly metadata: ByteSource;
  /** Their paths, within the archive if it is one. */
  readonly names: { readonly fasta: string; readonly metadata: string };
}

/** Endings of compressed files. */
const COMPRESSED = "(?:\\.gz|\\.zst)?$";
/** The FASTA of each kind of download, and the table in the same folder that goes with it. */
const PAIRS: readonly (readonly [fasta: RegExp, metadata: (prefix: string) => RegExp])[] = [
  // NCBI Datasets
  [new RegExp(`^()genomic\\.fna${COMPRESSED}`), () => new RegExp(`^data_report\\.jsonl${COMPRESSED}`)],
  // gget virus
  [
    new RegExp(`^(.*_)sequences\\.fasta${COMPRESSED}`),
    (prefix) => new RegExp(`^${RegExp.escape(prefix)}metadata\\.csv${COMPRESSED}`),
  ],
  // Nextstrain
  [new RegExp(`^()sequences\\.fasta${COMPRESSED}`), () => new RegExp(`^metadata\\.(?:tsv|csv)${COMPRESSED}`)],
];

const EXPECTED =
  "genomic.fna and data_report.jsonl (NCBI Datasets), NAME_sequences.fasta and NAME_metadata.csv (gget " +
  "virus), or sequences.fasta and metadata.tsv (Nextstrain)";

/** Options of {@linkcode openDownload}. */
export interface OpenDownloadOptions {
  /** Ends the reading with the signal's reason. */
  readonly signal?: AbortSignal;
}

const OPEN_DOWNLOAD_OPTIONS = { signal: rule.signal } satisfies OptionRules<OpenDownloadOptions>;

/** Folders within folders that are looked into: NCBI Datasets has `ncbi_dataset/data`. */
const MAX_DEPTH = 3;
const ZIP_BEGINS = [0x50, 0x4b];

/**
 * Finds the FASTA and the table in what NCBI Datasets, `gget virus` or Nextstrain write: `genomic.fna` with
 * `data_report.jsonl`, `NAME_sequences.fasta` with `NAME_metadata.csv`, `sequences.fasta` with `metadata.tsv`, each
 * plain or compressed, in one folder at most three levels down.
 *
 * @param path A folder, or a ZIP archive.
 * @param options Signal.
 * @returns The two files. Those of an archive can be read once.
 * @throws {RegistryError} With code `not-an-archive-set` if it holds no such pair or several, with code `disk` if it
 * cannot be read.
 * @throws {ParseError} If it is a file and not a ZIP archive.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { openDownload } from "./download.ts";
 *
 * const folder = await Deno.makeTempDir();
 * await Deno.writeTextFile(`${folder}/genomic.fna`, ">NC_000001.1\nACGT\n");
 * await Deno.writeTextFile(`${folder}/data_report.jsonl`, '{"accession": "NC_000001.1"}\n');
 * using download = await openDownload(folder);
 *
 * assertEquals(download.names.metadata, `${folder}/data_report.jsonl`);
 * await Deno.remove(folder, { recursive: true });
 * ```
 */
export async function openDownload(path: string, options: OpenDownloadOptions = {}): Promise<Download> {
  checkArgument("openDownload()", "path", path, rule.required(rule.text));
  checkOptions("openDownload()", options, OPEN_DOWNLOAD_OPTIONS);
  if (await isFolder(path)) {
    const { fasta, metadata } = choosePair(await Array.fromAsync(listFiles(path)), path);
    return { fasta, metadata, names: { fasta, metadata }, [Symbol.dispose]() {} };
  }
  if (await isOtherFile(path)) {
    throw new ParseError(
      `Cannot read ${path} as a download: expected a folder or a ZIP archive that holds sequences and metadata; ` +
        "pass single files as --fasta and --metadata",
    );
  }
  const bytes = await openRandomBytes(path, options);
  try {
    const { entries, read } = openZip(bytes, path);
    const pair = choosePair(entries.map(({ name }) => name), path);
    const open = (name: string) => read(entries.find((entry) => entry.name === name)!, options.signal);
    return {
      fasta: open(pair.fasta),
      metadata: open(pair.metadata),
      names: { fasta: `${path}/${pair.fasta}`, metadata: `${path}/${pair.metadata}` },
      [Symbol.dispose]: () => bytes[Symbol.dispose](),
    };
  } catch (error) {
    bytes[Symbol.dispose]();
    throw error;
  }
}

/** Whether a path can be a download: a folder, or a file that begins as a ZIP archive. */
export async function isDownload(path: string): Promise<boolean> {
  return await isFolder(path) || await beginsAsZip(path) === true;
}

/** Whether a path is a file that can be read and does not begin as a ZIP archive. */
async function isOtherFile(path: string): Promise<boolean> {
  return await beginsAsZip(path) === false;
}

/** Whether a file begins as a ZIP archive; `undefined` if it cannot be read, which is reported where it is read. */
async function beginsAsZip(path: string): Promise<boolean | undefined> {
  try {
    using file = await Deno.open(path);
    const head = new Uint8Array(ZIP_BEGINS.length);
    return await file.read(head) === head.length && ZIP_BEGINS.every((byte, index) => byte === head[index]);
  } catch {
    return undefined;
  }
}

async function* listFiles(folder: string, depth = 0): AsyncGenerator<string> {
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    if (name.startsWith(".")) continue;
    const path = join(folder, name);
    if (!isDirectory) yield path;
    else if (depth < MAX_DEPTH) yield* listFiles(path, depth + 1);
  }
}

function choosePair(paths: readonly string[], where: string): { readonly fasta: string; readonly metadata: string } {
  const pairs: { fasta: string; metadata: string }[] = [];
  for (const [fastaName, metadataName] of PAIRS) {
    for (const fasta of paths.toSorted()) {
      const prefix = fastaName.exec(basename(fasta))?.[1];
      if (prefix === undefined) continue;
      const wanted = metadataName(prefix);
      const isBeside = (path: string) => dirname(path) === dirname(fasta) && wanted.test(basename(path));
      pairs.push(...paths.filter(isBeside).map((metadata) => ({ fasta, metadata })));
    }
  }
  if (pairs.length === 1) return pairs[0];
  if (pairs.length > 1) {
    throw new RegistryError(
      "not-an-archive-set",
      `Cannot choose sequences and metadata in ${where}: it holds ${pairs.length} pairs, the first ` +
        `${pairs[0].fasta} and ${pairs[0].metadata}; pass one of them as --fasta and --metadata`,
    );
  }
  throw new RegistryError("not-an-archive-set", `Cannot find sequences and metadata in ${where}: expected ${EXPECTED}`);
}
