/** What is wrong with text that should be rows and cells, in the same words for every reader. */
import { isUtf8 } from "node:buffer";

/** Most bytes of a quoted cell that holds line feeds: behind a forgotten quote the rest of a file looks like one. */
export const MAX_QUOTED_LINES_BYTES = 64 * 1024 * 1024;

/** Message for bytes that are not UTF-8. */
export const NOT_UTF8 = "it is not valid UTF-8 on this line, perhaps Windows-1252 (Latin-1); save it as UTF-8";

export const OPEN_CELL = "a quoted cell never ends; its quote opens on this line";

/** Message for text after the closing quote of a cell that opened on a line. */
export function strayText(openLine: number, line: number): string {
  return "text follows a closing quote" +
    (line === openLine ? "" : ` on line ${line}; the quoted cell opens on this line`);
}

/** Message for a quoted cell that does not seem to end. */
export function longCell(): string {
  return `a quoted cell that opens on this line holds line feeds and more than ${MAX_QUOTED_LINES_BYTES} bytes; ` +
    "its closing quote seems to be missing";
}

export function countFeeds(bytes: Uint8Array): number {
  let feeds = 0;
  for (let at = bytes.indexOf(10); at !== -1; at = bytes.indexOf(10, at + 1)) feeds++;
  return feeds;
}

/** Finds the first byte of the first character that is not UTF-8, by halving; bytes of one line are not told apart. */
export function firstInvalid(bytes: Uint8Array): number {
  let [good, bad] = [0, bytes.length];
  while (bad - good > 1) {
    let middle = (good + bad) >> 1;
    // A prefix ends before a character, not within it.
    while (middle > good && (bytes[middle] & 0xc0) === 0x80) middle--;
    if (middle === good) break;
    if (isUtf8(bytes.subarray(good, middle))) good = middle;
    else bad = middle;
  }
  return good;
}
