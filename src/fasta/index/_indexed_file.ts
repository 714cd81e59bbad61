/** Fetches records by an index, and trusts it no further than the bytes bear it out. */
import type { FastaHead } from "../text/fasta_batch.ts";
import { FastaError } from "../text/fasta_error.ts";
import type { FastaFile, FetchedFasta } from "./fasta_file.ts";
import { baseOffset, endOf, type FastaIndexEntry } from "./fasta_index_entry.ts";
import { idOf } from "./_file_head.ts";
import type { IndexLookup } from "./_index_lines.ts";
import { BASE_CLASS, BYTE_ORDER_MARK, CR, GREATER, LF, PIPE, SEMICOLON, SPACE, WHITE_SPACE } from "../text/bases.ts";
import { type LineKernel, makeLineKernel } from "../scan/line_kernel.ts";
import type { RandomBytes } from "../bgzf/random_bytes.ts";

/** Bytes before a sequence in which its header is looked for at first. */
const HEADER_BYTES = 1024;
/** Bytes of a header at most. */
const MAX_HEADER_BYTES = 1 << 20;
/** Bytes behind a sequence that are looked at, to see that it ends there. */
const END_BYTES = 16;
/** Bytes of a line that is read whole, to see that all before the bases that are wanted is bases too. */
const MAX_LINE_BYTES = 1 << 20;
/** Bytes that are read into memory that is used again, which is most of what is fetched: fresh memory is slow. */
const KERNEL_BYTES = 1 << 17;
/** Characters that V8 holds in one text at most. */
const MAX_TEXT_BASES = 536_870_888;

const utf8 = new TextDecoder("utf-8", { ignoreBOM: true });

/** What is known of a file when it is opened. */
export interface OpenedFasta {
  readonly name: string;
  readonly file: Deno.FsFile;
  readonly bytes: RandomBytes;
  readonly head: FastaHead;
  readonly index: FastaFile["index"];
  readonly warnings: readonly string[];
  readonly table: IndexLookup;
}

/** A file, its index, and what is fetched by it. */
export class IndexedFile implements FastaFile {
  readonly head: FastaHead;
  readonly index: FastaFile["index"];
  readonly warnings: readonly string[];
  readonly #name: string;
  readonly #file: Deno.FsFile;
  readonly #bytes: RandomBytes;
  readonly #table: IndexLookup;
  /** Made when something is first fetched. */
  #kernel: LineKernel | undefined;
  #entries: ReadonlyMap<string, FastaIndexEntry> | undefined;
  #isOpen = true;

  constructor({ name, file, bytes, head, index, warnings, table }: OpenedFasta) {
    this.#name = name;
    this.#file = file;
    this.#bytes = bytes;
    this.#table = table;
    this.head = head;
    this.index = index;
    this.warnings = warnings;
  }

  get entries(): ReadonlyMap<string, FastaIndexEntry> {
    return this.#entries ??= new Map(this.#table.entries().map((entry) => [entry.id, entry]));
  }

  has(id: string): boolean {
    return this.#table.has(id);
  }

  // deno-lint-ignore require-await -- what is wrong rejects, as the interface says
  async get(id: string, start = 0, end = Infinity): Promise<string | undefined> {
    this.#requireOpen(id);
    const entry = this.#table.get(id);
    if (entry === undefined) return undefined;
    const last = Math.min(end, entry.length);
    const isToEnd = last === entry.length;
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
    // Whole lines: what is not a sequence character moves those behind it.
    const isShort = entry.lineBytes <= MAX_LINE_BYTES;
    const lineBases = entry.lineLetters;
    const line = Math.floor(start / lineBases);
    const begin = isShort ? entry.offset + line * entry.lineBytes : baseOffset(entry, start);
    const to = isToEnd ? endOf(entry) : start === last ? begin : baseOffset(entry, last - 1) + 1;
    const from = Math.min(begin, to);
    const isSmall = isShort && to - from + HEADER_BYTES + END_BYTES <= KERNEL_BYTES;
    const target = isSmall ? this.#lineKernel().input : undefined;
    const { bytes, behind } = this.#read(entry, from, to, target);
    const bases = this.#basesIn(entry, bytes, from - entry.offset);
    // An index that is not of this file may end a sequence too soon.
    if (isToEnd && !endsRecord(behind)) throw this.#doesNotFit(entry);
    return utf8.decode(bases.subarray(isShort ? start - line * lineBases : 0));
  }

