/** Lines of a plain CSV that repeat its header, as files have them that were joined with their headers. */
import { transformed } from "../../io/bytes/closing.ts";
import { copyBytes } from "../../io/bytes/join_bytes.ts";
import { csvRow } from "../../io/csv/csv_text.ts";

const [LF, CR, QUOTE, COMMA] = [10, 13, 34, 44];
/** The byte order mark that a joined file may begin with, in UTF-8. */
const MARK = Uint8Array.of(0xef, 0xbb, 0xbf);

const encoder = new TextEncoder();

/** Text without the lines that repeat its first. */
export interface WithoutHeaders {
  /** The text; such a line is empty, so that all others keep their number. */
  readonly chunks: AsyncGenerator<Uint8Array>;
  /** Where these lines begin, as far as the text was read. */
  readonly offsets: readonly number[];
}

/**
 * Empties the lines of a CSV that repeat its first line, as it is written or with other cells quoted: all, or those
 * that have to be. A line within a quoted cell is part of the cell.
 *
 * @param chunks The bytes; a chunk is yielded as it is unless such a line is in it.
 * @param head The first bytes, with all of the first line.
 * @param names Cells of that line. A table of one column may have its name as a value.
 * @param readAgain Reads the bytes once more, if a line repeats the first and there are quotes before it.
 */
export function withoutHeaders(
  chunks: AsyncGenerator<Uint8Array>,
  head: Uint8Array,
  names: readonly string[],
  readAgain: () => AsyncGenerator<Uint8Array>,
): WithoutHeaders {
  const offsets: number[] = [];
  const isLine = names.length > 1 && !names.some((name) => name.includes("\n"));
  if (!isLine) return { chunks, offsets };
  const empty = (bytes: AsyncIterable<Uint8Array>) => emptyHeaders(bytes, formsOf(head, names), { offsets, readAgain });
  return { chunks: transformed(chunks, empty), offsets };
}

/** A line to look for, and what finds it. */
interface HeaderForm {
  readonly line: Uint8Array;
  readonly find: (bytes: Uint8Array, from: number) => number;
}

/** The header as it is written in a file and in others that were joined with it. */
function formsOf(head: Uint8Array, names: readonly string[]): HeaderForm[] {
  const quoted = names.map((name) => `"${name.replaceAll('"', '""')}"`).join(",");
  const lines = [headerLine(head), encoder.encode(csvRow(names)), encoder.encode(quoted)];
  const isNew = (line: Uint8Array, index: number) =>
    !lines.slice(0, index).some((other) => other.length === line.length && startsWith(other, line));
  return lines.filter(isNew).map((line) => ({ line, find: finderOf(line) }));
}

/** The first line that is not empty, without a byte order mark and its end. */
function headerLine(head: Uint8Array): Uint8Array {
  let start = startsWith(head, MARK) ? MARK.length : 0;
  while (head[start] === LF || head[start] === CR) start++;
  const feed = head.indexOf(LF, start);
  const end = feed === -1 ? head.length : feed;
  return head.slice(start, end > start && head[end - 1] === CR ? end - 1 : end);
}

/**
 * Returns what finds a text in bytes, -1 where it is not, by Horspool's algorithm: most bytes are passed over, and
 * `indexOf()` of a Buffer looks at each.
 */
function finderOf(text: Uint8Array): (bytes: Uint8Array, from: number) => number {
  const last = text.length - 1;
  const steps = new Uint32Array(256).fill(text.length);
  for (let at = 0; at < last; at++) steps[text[at]] = last - at;
  return (bytes, from) => {
    for (let at = from + last; at < bytes.length; at += steps[bytes[at]]) {
      if (bytes[at] === text[last] && startsWith(bytes.subarray(at - last, at + 1), text)) return at - last;
    }
    return -1;
  };
}

