/** Verifies files with their checksum files, as `sha256sum --check` does, but stricter on names. */
import { basename, dirname, join } from "node:path";
import { messageOf, ParseError, RegistryError } from "../errors.ts";
import { archiveNames, archiveStem } from "../io/archive/archive_name.ts";
import { type ByteSource, readBytes } from "../io/bytes/byte_source.ts";
import { describeBytes } from "../io/bytes/describe_bytes.ts";
import { sourceName } from "../io/bytes/open_bytes.ts";
import type { OnProgress } from "../io/tasks/progress.ts";
import { equalDigests, startSha256 } from "../io/digest/sha256.ts";
import { type ChecksumEntry, ChecksumFileError, findChecksum, parseChecksums } from "../io/digest/checksum_file.ts";
import type { OptionRules } from "../options/option_rule.ts";
import * as rule from "../options/rules.ts";
import { checkOptions } from "../options/check_options.ts";

/** Maximum bytes of a checksum file: some thousand entries. */
const MAX_CHECKSUM_FILE_BYTES = 1 << 20;

/** One entry of a checksum file, and whether the file matches. */
export interface VerifiedFile {
  /** File name, as written in the checksum file. */
  readonly name: string;
  /** Whether the file exists and has the stated digest. */
  readonly ok: boolean;
  /** What is wrong, in words; empty if it matches. */
  readonly reason: string;
  /** Whether the file could not be read at all. */
  readonly unread: boolean;
  /** Digest that the checksum file states: 64 lower-case hexadecimal digits. */
  readonly expected: string;
  /** Digest of the file's bytes; `null` if it could not be read. */
  readonly actual: string | null;
  /** Size of the file in bytes; 0 if it could not be read. */
  readonly bytes: number;
}

/** Options of {@linkcode verifyChecksums}. */
export interface VerifyOptions {
  /** Receives the progress of the hashing. */
  readonly onProgress?: OnProgress;
  /** Ends the hashing with the signal's reason. */
  readonly signal?: AbortSignal;
}

const VERIFY_OPTIONS = {
  onProgress: rule.callback(),
  signal: rule.signal,
} satisfies OptionRules<VerifyOptions>;

/**
 * Verifies the files in a checksum file, which must be in the same folder. No entry is skipped.
 *
 * `X.sha256` may contain one name only: `X.csv.gz` or `X.csv.zst`, as a registry's checksum files do, or `X` itself. A
 * checksum file of another name, such as `SHA256SUMS`, may contain several; each a plain file name.
 *
 * @param path Path of the checksum file.
 * @param options Progress and signal.
 * @returns One row for each file named, in order. A missing archive or another digest is a row, not an error.
 * @throws {ChecksumFileError} If the checksum file is malformed, empty, or has a name that is not allowed.
 * @throws {RegistryError} With code `disk` if it cannot be read.
 * @see Specification 4.1, rule 2. Looking in the checksum file's folder, and strictness on names, are our choice.
 *
 * @example
 * ```ts
 * import { createHash } from "node:crypto";
 * import { assertEquals } from "@std/assert";
 * import { verifyChecksums } from "./verify_checksums.ts";
 *
 * const folder = await Deno.makeTempDir();
 * await Deno.writeTextFile(`${folder}/map.csv.gz`, "acgt");
 * const digest = createHash("sha256").update("acgt").digest("hex");
 * await Deno.writeTextFile(`${folder}/map.sha256`, `${digest}  map.csv.gz\n`);
 * const [file] = await verifyChecksums(`${folder}/map.sha256`);
 *
 * assertEquals([file.name, file.ok], ["map.csv.gz", true]);
 * await Deno.remove(folder, { recursive: true });
 * ```
 */
export async function verifyChecksums(path: string, options: VerifyOptions = {}): Promise<VerifiedFile[]> {
  checkOptions("verifyChecksums()", options, VERIFY_OPTIONS);
  return await verifyEntries(readEntries(await readChecksumFile(path, options.signal), path), dirname(path), options);
}

/**
 * Verifies the files of a checksum file in another folder. It may contain several plain file names.
 *
 * @param source The checksum file; for bytes from elsewhere, such as standard input.
 * @returns One row for each file named, in order.
 * @throws {ChecksumFileError} If the checksum file is malformed, empty, or has a name that is not a plain file name.
 * @throws {RegistryError} With code `disk` if it cannot be read.
 * @see Specification 4.1, rule 2. Strictness on names is our choice.
 */
export async function verifyChecksumsIn(
  source: ByteSource,
  folder: string,
  options: VerifyOptions = {},
): Promise<VerifiedFile[]> {
  checkOptions("verifyChecksumsIn()", options, VERIFY_OPTIONS);
  return await verifyEntries(readPlainEntries(await readChecksumFile(source, options.signal)), folder, options);
}

