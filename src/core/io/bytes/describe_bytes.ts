/**
 * Describes what a file looks like from its first bytes, so that an error can tell a user what they have got.
 *
 * @module
 */

import { terminalText } from "./terminal_text.ts";

const MAGICS: readonly (readonly [prefix: readonly number[], what: string])[] = [
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
];

/**
 * Describes bytes in a few words: `an HTML page`, `gzip data`, `a FASTA file`.
 *
 * @param head The first bytes; 512 are enough.
 * @returns What they look like.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { describeBytes } from "./describe_bytes.ts";
 *
 * assertEquals(describeBytes(new TextEncoder().encode("<!doctype html><title>x")), "an HTML page");
 * ```
 */
export function describeBytes(head: Uint8Array): string {
  if (head.length === 0) return "an empty file";
  for (const [prefix, what] of MAGICS) if (prefix.every((byte, index) => head[index] === byte)) return what;
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