async function* emptyHeaders(
  chunks: AsyncIterable<Uint8Array>,
  forms: readonly HeaderForm[],
  { offsets, readAgain }: { readonly offsets: number[]; readonly readAgain: () => AsyncGenerator<Uint8Array> },
): AsyncGenerator<Uint8Array> {
  await using quotes = new QuoteState(readAgain);
  let hasQuotes = false;
  /** The beginning of a line that may become a header, and whether what comes begins a line. */
  let held: Uint8Array = new Uint8Array(0);
  let isLineStart = true;
  let isFirst = true;
  let done = 0;
  const clean = async function* (bytes: Uint8Array, isEnd: boolean): AsyncGenerator<Uint8Array> {
    let from = 0;
    hasQuotes ||= bytes.includes(QUOTE);
    for (const [at, end] of spansOf(forms, bytes)) {
      const start = startsWith(bytes.subarray(Math.max(0, at - MARK.length)), MARK) ? at - MARK.length : at;
      const isWhole = bytes[end] === LF || bytes[end] === CR && bytes[end + 1] === LF || isEnd && end === bytes.length;
      if (!isWhole || !(start === 0 ? isLineStart : bytes[start - 1] === LF)) continue;
      if (isFirst) {
        isFirst = false;
        continue;
      }
      if (hasQuotes && await quotes.contain(done + start)) continue;
      offsets.push(done + start);
      yield bytes.subarray(from, start);
      from = end;
    }
    if (from < bytes.length) yield from === 0 ? bytes : bytes.subarray(from);
    done += bytes.length;
    isLineStart = bytes.length === 0 ? isLineStart : bytes[bytes.length - 1] === LF;
  };
  for await (const chunk of chunks) {
    const bytes = held.length === 0 ? chunk : copyBytes([held, chunk]);
    const rest = bytes.lastIndexOf(LF) + 1;
    const isHeld = (rest > 0 || isLineStart) && forms.some(({ line }) => mayBecome(bytes.subarray(rest), line));
    const end = isHeld ? rest : bytes.length;
    // The chunk's memory is another's once it is taken.
    held = Uint8Array.from(bytes.subarray(end));
    yield* clean(isHeld ? bytes.subarray(0, end) : bytes, false);
  }
  yield* clean(held, true);
}

/** Finds which offsets of a CSV are within a quoted cell; it is read as far as they are. */
class QuoteState implements AsyncDisposable {
  readonly #read: () => AsyncGenerator<Uint8Array>;
  #chunks: AsyncGenerator<Uint8Array> | undefined;
  #chunk: Uint8Array = new Uint8Array(0);
  #at = 0;
  /** Offset of what is looked at next. */
  #offset = 0;
  #isQuoted = false;
  /** Whether a quote would begin a quoted cell, or follow another within one. */
  #mayOpen = true;

  constructor(read: () => AsyncGenerator<Uint8Array>) {
    this.#read = read;
  }

  /** Whether an offset, which is not before an earlier one, is within a quoted cell. */
  async contain(offset: number): Promise<boolean> {
    this.#chunks ??= this.#read();
    while (this.#offset < offset) {
      if (this.#at === this.#chunk.length) {
        const { done, value } = await this.#chunks.next();
        if (done) break;
        [this.#chunk, this.#at] = [value, 0];
      }
      const end = Math.min(this.#chunk.length, this.#at + offset - this.#offset);
      this.#offset += end - this.#at;
      while (this.#at < end) this.#take(this.#chunk[this.#at++]);
    }
    return this.#isQuoted;
  }

  #take(byte: number): void {
    if (byte === QUOTE) {
      const wasQuoted = this.#isQuoted;
      this.#isQuoted = !wasQuoted && this.#mayOpen;
      this.#mayOpen = wasQuoted;
    } else if (!this.#isQuoted) this.#mayOpen = byte === COMMA || byte === LF || this.#mayOpen && MARK.includes(byte);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#chunks?.return(undefined);
  }
}

/** Where the forms of a header begin and end in a text, in its order. */
function spansOf(forms: readonly HeaderForm[], bytes: Uint8Array): (readonly [at: number, end: number])[] {
  const spans: [number, number][] = [];
  for (const { line, find } of forms) {
    for (let at = find(bytes, 0); at !== -1; at = find(bytes, at + line.length)) spans.push([at, at + line.length]);
  }
  return spans.sort(([a], [b]) => a - b);
}

/** Whether the beginning of a line may become the header, with a mark before it or not. */
function mayBecome(text: Uint8Array, line: Uint8Array): boolean {
  const rest = startsWith(text, MARK) ? text.subarray(MARK.length) : text;
  return startsWith(MARK, text) || startsWith(line, rest) ||
    rest.length === line.length + 1 && rest[line.length] === CR && startsWith(rest, line);
}

function startsWith(bytes: Uint8Array, prefix: Uint8Array): boolean {
  if (bytes.length < prefix.length) return false;
  for (let at = prefix.length - 1; at >= 0; at--) if (bytes[at] !== prefix[at]) return false;
  return true;
}

/** Numbers the lines, from 1, that begin at some offsets of a text. */
export async function linesAt(chunks: AsyncIterable<Uint8Array>, offsets: readonly number[]): Promise<number[]> {
  const lines: number[] = [];
  let [line, done] = [1, 0];
  for await (const chunk of chunks) {
    for (let feed = chunk.indexOf(LF); feed !== -1; feed = chunk.indexOf(LF, feed + 1)) {
      line++;
      if (done + feed + 1 === offsets[lines.length]) lines.push(line);
    }
    if (lines.length === offsets.length) break;
    done += chunk.length;
  }
  return lines;
}
