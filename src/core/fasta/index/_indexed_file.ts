/** Fetches records by an index, and trusts it no further than the bytes bear it out. */
import type { FastaHead } from "../text/fasta_batch.ts";
import { FastaError } from "../text/fasta_error.ts";
import type { FastaFile, FetchedFasta } from "./fasta_file.ts";
import { baseOffset, endOf, type FastaIndexEntry } from "./fasta_index_entry.ts";
import { idOf } from "./_file_head.ts";
import type { IndexLookup } from "./_index_lines.ts";
import { BASE_CLASS, BYTE_ORDER_MARK, CR, GREATER, LF, PIPE, SEMICOLON, SPACE, WHITE_SPACE } from "../text/bases.ts";
import { type LineRoutines, makeLineRoutines } from "../scan/line_routines.ts";
import type { SyncReads } from "../bgzf/random_bytes.ts";
import { countOf } from "../../contract/count_of.ts";
import { type LedgerEntry, textsOf } from "../../contract/ledger_entries.ts";
import { DISPLAY, type Displayable, type MediaBundle } from "../../io/display/display.ts";
import { textView } from "../../io/display/html.ts";
import { Yielder } from "../../io/tasks/yield_to_event_loop.ts";

/** Bytes before a sequence in which its header is looked for at first. */
const HEADER_BYTES = 1024;
/** Bytes of a header at most. */
const MAX_HEADER_BYTES = 1 << 20;
/** Bytes behind a sequence that are looked at, to see that it ends there. */
const END_BYTES = 16;
/** Bytes of a line that is read whole, to see that all before the bases that are wanted is bases too. */
const MAX_LINE_BYTES = 1 << 20;
/** Reads of at most this many bytes, which are most, go into memory that is reused: fresh memory is slow. */
const KERNEL_BYTES = 1 << 17;
/** Characters that V8 holds in one text at most. */
const MAX_TEXT_BASES = 536_870_888;

const utf8 = new TextDecoder("utf-8", { ignoreBOM: true });

/** What is known of a file when it is opened. */
export interface OpenedFasta {
  readonly name: string;
  readonly file: Deno.FsFile;
  readonly bytes: SyncReads;
  readonly head: FastaHead;
  readonly index: FastaFile["index"];
  readonly remarks: readonly LedgerEntry[];
  readonly written: readonly string[];
  readonly table: IndexLookup;
}

export class IndexedFile implements FastaFile, Displayable {
  readonly head: FastaHead;
  readonly index: FastaFile["index"];
  readonly remarks: readonly LedgerEntry[];
  readonly warnings: readonly string[];
  readonly written: readonly string[];
  readonly #name: string;
  readonly #file: Deno.FsFile;
  readonly #bytes: SyncReads;
  readonly #table: IndexLookup;
  /** Made when something is first fetched. */
  #routines: LineRoutines | undefined;
  #entries: ReadonlyMap<string, FastaIndexEntry> | undefined;
  /** Reading is synchronous: a program that fetches in a loop would keep timers and signals waiting. */
  readonly #yielder = new Yielder();
  #isOpen = true;

  constructor({ name, file, bytes, head, index, remarks, written, table }: OpenedFasta) {
    this.#name = name;
    this.#file = file;
    this.#bytes = bytes;
    this.#table = table;
    this.head = head;
    this.index = index;
    this.remarks = remarks;
    this.warnings = textsOf(remarks, "warning");
    this.written = written;
  }

  [DISPLAY](): MediaBundle {
    const about = `${this.#name}: ${countOf(this.entries.size, "record")} by its index (${this.index})`;
    const first = this.entries.keys().next().value ?? "id";
    return textView([about, ...this.warnings, `await ….get(${JSON.stringify(first)}) reads a sequence`].join("\n"));
  }

  get entries(): ReadonlyMap<string, FastaIndexEntry> {
    return this.#entries ??= new Map(this.#table.entries().map((entry) => [entry.id, entry]));
  }

  has(id: string): boolean {
    return this.#table.has(id);
  }

  length(id: string): number | undefined {
    return this.#table.get(id)?.length;
  }

