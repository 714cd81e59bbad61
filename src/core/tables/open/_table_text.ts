/** The text of a table that a person saved: its encoding and its line ends. */
import { isUtf8 } from "node:buffer";
import { ParseError } from "../../errors.ts";
import { countFeeds, firstInvalid } from "../../io/csv/csv_faults.ts";
import { SEPARATOR_BYTES } from "../../io/csv/separator.ts";

const [LF, CR, QUOTE] = [10, 13, 34];
/** Bytes that are looked at for NUL, which text in UTF-16 has many of. */
const HEAD_BYTES = 4096;
/** Bytes of a character at the end that may be cut. */
const MAX_CUT_BYTES = 3;

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

/**
 * Checks that a table is UTF-8, as far as its first bytes show.
 *
 * @param head The first bytes.
 * @throws {ParseError} If it is not; the message proposes the encoding that it seems to have.
 */
export function requireUtf8(head: Uint8Array, name: string): void {
  const proposed = proposeEncoding(head);
  if (proposed === undefined) return;
  const line = proposed === "windows-1252" ? 1 + countFeeds(head.subarray(0, firstInvalid(head))) : 1;
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
  for (let cut = 0; cut <= MAX_CUT_BYTES; cut++) if (isUtf8(bytes.subarray(0, bytes.length - cut))) return undefined;
  return "windows-1252";
}

/** Whether rows end with a CR alone: there is one outside quoted cells, and no LF. */
export function endsWithReturns(text: Uint8Array): boolean {
  if (!text.includes(CR)) return false;
  let [isQuoted, returns] = [false, 0];
  for (const byte of text.subarray(0, SEPARATOR_BYTES)) {
    if (byte === QUOTE) isQuoted = !isQuoted;
    else if (!isQuoted && byte === LF) return false;
    else if (!isQuoted && byte === CR) returns++;
  }
  return returns > 0;
}

export function swapLineEnds(text: Uint8Array): Uint8Array {
  return text.map((byte) => byte === CR ? LF : byte === LF ? CR : byte);
}

/** Changes CR and LF of a cell back. */
export function swapBack(cell: string): string {
  return /[\r\n]/.test(cell) ? cell.replace(/[\r\n]/g, (end) => end === "\r" ? "\n" : "\r") : cell;
}
