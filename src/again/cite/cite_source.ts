/** Citations of data on this machine: of an archive or a lock by its bytes, of a lake by its archives. */
import { basename, dirname, join } from "node:path";
import { messageOf, ParseError, RegistryError } from "@seqreg/core/errors";
import { countOf } from "@seqreg/core/contract/count_of";
import { checkOptions } from "@seqreg/core/options/check_options";
import type { OptionRules } from "@seqreg/core/options/option_rule";
import * as rule from "@seqreg/core/options/rules";
import { TOOLKIT } from "@seqreg/core/contract/version";
import { archiveStem } from "@seqreg/core/io/archive/archive_name";
import { openArchive } from "@seqreg/core/io/archive/open_archive";
import { checksumText, findChecksum, sha256Of } from "@seqreg/core/io/digest";
import { isObjectAddress } from "@seqreg/core/io/objects/object_address";
import type { OnProgress } from "@seqreg/core/io/tasks";
import { visible } from "@seqreg/core/io/display";
import { type Citation, signatureOf, writeCitation } from "@seqreg/core/registry/results";
import { completeLock, lockText, parseLock } from "@seqreg/core/registry/lock";
import { findLakeTables } from "@seqreg/core/tables/lake/open/find_lake_tables";
import type { LakeSource } from "@seqreg/core/tables";

/** Options of {@linkcode citeSource}. */
export interface CiteSourceOptions {
  /** Receives the number of bytes read. */
  readonly onProgress?: OnProgress;
  /** Ends the reading with the signal's reason. */
  readonly signal?: AbortSignal;
}

const CITE_SOURCE_OPTIONS = {
  onProgress: rule.callback(),
  signal: rule.signal,
} satisfies OptionRules<CiteSourceOptions>;

/**
 * Cites an archive, a lake or a lock; the sentence ends in `hash://sha256/…`, which `sha256sum` alone verifies.
 *
 * An archive is read to its end, and signed by its bytes. A lake is signed by {@linkcode archiveChecksums}, since its
 * own files depend on the toolkit that wrote them. A lock is signed by its bytes, which are its canonical text.
 *
 * @param source Path of an archive or a lock, or of a lake (a folder, or an address in an object store).
 * @throws {ParseError} If it is not a table, or damaged.
 * @throws {RegistryError} With code `checksum` if the archive is not what its own checksum file says; with code
 * `disk` if it cannot be read or is a folder without a lake.
 * @see Elliott, Poelen and Fortes, doi 10.1038/s41597-023-02230-y. Not shown in the specification.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { citeSource } from "./cite_source.ts";
 *
 * const folder = await Deno.makeTempDir();
 * await Deno.writeTextFile(`${folder}/a.csv`, "accession\nvj000000000001\n");
 * const { sentence, signature } = await citeSource(`${folder}/a.csv`);
 *
 * assertEquals(sentence, `Archive a.csv of a sequence registry, 25 bytes. ${signature}`);
 * await Deno.remove(folder, { recursive: true });
 * ```
 */
export async function citeSource(source: string, options: CiteSourceOptions = {}): Promise<Citation> {
  checkOptions("citeSource()", options, CITE_SOURCE_OPTIONS);
  if (isObjectAddress(source)) return await citeLakeFolder(source);
  const info = await Deno.stat(source).catch((cause) => {
    throw new RegistryError("disk", `Cannot cite ${source}: ${whyUnread(cause)}; check its name`, { cause });
  });
  if (info.isDirectory) return await citeLakeFolder(source);
  return await isLock(source) ? await citeLock(source) : await citeArchive(source, options);
}

/** An archive that a lake was made of. */
export interface CitedArchive {
  /** File name. */
  readonly archive: string;
  /** SHA-256 of its bytes: 64 lower-case hexadecimal digits. */
  readonly sha256: string;
}

/**
 * Writes the checksum lines of a lake's archives, in the order of their names: what `sha256sum ARCHIVE… | LC_ALL=C sort
 * -k 2` prints in the archives' folder. The SHA-256 of this text signs the lake.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { archiveChecksums } from "./cite_source.ts";
 *
 * const archives = [{ archive: "b.csv.gz", sha256: "00" }, { archive: "a.csv.gz", sha256: "ff" }];
 *
 * assertEquals(archiveChecksums(archives), "ff  a.csv.gz\n00  b.csv.gz\n");
 * ```
 */
export function archiveChecksums(archives: readonly CitedArchive[]): string {
  const lines = archives.map(({ archive, sha256 }) => ({ archive, line: checksumText(sha256, archive) }));
  const sorted = lines.sort((a, b) => compareBytes(a.archive, b.archive) || compareBytes(a.line, b.line));
  return [...new Set(sorted.map(({ line }) => line))].join("");
}

async function citeArchive(path: string, { onProgress, signal }: CiteSourceOptions): Promise<Citation> {
  const name = basename(path);
  const { size } = await Deno.stat(path);
  const archive = await openArchive(path, {
    onBytes: (done) => onProgress?.({ task: `reading ${name}`, done, total: size, unit: "bytes" }),
    signal,
  });
  // To its end: a truncated or damaged archive must not be cited.
  for await (const _ of archive.chunks);
  const sha256 = archive.digest();
  await demandChecksum(path, sha256);
  const title = `Archive ${visible(name)} of a sequence registry`;
  const note = countOf(size, "byte");
  return writeCitation({
    sentence: `${title}, ${note}. ${signatureOf(sha256)}`,
    key: `archive-${keyOf(archiveStem(name) ?? name)}-${sha256.slice(0, 6)}`,
    title,
    note,
    sha256,
    toolkit: TOOLKIT,
  });
}