  async get(id: string, start?: number, end?: number): Promise<string | undefined> {
    const fetched = this.#get(id, start, end);
    if (this.#yielder.isDue) await this.#yielder.yieldWhenDue(undefined);
    return fetched;
  }

  async header(id: string): Promise<string | undefined> {
    const fetched = this.#header(id);
    if (this.#yielder.isDue) await this.#yielder.yieldWhenDue(undefined);
    return fetched;
  }

  async record(id: string): Promise<FetchedFasta | undefined> {
    const fetched = this.#record(id);
    if (this.#yielder.isDue) await this.#yielder.yieldWhenDue(undefined);
    return fetched;
  }

  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#file.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.close();
    return Promise.resolve();
  }

  #get(id: string, start = 0, end = Infinity): string | undefined {
    this.#requireOpen(id);
    const entry = this.#table.get(id);
    if (entry === undefined) return undefined;
    const last = Math.min(end, entry.length);
    if (!Number.isInteger(start) || start < 0 || !Number.isInteger(last) || start > last) {
      throw new RangeError(
        `Cannot get bases ${start} to ${end} of ${
          JSON.stringify(id)
        }: expected whole numbers from 0 to ${entry.length}`,
      );
    }
    if (last - start > MAX_TEXT_BASES) {
      throw this.#fault(entry, `a text holds no more than ${MAX_TEXT_BASES} bases; get them in parts`);
    }
    const { from, to, firstBase } = linesAround(entry, start, last);
    const target = to - from + HEADER_BYTES + END_BYTES < KERNEL_BYTES ? this.#lineRoutines().input : undefined;
    const { bytes, behind } = this.#read(entry, from, to, target);
    const bases = this.#basesIn(entry, bytes, from - entry.offset);
    // An index that is not of this file may end a sequence too soon.
    if (last === entry.length && !this.#endsRecord(behind, to)) throw this.#doesNotFit(entry);
    return utf8.decode(bases.subarray(start - firstBase, last - firstBase));
  }

  #header(id: string): string | undefined {
    this.#requireOpen(id);
    const entry = this.#table.get(id);
    if (entry === undefined) return undefined;
    return textOf(this.#read(entry, entry.offset, entry.offset).header);
  }

  #record(id: string): FetchedFasta | undefined {
    this.#requireOpen(id);
    const entry = this.#table.get(id);
    if (entry === undefined) return undefined;
    const end = endOf(entry);
    const { header, bytes, behind } = this.#read(entry, entry.offset, end);
    if (!this.#endsRecord(behind, end)) throw this.#doesNotFit(entry);
    return { id, header: textOf(header), lines: ended(bytes, behind) };
  }

  /** Whether a record ends before these bytes, which are at an offset: a header follows, or the file ends. */
  #endsRecord(bytes: Uint8Array, offset: number): boolean {
    let ends = endsBefore(bytes, bytes.length < END_BYTES);
    // Blank lines and comments may be followed by more of the record.
    for (let size = HEADER_BYTES; ends === undefined; size *= 32) {
      const more = this.#bytes.read(offset, offset + size);
      ends = endsBefore(more, more.length < size || size > MAX_HEADER_BYTES);
    }
    return ends;
  }

  #requireOpen(id: string): void {
    if (this.#isOpen) return;
    throw new TypeError(`Cannot get ${JSON.stringify(id)} of ${this.#name}: the file was closed; open it again`);
  }

  /** Reads bytes of a sequence, some of those behind, and the header, which must be that of the entry. */
  #read(
    entry: FastaIndexEntry,
    from: number,
    to: number,
    target?: Uint8Array,
  ): { readonly header: Uint8Array; readonly bytes: Uint8Array; readonly behind: Uint8Array } {
    const begin = Math.max(0, entry.offset - HEADER_BYTES);
    const isNear = from === entry.offset;
    // The header is near: one reading fetches both.
    const all = this.#bytes.read(begin, isNear ? to + END_BYTES : entry.offset, target);
    const before = all.subarray(0, entry.offset - begin);
    const header = this.#headerIn(entry, before) ?? this.#longHeader(entry);
    let read = isNear ? all.subarray(entry.offset - begin) : this.#bytes.read(from - 1, to + END_BYTES, target);
    if (!isNear) {
      if ((from - entry.offset) % entry.lineBytes === 0 && read[0] !== LF) throw this.#doesNotFit(entry);
      read = read.subarray(1);
    }
    if (read.length < to - from) throw this.#doesNotFit(entry);
    const bytes = read.subarray(0, to - from);
    // A header or a comment between the lines of a sequence would be taken for bases.
    if (beginsLine(bytes, GREATER) || beginsLine(bytes, SEMICOLON)) throw this.#doesNotFit(entry);
    return { header, bytes, behind: read.subarray(to - from) };
  }