/**
 * Verifies one archive with its checksum file: `X.csv.gz` with `X.sha256`.
 *
 * @param path Path of the archive.
 * @param options Progress and signal.
 * @returns What was found.
 * @throws {RangeError} If the name does not end in `.csv.gz` or `.csv.zst`.
 * @throws {ChecksumFileError} If the checksum file is malformed or names another file.
 * @throws {RegistryError} With code `disk` if the checksum file cannot be read.
 * @see Specification 4.1: one checksum file for each archive, same stem.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { verifyArchive } from "./verify_checksums.ts";
 *
 * const folder = await Deno.makeTempDir();
 * await Deno.writeTextFile(`${folder}/map.csv.gz`, "acgt");
 * await Deno.writeTextFile(`${folder}/map.sha256`, `${"0".repeat(64)}  map.csv.gz\n`);
 *
 * assertEquals((await verifyArchive(`${folder}/map.csv.gz`)).ok, false);
 * await Deno.remove(folder, { recursive: true });
 * ```
 */
export async function verifyArchive(path: string, options: VerifyOptions = {}): Promise<VerifiedFile> {
  checkOptions("verifyArchive()", options, VERIFY_OPTIONS);
  const name = basename(path);
  const stem = archiveStem(name);
  if (stem === undefined) {
    throw new RangeError(`Cannot verify ${path}: expected the name of an archive, which ends in .csv.gz or .csv.zst`);
  }
  const sums = join(dirname(path), `${stem}.sha256`);
  const entry = findChecksum(await readChecksumFile(sums, options.signal), name);
  return await verifyEntry(dirname(path), entry, options);
}

/** Reads a checksum file within a size limit, and reports what it looks like if it is not one. */
async function readChecksumFile(source: ByteSource, signal: AbortSignal | undefined): Promise<string> {
  const path = sourceName(source);
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  for await (const chunk of readBytes(source, { signal, chunkBytes: 1 << 16 })) {
    parts.push(chunk.slice());
    length += chunk.length;
    if (length > MAX_CHECKSUM_FILE_BYTES) break;
  }
  const bytes = new Uint8Array(await new Blob(parts).arrayBuffer());
  const what = describeBytes(bytes);
  const isText = ["text", "a CSV table", "a table separated by tabs", "an empty file"].includes(what);
  if (length > MAX_CHECKSUM_FILE_BYTES || !isText) {
    throw new ChecksumFileError(
      `${path} looks like ${what}${
        length > MAX_CHECKSUM_FILE_BYTES ? `, and is larger than ${MAX_CHECKSUM_FILE_BYTES} bytes` : ""
      }; ` +
        `use the .sha256 file of the archive`,
      1,
    );
  }
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new ParseError(`Cannot read the checksum file ${path}: it is not valid UTF-8`, {}, { cause });
  }
}

function readEntries(text: string, path: string): ChecksumEntry[] {
  const file = basename(path);
  if (file.endsWith(".sha256") && file !== ".sha256") {
    const stem = file.slice(0, -".sha256".length);
    return [findChecksum(text, [...archiveNames(stem), stem])];
  }
  return readPlainEntries(text);
}

function readPlainEntries(text: string): ChecksumEntry[] {
  const entries = parseChecksums(text);
  for (const { name, line } of entries) {
    if (/[/\\\0]/.test(name) || name === "." || name === "..") {
      throw new ChecksumFileError(`it names ${JSON.stringify(name)}, expected a plain file name`, line);
    }
  }
  if (entries.length === 0) throw new ChecksumFileError("it has no entry", 1);
  return entries;
}

async function verifyEntries(
  entries: readonly ChecksumEntry[],
  folder: string,
  options: VerifyOptions,
): Promise<VerifiedFile[]> {
  const rows: VerifiedFile[] = [];
  for (const entry of entries) rows.push(await verifyEntry(folder, entry, options));
  return rows;
}

async function verifyEntry(folder: string, entry: ChecksumEntry, options: VerifyOptions): Promise<VerifiedFile> {
  const { name, sha256: expected } = entry;
  const path = join(folder, name);
  const task = `verifying ${name}`;
  const hash = startSha256();
  let bytes = 0;
  try {
    const { size: total, isFile } = await Deno.stat(path);
    // Opening a named pipe would block.
    if (!isFile) throw new RegistryError("disk", `Cannot verify ${path}: it is not a regular file; choose an archive`);
    for await (const chunk of readBytes(path, { signal: options.signal })) {
      hash.update(chunk);
      bytes += chunk.length;
      options.onProgress?.({ task, done: bytes, total, unit: "bytes" });
    }
    options.onProgress?.({ task, done: bytes, total, unit: "bytes", finished: true });
  } catch (cause) {
    options.signal?.throwIfAborted();
    return { name, ok: false, reason: unreadReason(path, cause), unread: true, expected, actual: null, bytes: 0 };
  }
  const actual = hash.digest();
  const ok = equalDigests(actual, expected);
  const reason = ok ? "" : mismatchReason(path, expected, actual);
  return { name, ok, reason, unread: false, expected, actual, bytes };
}

function mismatchReason(path: string, expected: string, actual: string): string {
  return `${path}: expected SHA-256 ${expected}, got ${actual}; the file was left as it is, do not use it. Likely causes: ` +
    `an interrupted download, an edited or recompressed file, or a checksum file of another version; ` +
    `fetch both again`;
}

function unreadReason(path: string, cause: unknown): string {
  if (cause instanceof Deno.errors.NotFound) return `${path}: the file does not exist`;
  if (cause instanceof RegistryError) return cause.message;
  return `${path}: ${messageOf(cause)}`;
}
