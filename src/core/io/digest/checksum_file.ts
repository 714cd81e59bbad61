/**
 * Reads the checksum files of the registry as `sha256sum --check` reads them, and stricter on names.
 *
 * A checksum file is an instruction to open a file by name, and it comes from the network. So the name is never used as
 * a path: it must be one that the caller expects.
 */
import { ParseError } from "../../errors.ts";

/** One entry of a checksum file. */
export interface ChecksumEntry {
  /** SHA-256 of the archive's bytes: 64 lower-case hexadecimal digits. */
  readonly sha256: string;
  /** Name of the archive, as written in the file. Never a path. */
  readonly name: string;
  /** Line of the entry, counted from 1. */
  readonly line: number;
}

/** The text of a checksum file breaks its format. {@linkcode ParseError.line} is where. */
export class ChecksumFileError extends ParseError {
  /** Identifies this error where classes are not at hand, such as after a worker's message. */
  override readonly name = "ChecksumFileError";

  /** States what is wrong and what was expected, at which line. */
  constructor(message: string, line: number) {
    super(`Cannot read the checksum file: ${message}`, { line });
  }
}

const GNU_LINE = /^[ \t]*(\\?)([0-9a-f]{64})[ \t][ *]?(.+)$/is;
const BSD_LINE = /^[ \t]*(\\?)SHA256 ?\((.+)\)[ \t]*=[ \t]*([0-9a-fA-F]{64})$/s;
/** A line of another digest: its digits before a name, or its name before the file's in parentheses. */
const OTHER_GNU_LINE = /^[ \t]*\\?([0-9a-f]+)[ \t][ *]?\S/i;
const OTHER_BSD_LINE = /^[ \t]*\\?(MD5|SHA1|SHA224|SHA384|SHA512) ?\(.+\)[ \t]*=[ \t]*[0-9a-f]+$/is;
/** Digests that such files state, by their number of hexadecimal digits. */
const OTHER_DIGESTS: ReadonlyMap<number, string> = new Map([
  [32, "MD5"],
  [40, "SHA1"],
  [56, "SHA224"],
  [96, "SHA384"],
  [128, "SHA512"],
]);

/**
 * Finds the digest that a checksum file states for one archive.
 *
 * Accepts what `sha256sum --check --strict` accepts: text and binary markers, upper case, BSD tags, comments,
 * a leading `./`, CRLF, a missing final newline. Refuses every name that is not expected, wherever it points.
 *
 * @param text Content of the checksum file.
 * @param archive File name of the archive, without a folder; or the few names it may have.
 * @returns The entry of that archive.
 * @throws {ChecksumFileError} If a line is malformed, names another file, or contradicts an earlier line, or
 * if the file has no entry.
 * @see Specification 4.1, rule 2. Strictness on names is our choice: the specification does not show it.
 *
 * @example A checksum file as the registry serves it
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { findChecksum } from "./checksum_file.ts";
 *
 * const text = `${"0".repeat(64)}  reftax1_to_reftax2_map.csv.gz\n`;
 *
 * assertEquals(findChecksum(text, "reftax1_to_reftax2_map.csv.gz").sha256, "0".repeat(64));
 * ```
 */
export function findChecksum(text: string, archive: string | readonly string[]): ChecksumEntry {
  const expected = typeof archive === "string" ? [archive] : archive;
  const wanted = expected.map((name) => JSON.stringify(name)).join(" or ");
  let found: ChecksumEntry | undefined;
  for (const entry of parseChecksums(text)) {
    if (!expected.includes(entry.name) || found !== undefined && found.name !== entry.name) {
      throw new ChecksumFileError(`it names ${JSON.stringify(shorten(entry.name))}, expected ${wanted}`, entry.line);
    }
    if (found !== undefined && found.sha256 !== entry.sha256) {
      throw new ChecksumFileError(`it contradicts line ${found.line}`, entry.line);
    }
    found ??= entry;
  }
  if (found === undefined) throw new ChecksumFileError(`it has no entry for ${wanted}`, 1);
  return found;
}