  #longHeader(entry: FastaIndexEntry): Uint8Array {
    for (let size = HEADER_BYTES * 4; size <= MAX_HEADER_BYTES * 4; size *= 4) {
      const begin = Math.max(0, entry.offset - size);
      const header = this.#headerIn(entry, this.#bytes.read(begin, entry.offset));
      if (header !== undefined) return header;
    }
    throw this.#doesNotFit(entry);
  }

  /** The header that ends with these bytes; `undefined` when more are needed to know where it begins. */
  #headerIn(entry: FastaIndexEntry, bytes: Uint8Array): Uint8Array | undefined {
    const end = bytes.length - 1;
    let start = end < 1 ? 0 : bytes.lastIndexOf(LF, end - 1) + 1;
    if (start === 0 && bytes.length < entry.offset) return undefined;
    if (start === 0 && BYTE_ORDER_MARK.every((byte, index) => bytes[index] === byte)) start = BYTE_ORDER_MARK.length;
    const header = bytes.subarray(start + 1, end);
    if (bytes[start] !== GREATER || bytes[end] !== LF || !this.#isHeaderOf(entry.id, header)) {
      throw this.#doesNotFit(entry);
    }
    return header;
  }

  /** Whether a header has an id: seen by its bytes where it is plain ASCII, and nothing stands before it. */
  #isHeaderOf(id: string, header: Uint8Array): boolean {
    const end = this.head.kind === "registry" ? PIPE : SPACE;
    let at = 0;
    for (; at < id.length; at++) {
      const byte = header[at];
      if (byte !== id.charCodeAt(at) || byte <= SPACE || byte > 0x7e || byte === end) break;
    }
    if (at > 0 && at === id.length && header[at] === end) return true;
    return idOf(utf8.decode(header), this.head.kind) === id;
  }

  #lineRoutines(): LineRoutines {
    return this.#routines ??= makeLineRoutines(KERNEL_BYTES, KERNEL_BYTES);
  }

  /** The bases among bytes that begin at `offset` in their sequence; valid until the next call. */
  #basesIn(entry: FastaIndexEntry, bytes: Uint8Array, offset: number): Uint8Array {
    const routines = this.#routines;
    if (routines !== undefined && bytes.buffer === routines.input.buffer) {
      const from = bytes.byteOffset - routines.input.byteOffset;
      const { lineLetters: lineBases, lineBytes } = entry;
      const count = routines.joinLines(from, from + bytes.length, offset % lineBytes, lineBases, lineBytes);
      if (count >= 0) return routines.output.subarray(0, count);
    }
    return bytes.subarray(0, this.#keepBases(entry, bytes, offset));
  }

  /** Moves bases together, line by line; returns their number. `offset` is where the bytes begin in their sequence. */
  #keepBases(entry: FastaIndexEntry, bytes: Uint8Array, offset: number): number {
    const { lineLetters: lineBases, lineBytes } = entry;
    let kept = 0;
    let column = offset % lineBytes;
    for (let at = 0; at < bytes.length;) {
      const bases = Math.min(bytes.length, at + lineBases - column);
      for (; at < bases; at++) {
        const base = bytes[at];
        if (base <= 0x20 || base >= 0x7f) throw this.#notABase(entry, base);
        bytes[kept++] = base;
      }
      const end = Math.min(bytes.length, at + lineBytes - lineBases);
      for (; at < end; at++) if (BASE_CLASS[bytes[at]] !== WHITE_SPACE) throw this.#notABase(entry, bytes[at]);
      column = 0;
    }
    return kept;
  }

  /** A byte other than a base where a base is expected, or the other way round. */
  #notABase(entry: FastaIndexEntry, byte: number): FastaError {
    const isLineEnd = byte === LF || byte === CR;
    if (isLineEnd || byte > 0x20 && byte < 0x7f) return this.#doesNotFit(entry);
    return this.#fault(
      entry,
      BASE_CLASS[byte] === WHITE_SPACE
        ? "its lines hold blanks, so that no offset can be computed for its bases; rewrite it with seqreg fasta plain"
        : `its lines hold the byte 0x${
          byte.toString(16).padStart(2, "0")
        }, which is not a sequence character, so that its bases ` +
          "have no offsets; mend the file, or read it whole",
    );
  }

  #doesNotFit(entry: FastaIndexEntry): FastaError {
    return this.#fault(
      entry,
      this.index === "read"
        ? `the index does not fit the file; remove ${this.#name}.fai and try again`
        : "its lines hold blanks or bytes that are not sequence characters, so that its bases have no offsets, or the file " +
          "was " +
          "changed meanwhile; mend the file, or read it whole",
    );
  }

  #fault({ id, offset }: FastaIndexEntry, why: string): FastaError {
    return new FastaError(`Cannot get ${JSON.stringify(id)} of ${this.#name}: ${why}`, { id, byte: offset });
  }
}

