/**
 * The text of a table that a person saved: its encoding and its line ends.
 *
 * @module
 */
import { isUtf8 } from "node:buffer";
import { ParseError } from "../../errors.ts";
import { countFeeds, firstInvalid } from "./csv_faults.ts";
import { SEPARATOR_BYTES } from "./separator.ts";

/** Text of a table as UTF-8. */
export interface TableText {
  readonly bytes: Uint8Array;
  /** Whether CR and LF are exchanged, since rows end with a CR alone: cells are changed back. */
  readonly isSwapped: boolean;
}

const [LF, CR, QUOTE] = [10, 13, 34];
/** Bytes that are looked at for NUL, which text in UTF-16 has many of. */
const HEAD_BYTES = 4096;

/**
 * Brings the bytes of a table into UTF-8 with rows that end in LF or CRLF.
 *
 * @param bytes The table as it was saved.
 * @param options Name for errors; encoding, UTF-8 by default.
 * @throws {RangeError} If there is no such encoding.
 * @throws {ParseError} If the bytes are not of the encoding.
 */
export function readTableText(
  bytes: Uint8Array,
  { name, encoding }: { readonly name: string; readonly encoding?: string },
): TableText {
  const text = encoding === undefined ? requireUtf8(bytes, name) : decode(bytes, encoding, name);
  return endsWithReturns(text) ? { bytes: swapLineEnds(text), isSwapped: true } : { bytes: text, isSwapped: false };
}

/** Names the label by which the Encoding standard knows an encoding. @throws {RangeError} If it knows none. */
export function requireEncoding(encoding: string): string {
  try {
    return new TextDecoder(encoding).encoding;
  } catch (cause) {
    throw new RangeError(
      `Cannot use the encoding ${JSON.stringify(encoding)}: expected a name of the Encoding standard, such as ` +
        "windows-1252, utf-16, macintosh, shift_jis or gb18030",
      { cause },
    );
  }
}

function decode(bytes: Uint8Array, encoding: string, name: string): Uint8Array {
  const label = requireEncoding(encoding);
  // The standard's utf-16 is little endian, whatever the byte order mark is.
  const isBigEndian = label === "utf-16le" && bytes[0] === 0xfe && bytes[1] === 0xff;
  try {
    return new TextEncoder().encode(new TextDecoder(isBigEndian ? "utf-16be" : label, { fatal: true }).decode(bytes));
  } catch (cause) {
    throw new ParseError(`Cannot read the table ${name}: it is not valid ${encoding}; use another encoding`, {}, {
      cause,
    });
  }
}

function requireUtf8(bytes: Uint8Array, name: string): Uint8Array {
  const proposed = proposeEncoding(bytes);
  if (proposed === undefined) return bytes;
  const line = proposed === "windows-1252" ? 1 + countFeeds(bytes.subarray(0, firstInvalid(bytes))) : 1;
  const where = proposed === "windows-1252" ? " on this line" : "";
  throw new ParseError(
    `Cannot read the table ${name}: it is not valid UTF-8${where}; pass --encoding ${proposed} (option encoding) if ` +
      `that is how it was saved, or save it as UTF-8`,
    { line },
  );
}

/** The encoding that a table seems to have; `undefined` for UTF-8. */
function proposeEncoding(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe || bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16";
  const head = bytes.subarray(0, HEAD_BYTES);
  const zeros = [0, 0];
  for (const [index, byte] of head.entries()) if (byte === 0) zeros[index % 2]++;
  const many = head.length / 8;
  if (zeros[1] > many && zeros[0] === 0) return "utf-16le";
  if (zeros[0] > many && zeros[1] === 0) return "utf-16be";
  return isUtf8(bytes) ? undefined : "windows-1252";
}

/** Whether rows end with a CR alone: there is one outside quoted cells, and no LF. */
function endsWithReturns(text: Uint8Array): boolean {
  if (!text.includes(CR)) return false;
  let [isQuoted, returns] = [false, 0];
  for (const byte of text.subarray(0, SEPARATOR_BYTES)) {
    if (byte === QUOTE) isQuoted = !isQuoted;
    else if (!isQuoted && byte === LF) return false;
    else if (!isQuoted && byte === CR) returns++;
  }
  return returns > 0;
}

function swapLineEnds(text: Uint8Array): Uint8Array {
  return text.map((byte) => byte === CR ? LF : byte === LF ? CR : byte);
}

/** Changes CR and LF of a cell back. */
export function swapBack(cell: string): string {
  return /[\r\n]/.test(cell) ? cell.replace(/[\r\n]/g, (end) => end === "\r" ? "\n" : "\r") : cell;
}
