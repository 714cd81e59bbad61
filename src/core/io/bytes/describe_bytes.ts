/** Describes what a file looks like from its first bytes, so that an error can tell a user what they have got. */

import { terminalText } from "./terminal_text.ts";

const [LF, CR, SEMICOLON, GREATER] = [10, 13, 59, 62];

/** How kinds of files begin, or what they have at an offset. */
const MAGICS: readonly (readonly [bytes: readonly number[], what: string, at?: number])[] = [
  [[0x1f, 0x8b], "gzip data"],
  [[0x89, 0x50, 0x4e, 0x47], "a PNG image"],
  [[0xff, 0xd8, 0xff], "a JPEG image"],
  [[0x25, 0x50, 0x44, 0x46], "a PDF document"],
  [[0x50, 0x4b, 0x03, 0x04], "a ZIP archive (or an Excel workbook)"],
  [[0xd0, 0xcf, 0x11, 0xe0], "an Excel workbook of the old form (.xls)"],
  [[0x50, 0x41, 0x52, 0x31], "a Parquet file"],
  [[0x42, 0x5a, 0x68], "bzip2 data, to be decompressed by bzip2 -d first"],
  [[0xfd, 0x37, 0x7a, 0x58, 0x5a], "xz data, to be decompressed by xz -d first"],
  [[0x28, 0xb5, 0x2f, 0xfd], "zstd data"],
  [[0x53, 0x51, 0x4c, 0x69, 0x74, 0x65], "a SQLite database"],
  [[0xff, 0xfe], "UTF-16 text"],
  [[0xfe, 0xff], "UTF-16 text"],
  [[0x7b, 0x5c, 0x72, 0x74, 0x66], "an RTF document"],
  [[0x75, 0x73, 0x74, 0x61, 0x72], "a tar archive", 257],
];

/** The one thing to do with a file of another kind than was expected. */
const NEXT: Readonly<Record<string, string>> = {
  "an empty file": "fetch or save it again",
  "an HTML page":
    "the server sent a page instead of the file; fetch it again, or open it in a browser to see what it says",
  "a ZIP archive (or an Excel workbook)": "unpack it, or of a workbook save the sheet as CSV, and name that file",
  "an Excel workbook of the old form (.xls)":
    "open it in Excel, save it as .xlsx, without a password if it has one, and name that file",
  "an RTF document": "open it in the program that made it, save it as plain text, and name that file",
  "a PDF document": "find the file that it was made from",
  "a tar archive": "unpack it by tar -xf, and name the file in it",
  "bzip2 data, to be decompressed by bzip2 -d first": "name the file that it leaves",
  "xz data, to be decompressed by xz -d first": "name the file that it leaves",
  "UTF-16 text": "save it as UTF-8",
  "a FASTA file whose lines end with carriage returns alone":
    "convert its line ends, as by tr '\\r' '\\n' < old.fasta > new.fasta, and name the new file",
  "a Parquet file": "read it as a lake, with live(), or with polars or DuckDB",
  "a GenBank file": "export its records as FASTA, or its fields as a table",
  "a FASTQ file": "convert it to FASTA first, as by seqkit fq2fa",
};

/**
 * What to do with a file that is of another kind than was expected.
 *
 * @param looks What it looks like, in the words of {@linkcode describeBytes}.
 */
export function nextFor(looks: string): string {
  return NEXT[looks] ?? "name another file, or the command for this kind";
}

/**
 * Describes bytes in a few words: `an HTML page`, `gzip data`, `a FASTA file`.
 *
 * @param head The first bytes; 512 are enough.
 */
export function describeBytes(head: Uint8Array): string {
  if (head.length === 0) return "an empty file";
  for (const [bytes, what, at = 0] of MAGICS) {
    if (bytes.every((byte, index) => head[at + index] === byte)) return what;
  }
  if (isUtf16(head)) return "UTF-16 text";
  if (endsFastaWithReturns(head)) return "a FASTA file whose lines end with carriage returns alone";
  const text = new TextDecoder().decode(head.subarray(0, 512)).replace(/^\uFEFF/, "").trimStart();
  if (/^<(!doctype html|!--|html|head|body|title|meta)/i.test(text)) return "an HTML page";
  if (/^<\?xml|^<[a-z][\w-]*[\s>]/i.test(text)) return "XML";
  if (/^[{[]/.test(text)) return "JSON";
  if (text.startsWith(">") || text.startsWith(";fields=")) return "a FASTA file";
  if (text.startsWith("@") && /\n\+/.test(text)) return "a FASTQ file";
  if (text.startsWith("LOCUS ")) return "a GenBank file";
  // deno-lint-ignore no-control-regex
  if (/[\x00-\x08\x0e-\x1f]/.test(text)) return "binary data";
  const line = text.split(/\r?\n/, 1)[0];
  if (line.includes("\t")) return "a table separated by tabs";
  if (line.includes(",")) return "a CSV table";
  return "text";
}

/** Whether bytes are UTF-16 without a byte order mark: of most characters of ASCII or Latin 1 one byte is 0. */
function isUtf16(head: Uint8Array): boolean {
  const zeros = [0, 0];
  const length = Math.min(head.length, 512) & ~1;
  for (let at = 0; at < length; at++) if (head[at] === 0) zeros[at & 1]++;
  const [few, many] = zeros.sort((a, b) => a - b);
  return length >= 4 && few === 0 && many > length / 4;
}

/** Bytes of a FASTA file that a first line of field names may take. */
export const FIRST_LINE_BYTES = 2048;

/**
 * Whether FASTA has the line ends of an old Macintosh, so that all of it is one header, or one line of field names:
 * carriage returns and no line feed, and another record or more bytes than a header has.
 *
 * @param head The first bytes; {@linkcode FIRST_LINE_BYTES} are enough.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { endsFastaWithReturns } from "./describe_bytes.ts";
 *
 * const head = (text: string) => new TextEncoder().encode(text);
 *
 * assertEquals(endsFastaWithReturns(head(">a\rAC\r>b\rGT\r")), true);
 * assertEquals(endsFastaWithReturns(head(">a\r\nAC\r\n>b\r\nGT\r\n")), false);
 * ```
 */
export function endsFastaWithReturns(head: Uint8Array): boolean {
  const isHeader = head[0] === GREATER;
  const bytes = head.subarray(0, isHeader ? 512 : FIRST_LINE_BYTES);
  if (!isHeader && bytes[0] !== SEMICOLON || bytes.includes(LF)) return false;
  // One may be a fault of a header.
  if (bytes.indexOf(CR) === bytes.lastIndexOf(CR)) return false;
  return isHeader && bytes.length === 512 || bytes.some((byte, at) => byte === GREATER && bytes[at - 1] === CR);
}

/** Characters of a first line that an error shows. */
const SHOWN_CHARACTERS = 120;

/**
 * Reads the first line that is not empty, for an error: at most 120 characters, control characters as escapes.
 *
 * @param head The first bytes; 512 are enough.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { firstLineOf } from "./describe_bytes.ts";
 *
 * assertEquals(firstLineOf(new TextEncoder().encode("\nDown for maintenance\nuntil 9")), "Down for maintenance");
 * ```
 */
export function firstLineOf(head: Uint8Array): string {
  const text = new TextDecoder().decode(head.subarray(0, 512)).trimStart();
  const line = text.split(/\r?\n|\r/, 1)[0];
  return terminalText(line.length > SHOWN_CHARACTERS ? `${line.slice(0, SHOWN_CHARACTERS)}…` : line);
}
