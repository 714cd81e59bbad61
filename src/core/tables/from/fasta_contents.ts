/** What a folder of Parquet files of a FASTA holds: `_fasta.json`. */
import { join } from "node:path";
import { isRecord } from "../../options/is_record.ts";
import { ParseError, RegistryError } from "../../errors.ts";
import type { FastaHead } from "../../fasta/text/fasta_batch.ts";
import { sha256, sha256Of } from "../../io/digest/sha256.ts";
import { isThere } from "../../io/files/is_there.ts";

/**
 * Name of the file that describes a folder's contents; it is written last. pyarrow, pandas and Spark, which read a
 * folder as one table, ignore names that begin with an underscore.
 */
export const CONTENTS = "_fasta.json";
/** Its name in a folder that an older toolkit wrote. */
const OLDER_CONTENTS = "fasta.json";
/** What to do about a folder that was changed. */
export const ANEW = "write the folder again with seqreg fasta to-parquet";

/** Size and checksum of one Parquet file. */
export interface FastaParquetCheck {
  /** Size in bytes. */
  readonly bytes: number;
  /** SHA-256 of its bytes: 64 lower-case hexadecimal digits. */
  readonly sha256: string;
}

/** What a folder of Parquet files holds. */
export interface FastaParquet extends FastaHead {
  /** Version of this form. */
  readonly fastaParquet: 1;
  /** Records. */
  readonly rows: number;
  /** Names of the Parquet files in the folder; in this order they are the FASTA. */
  readonly files: readonly string[];
  /** Size and checksum of each file, in the same order; absent in a folder that an older toolkit wrote. */
  readonly checks?: readonly FastaParquetCheck[];
  /** SHA-256 of these contents without this line; absent in a folder that an older toolkit wrote. */
  readonly checksum?: string;
}

/** Measures a Parquet file as it was written. */
export async function checkOf(path: string, signal?: AbortSignal): Promise<FastaParquetCheck> {
  const { size } = await Deno.stat(path);
  return { bytes: size, sha256: await sha256(path, { signal }) };
}

/** The text of the contents, with their checksum. */
export function formatContents(contents: FastaParquet): string {
  return JSON.stringify({ ...contents, checksum: sha256Of(JSON.stringify(contents)) }, null, 2) + "\n";
}

/**
 * Reads the contents of a folder.
 *
 * @throws {RegistryError} With code `disk` if it is not such a folder.
 * @throws {ParseError} If the contents are not as they were written.
 */
export async function readContents(folder: string): Promise<FastaParquet> {
  let path = join(folder, CONTENTS);
  const isOlder = !await isThere(path) && await isThere(join(folder, OLDER_CONTENTS));
  if (isOlder) path = join(folder, OLDER_CONTENTS);
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(await Deno.readFile(path));
  } catch (cause) {
    if (cause instanceof TypeError) {
      throw new ParseError(`Cannot read ${path}: it is not UTF-8; ${ANEW}`, {}, { cause });
    }
    throw new RegistryError(
      "disk",
      `Cannot read ${folder}: it holds no ${CONTENTS}; name a folder that seqreg fasta to-parquet has written`,
      { cause },
    );
  }
  const value: unknown = parsed(text, path);
  if (!isContents(value)) throw new ParseError(`Cannot read ${path}: it does not say what the folder holds; ${ANEW}`);
  const { checksum, ...contents } = value;
  // A flipped bit in a name must not make checksums absent.
  const names = Object.keys(contents).filter((name) => !NAMES.has(name));
  if (names.length > 0 || (checksum === undefined) !== (contents.checks === undefined)) {
    throw new ParseError(`Cannot read ${path}: it is not as it was written (its checksum is missing); ${ANEW}`);
  }
  if (checksum !== undefined && checksum !== sha256Of(JSON.stringify(contents))) {
    throw new ParseError(`Cannot read ${path}: it is not as it was written (its SHA-256 differs); ${ANEW}`);
  }
  return value;
}

/**
 * Compares a file of a folder with what was written; does nothing where no checksum is known.
 *
 * @throws {RegistryError} With code `damaged` if it is another, `disk` if it is absent.
 */
export async function checkFile(
  path: string,
  expected: FastaParquetCheck | undefined,
  signal: AbortSignal | undefined,
): Promise<void> {
  let found: FastaParquetCheck | undefined;
  try {
    if (expected === undefined) await Deno.stat(path);
    else found = await checkOf(path, signal);
  } catch (cause) {
    if (!(cause instanceof Deno.errors.NotFound)) throw cause;
    throw new RegistryError("disk", `Cannot read ${path}: it is not there; ${ANEW}`, { cause });
  }
  if (found?.bytes === expected?.bytes && found?.sha256 === expected?.sha256) return;
  throw new RegistryError("damaged", `Cannot read ${path}: it is not the file that was written; ${ANEW}`);
}

const NAMES: ReadonlySet<string> = new Set(["fastaParquet", "kind", "fields", "rows", "files", "checks"]);

function parsed(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new ParseError(`Cannot read ${path}: it is not valid JSON; ${ANEW}`, {}, { cause });
  }
}

function isContents(value: unknown): value is FastaParquet {
  if (!isRecord(value)) return false;
  const { fastaParquet, kind, fields, rows, files, checks, checksum } = value;
  return fastaParquet === 1 && (kind === "registry" || kind === "plain") && areTexts(fields) && fields.length > 0 &&
    (kind === "registry" || fields.length === 2) && Number.isSafeInteger(rows) && areTexts(files) &&
    files.every((file) => /^part-[0-9]{5,}\.parquet$/.test(file)) &&
    (checksum === undefined || typeof checksum === "string") &&
    (checks === undefined || Array.isArray(checks) && checks.length === files.length && checks.every(isCheck));
}

function isCheck(value: unknown): boolean {
  return isRecord(value) && Number.isSafeInteger(value.bytes) && typeof value.sha256 === "string";
}

export function areTexts(list: unknown): list is string[] {
  return Array.isArray(list) && list.every((item) => typeof item === "string");
}