/** With the end of the last line: instead of the bytes after it, or after a copy where the file ends without one. */
function ended(bytes: Uint8Array, behind: Uint8Array): Uint8Array {
  const length = bytes.length + 1;
  const whole = behind.length > 0 ? new Uint8Array(bytes.buffer, bytes.byteOffset, length) : new Uint8Array(length);
  if (behind.length === 0) whole.set(bytes);
  whole[length - 1] = LF;
  return whole;
}

/** Whether a line of these bytes begins with a character; the first line begins with them. */
function beginsLine(bytes: Uint8Array, character: number): boolean {
  for (let at = bytes.indexOf(character); at >= 0; at = bytes.indexOf(character, at + 1)) {
    if (at === 0 || bytes[at - 1] === LF) return true;
  }
  return false;
}

/** Whether a record ends before these bytes; `undefined` if that depends on what follows them. */
function endsBefore(bytes: Uint8Array, areAll: boolean): boolean | undefined {
  for (let at = 0, isLineStart = false; at < bytes.length; at++) {
    if (isLineStart && bytes[at] === GREATER) return true;
    if (isLineStart && bytes[at] === SEMICOLON) {
      const end = bytes.indexOf(LF, at);
      if (end < 0) break;
      at = end;
    } else if (BASE_CLASS[bytes[at]] !== WHITE_SPACE) return false;
    if (bytes[at] === LF) isLineStart = true;
  }
  return areAll ? true : undefined;
}

function textOf(header: Uint8Array): string {
  return utf8.decode(header).replace(/\r$/, "");
}

/**
 * Which bytes are read for some bases: whole lines, since a line that is longer or shorter than the index says moves
 * the bases behind it. All lines before them are read too where that is little; of a very long line only the bases.
 *
 * @returns Offsets, and the first base that lies there.
 */
function linesAround(
  entry: FastaIndexEntry,
  start: number,
  end: number,
): { readonly from: number; readonly to: number; readonly firstBase: number } {
  const { offset, lineLetters, lineBytes } = entry;
  if (lineBytes > MAX_LINE_BYTES) {
    const to = end === start ? baseOffset(entry, start) : baseOffset(entry, end - 1) + 1;
    return { from: Math.min(baseOffset(entry, start), to), to, firstBase: start };
  }
  const line = Math.floor(start / lineLetters);
  const lines = Math.ceil(end / lineLetters);
  const to = Math.min(offset + Math.max(line, lines) * lineBytes, endOf(entry));
  const isLittle = to - offset + HEADER_BYTES + END_BYTES < KERNEL_BYTES;
  const from = isLittle ? offset : Math.min(offset + line * lineBytes, to);
  return { from, to, firstBase: isLittle ? 0 : line * lineLetters };
}