  // deno-lint-ignore require-await -- as above
  async record(id: string): Promise<FetchedFasta | undefined> {
    this.#requireOpen(id);
    const entry = this.#table.get(id);
    if (entry === undefined) return undefined;
    const end = endOf(entry);
    const { header, bytes, behind } = this.#read(entry, entry.offset, end);
    if (!endsRecord(behind)) throw this.#doesNotFit(entry);
    return { id, header: utf8.decode(header).replace(/\r$/, ""), lines: ended(bytes, behind) };
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
    // The header is near: one reading fetches both.
    const all = this.#bytes.read(begin, from === entry.offset ? to + END_BYTES : entry.offset, target);
    const before = all.subarray(0, entry.offset - begin);
    const header = this.#headerIn(entry, before) ?? this.#longHeader(entry);
    const read = from === entry.offset
      ? all.subarray(entry.offset - begin)
      : this.#bytes.read(from, to + END_BYTES, target);
    if (read.length < to - from) throw this.#doesNotFit(entry);
    const bytes = read.subarray(0, to - from);
    // A header or a comment between the lines of a sequence would be taken for bases.
    const { lineBytes } = entry;
    for (let at = (lineBytes - (from - entry.offset) % lineBytes) % lineBytes; at < bytes.length; at += lineBytes) {
      if (bytes[at] === GREATER || bytes[at] === SEMICOLON) throw this.#doesNotFit(entry);
    }
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
    if (start === 0 && BYTE_ORDER_MARK.every((byte, place) => bytes[place] === byte)) start = BYTE_ORDER_MARK.length;
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

  #lineKernel(): LineKernel {
    return this.#kernel ??= makeLineKernel(KERNEL_BYTES, KERNEL_BYTES);
  }

  /** The bases among bytes that begin at `place` in their sequence; valid until the next call. */
  #basesIn(entry: FastaIndexEntry, bytes: Uint8Array, place: number): Uint8Array {
    const kernel = this.#kernel;
    if (kernel !== undefined && bytes.buffer === kernel.input.buffer) {
      const from = bytes.byteOffset - kernel.input.byteOffset;
      const { lineLetters: lineBases, lineBytes } = entry;
      const count = kernel.joinLines(from, from + bytes.length, place % lineBytes, lineBases, lineBytes);
      if (count >= 0) return kernel.output.subarray(0, count);
    }
    return bytes.subarray(0, this.#keepBases(entry, bytes, place));
  }

  /** Moves bases together, line by line; how many there are. `place` is where the bytes begin in their sequence. */
  #keepBases(entry: FastaIndexEntry, bytes: Uint8Array, place: number): number {
    const { lineLetters: lineBases, lineBytes } = entry;
    let kept = 0;
    let column = place % lineBytes;
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
          "have no places; mend the file, or read it whole",
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

/** With the end of the last line: in place of what lies behind it, or after a copy where the file ends without one. */
function ended(bytes: Uint8Array, behind: Uint8Array): Uint8Array {
  const length = bytes.length + 1;
  const whole = behind.length > 0 ? new Uint8Array(bytes.buffer, bytes.byteOffset, length) : new Uint8Array(length);
  if (behind.length === 0) whole.set(bytes);
  whole[length - 1] = LF;
  return whole;
}

/** Whether a record ends before these bytes: but for white space they are the end of the file, or of a line. */
function endsRecord(bytes: Uint8Array): boolean {
  let at = 0;
  while (at < bytes.length && BASE_CLASS[bytes[at]] === WHITE_SPACE) at += 1;
  return at === bytes.length || bytes.lastIndexOf(LF, at) >= 0 && (bytes[at] === GREATER || bytes[at] === SEMICOLON);
}