/**
 * Reads every entry of a checksum file, with any name. Callers must check a name before they open a file by it.
 *
 * @param text Content of the checksum file.
 * @returns Entries, in order.
 * @throws {ChecksumFileError} If a line is malformed.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { parseChecksums } from "./checksum_file.ts";
 *
 * const [entry] = parseChecksums(`# by hand\nSHA256 (a.csv.gz) = ${"0".repeat(64)}\n`);
 *
 * assertEquals([entry.name, entry.line], ["a.csv.gz", 2]);
 * ```
 */
export function parseChecksums(text: string): ChecksumEntry[] {
  if (text.startsWith("\ufeff")) {
    throw new ChecksumFileError(
      "it begins with a byte order mark (EF BB BF), which sha256sum refuses; save it without",
      1,
    );
  }
  return text.split("\n").flatMap((line, index) => parseLine(line.replace(/\r$/, ""), index + 1) ?? []);
}

/**
 * Writes the checksum file of one archive, as `sha256sum` does.
 *
 * @param sha256 Digest of the archive's bytes.
 * @param archive File name of the archive, without a folder.
 * @see Specification 4.1, rule 2.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { checksumText } from "./checksum_file.ts";
 *
 * assertEquals(checksumText("00ff", "a.csv.gz"), "00ff  a.csv.gz\n");
 * ```
 */
export function checksumText(sha256: string, archive: string): string {
  const escaped = escapeName(archive);
  return `${escaped === archive ? "" : "\\"}${sha256}  ${escaped}\n`;
}

/** Writes a name as GNU tools do: `\n`, `\r` and `\\` for what would break the line. */
export function escapeName(name: string): string {
  return name.replace(/[\n\r\\]/g, (character) => character === "\n" ? "\\n" : character === "\r" ? "\\r" : "\\\\");
}

function parseLine(line: string, number: number): ChecksumEntry | undefined {
  if (line === "" || line.startsWith("#")) return undefined;
  const bsd = BSD_LINE.exec(line);
  if (bsd) return entryOf(bsd[3], bsd[1] === "" ? bsd[2] : unescapeName(bsd[2], number), number);
  const gnu = GNU_LINE.exec(line);
  if (gnu) return entryOf(gnu[2], gnu[1] === "" ? gnu[3] : unescapeName(gnu[3], number), number);
  const other = otherDigest(line);
  const next = other === undefined
    ? ""
    : `; this is a digest of ${other}, not SHA-256: check the files by ${other.toLowerCase()}sum --check`;
  throw new ChecksumFileError(
    `expected 64 hexadecimal digits, two spaces and a file name, got ${JSON.stringify(shorten(line))}${next}`,
    number,
  );
}

/** The digest that a line states, if it is another than SHA-256. */
function otherDigest(line: string): string | undefined {
  const digits = OTHER_GNU_LINE.exec(line)?.[1].length ?? 0;
  return OTHER_DIGESTS.get(digits) ?? OTHER_BSD_LINE.exec(line)?.[1].toUpperCase();
}

function entryOf(sha256: string, name: string, line: number): ChecksumEntry {
  return { sha256: sha256.toLowerCase(), name: name.replace(/^\.\//, ""), line };
}

function shorten(text: string): string {
  return text.length > 100 ? `${text.slice(0, 100)}…` : text;
}

/** GNU tools write a backslash before the digest when the name holds `\n`, `\r` or `\\` escapes. */
function unescapeName(name: string, line: number): string {
  return name.replace(/\\(.?)/g, (_, character: string) => {
    const plain = { n: "\n", r: "\r", "\\": "\\" }[character];
    if (plain === undefined) throw new ChecksumFileError(`it has an unknown escape "\\${character}" in the name`, line);
    return plain;
  });
}