/** An archive is a table, or compressed: only a lock begins as JSON does. */
async function isLock(path: string): Promise<boolean> {
  using file = await Deno.open(path).catch((cause) => {
    throw new RegistryError("disk", `Cannot cite ${path}: ${messageOf(cause)}; check its permissions`, { cause });
  });
  // A byte order mark may stand before it.
  const first = new Uint8Array(4);
  const count = await file.read(first) ?? 0;
  return new TextDecoder().decode(first.subarray(0, count)).startsWith("{");
}

async function citeLock(path: string): Promise<Citation> {
  await completeLock(path);
  const text = await Deno.readTextFile(path);
  const calls = parseLock(text, path);
  if (text !== lockText(calls)) {
    throw new ParseError(
      `Cannot cite the lock ${path}: expected its canonical text, it was changed since it was written (by hand, or its ` +
        `line ends); restore it from its repository`,
    );
  }
  const sha256 = sha256Of(text);
  const all = [...calls.values()];
  const places = [...new Set(all.map(({ registry }) => visible(registry)))].sort(compareBytes);
  const toolkits = [...new Set(all.map(({ versions }) => versions.seqreg).filter((each) => each !== undefined))].sort();
  const records = all.reduce((sum, { records }) => sum + (records ?? 0), 0);
  const note = `${countOf(calls.size, "call")}, ${countOf(records, "record")}`;
  const title = `Lock of calls of a sequence registry (${places.join(", ")})`;
  return writeCitation({
    sentence: `${title}, recorded with ${toolkits.map((each) => `seqreg ${each}`).join(", ") || TOOLKIT}: ${note}. ${
      signatureOf(sha256)
    }`,
    key: `lock-${sha256.slice(0, 6)}`,
    title,
    note,
    sha256,
    toolkit: toolkits.length === 0 ? TOOLKIT : `seqreg ${toolkits.at(-1)}`,
  });
}

/** Compares the digest with that of the checksum file next to the archive, if there is one. */
async function demandChecksum(path: string, sha256: string): Promise<void> {
  const name = basename(path);
  for (const stem of [archiveStem(name), name]) {
    if (stem === undefined) continue;
    const file = join(dirname(path), `${stem}.sha256`);
    let text: string;
    try {
      text = await Deno.readTextFile(file);
    } catch (cause) {
      if (cause instanceof Deno.errors.NotFound) continue;
      throw new RegistryError("disk", `Cannot read ${file}: ${messageOf(cause)}; remove it or allow reading`, {
        cause,
      });
    }
    const expected = findChecksum(text, name).sha256;
    if (expected !== sha256) {
      throw new RegistryError(
        "checksum",
        `Cannot cite ${path}: its SHA-256 is ${sha256}, expected ${expected} as ${basename(file)} with it says; get ` +
          `the archive again`,
      );
    }
  }
}

async function citeLakeFolder(lake: string): Promise<Citation> {
  const tables = await findLakeTables(lake).catch((cause) => {
    if (!(cause instanceof RegistryError) || cause.code !== "disk" || isObjectAddress(lake)) throw cause;
    const next = "cite an archive of it, or build a lake first (seqreg lake)";
    throw new RegistryError("disk", `Cannot cite the folder ${lake}: expected a lake (${cause.message}); ${next}`, {
      cause,
    });
  });
  const archives = tables.map(({ manifest }) => manifest.source).filter(isFirst)
    .sort((a, b) => compareBytes(a.archive, b.archive));
  const damaged = archives.find(({ sha256 }) => !/^[0-9a-f]{64}$/.test(sha256));
  if (damaged !== undefined) {
    throw new ParseError(
      `Cannot cite the lake ${lake}: the digest of ${damaged.archive} is no SHA-256; build it again`,
    );
  }
  const sha256 = sha256Of(archiveChecksums(archives));
  const rows = tables.reduce((sum, { manifest }) => sum + manifest.rows, 0);
  const day = tables.map(({ manifest }) => manifest.built.slice(0, 10)).sort().at(-1)!;
  const toolkits = [...new Set(tables.map(({ manifest }) => manifest.toolkit))].sort();
  const note = `${countOf(rows, "row")} of ${countOf(archives.length, "archive")}`;
  const list = archives.map(({ archive, sha256 }) => `${visible(archive)} (${signatureOf(sha256)})`).join(", ");
  return writeCitation({
    sentence:
      `Lake of archives of a sequence registry, built on ${day} with ${toolkits.join(", ")}: ${note}: ${list}. ` +
      `The archives' checksum lines, sorted by name: ${signatureOf(sha256)}`,
    key: `lake-${day}-${sha256.slice(0, 6)}`,
    title: "Lake of archives of a sequence registry",
    day,
    note: `${note}: ${archives.map(({ archive }) => visible(archive)).join(", ")}`,
    sha256,
    toolkit: toolkits.at(-1)!,
  });
}

function isFirst({ archive, sha256 }: LakeSource, index: number, all: readonly LakeSource[]): boolean {
  return all.findIndex((other) => other.archive === archive && other.sha256 === sha256) === index;
}

/** Compares texts by their bytes in UTF-8, as `LC_ALL=C sort` does. */
function compareBytes(a: string, b: string): number {
  const [x, y] = [a, b].map((text) => new TextEncoder().encode(text));
  const at = x.findIndex((byte, index) => byte !== y[index]);
  return at < 0 ? x.length - y.length : x[at] - (y[at] ?? -1);
}

function keyOf(text: string): string {
  return text.replace(/[^A-Za-z0-9.]+/g, "-");
}

function whyUnread(cause: unknown): string {
  return cause instanceof Deno.errors.NotFound ? "the file or folder does not exist" : messageOf(cause);
}
