/**
 * Fetches records of a FASTA file by their ids, without reading the rest.
 *
 * @module
 */
import { readBytes } from "../io/byte_source.ts";
import { isGzip } from "../io/is_gzip.ts";
import { BgzfEnd, CUT_BGZF } from "./_bgzf_end.ts";
import type { BgzfBlock } from "./build_fasta_index.ts";
import type { FastaHead } from "./fasta_batch.ts";
import { FastaError } from "./fasta_error.ts";
import { endOf, type FastaIndexEntry, letterOffset } from "./fasta_index_entry.ts";
import { parseFieldsLine } from "./_fields_line.ts";
import { BYTE_ORDER_MARK, LETTER_CLASS, LF, WHITE_SPACE } from "./_letters.ts";
import { BlockBytes, PlainBytes, type RandomBytes } from "./_random_bytes.ts";
import { readIndex } from "./saved_index.ts";

/** Options of {@linkcode openFasta}. */
export interface OpenFastaOptions {
  /** Ends the reading with the signal's reason. */
  readonly signal?: AbortSignal;
  /** What to do when there is no index, or an old one: `save` (the default) writes it beside the file if it can. */
  readonly index?: "save" | "memory";
}

/** A record as it stands in the file. */
export interface FetchedFasta {
  /** Identifier. */
  readonly id: string;
  /** The header line, without `>` and line end. */
  readonly header: string;
  /** The lines of the sequence as they are in the file; the last one ends with a line feed. */
  readonly lines: Uint8Array;
}

/** An open FASTA file with its index. */
export interface FastaFile extends AsyncDisposable {
  /** Registry or plain FASTA, and the names of the values in its headers. */
  readonly head: FastaHead;
  /** The index, in the order of the file. */
  readonly entries: ReadonlyMap<string, FastaIndexEntry>;
  /** Whether the index was read, was made because there was none, or was made because it was old or not one. */
  readonly index: "read" | "made" | "renewed";
  /** What is odd, in words: an index that could not be saved, records that it cannot hold. */
  readonly warnings: readonly string[];
  /**
   * Reads letters of one sequence.
   *
   * @param id Accession, or header up to the first blank.
   * @param start First letter, counted from 0; 0 by default.
   * @param end Behind the last letter; the length by default, which it cannot exceed.
   * @returns The letters as they are; `undefined` if there is no such id.
   * @throws {RangeError} If `start` or `end` is no whole number, or `start` is greater than `end`.
   * @throws {FastaError} If the index does not fit the file.
   */
  get(id: string, start?: number, end?: number): Promise<string | undefined>;
  /**
   * Reads one record as it stands in the file.
   *
   * @returns The record; `undefined` if there is no such id.
   * @throws {FastaError} If the index does not fit the file.
   */
  record(id: string): Promise<FetchedFasta | undefined>;
  /** Closes the file. */
  close(): void;
}

/** Bytes before a sequence in which its header is looked for at first. */
const HEADER_BYTES = 1024;
/** Bytes of a header at most. */
const MAX_HEADER_BYTES = 1 << 20;

/**
 * Opens a FASTA file to fetch records by their ids. Uses the `.fai` beside it (and the `.gzi` of a BGZF file), and makes it when there is none, when it is
 * older than the file, or when it is not one.
 *
 * @param path The file: plain, or compressed by bgzip.
 * @param options Signal; whether a new index is saved.
 * @throws {FastaError} If the file is ordinary gzip, is no FASTA, or cannot be indexed.
 * @throws {RegistryError} With code `disk` if the file cannot be read.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { openFasta } from "./open_fasta.ts";
 *
 * const folder = await Deno.makeTempDir();
 * await Deno.writeTextFile(`${folder}/a.fasta`, ">a\nACGT\nAC\n>b\nGG\n");
 * {
 *   await using fasta = await openFasta(`${folder}/a.fasta`);
 *   assertEquals(await fasta.get("a", 2, 6), "GTAC");
 *   assertEquals(await fasta.get("c"), undefined);
 * }
 * await Deno.remove(folder, { recursive: true });
 * ```
 */
export async function openFasta(path: string | URL, options: OpenFastaOptions = {}): Promise<FastaFile> {
  const name = path instanceof URL ? decodeURIComponent(path.pathname) : path;
  // Reading says in words what is wrong with a path.
  for await (const _ of readBytes(path, { chunkBytes: 1 })) break;
  const file = await Deno.open(path, { read: true });
  try {
    const stat = await file.stat();
    const plain = new PlainBytes(file);
    const isCompressed = isGzip(plain.read(0, 2));
    const { index, entries, blocks, warnings } = await readIndex({ path, name, stat, isCompressed }, options);
    const said = [...warnings];
    if (blocks !== undefined && index === "read") {
      const end = new BgzfEnd();
      for (const from of [0, Math.max(0, stat.size - 64)]) end.add(plain.read(from, Math.min(from + 64, stat.size)));
      if (end.isMissing) said.push(CUT_BGZF);
    }
    const bytes = blocks === undefined ? plain : await blockBytesOf(name, plain, stat.size, blocks);
    const fieldsLine = firstFieldsLine(bytes);
    const head: FastaHead = fieldsLine === undefined
      ? { kind: "plain", fields: ["id", "description"] }
      : { kind: "registry", fields: parseFieldsLine(fieldsLine, { name, line: 1, byte: 0 }) };
    const byId = new Map(entries.map((entry) => [entry.id, entry]));
    return new IndexedFile(name, file, bytes, { head, index, warnings: said, entries: byId });
  } catch (error) {
    file.close();
    throw error;
  }
}

async function blockBytesOf(
  name: string,
  file: PlainBytes,
  fileBytes: number,
  blocks: readonly BgzfBlock[],
): Promise<BlockBytes> {
  const { inflateBlock, blockBytes } = await import("./_bgzf.ts");
  const inflate = (bytes: Uint8Array, byte: number) =>
    // Behind the last block with text there may be empty ones.
    inflateBlock(bytes.subarray(0, blockBytes(bytes, 0)), name, byte);
  return new BlockBytes(file, { blocks, fileBytes, inflate });
}

function firstFieldsLine(bytes: RandomBytes): string | undefined {
  for (let size = 1 << 12;; size *= 8) {
    const head = bytes.read(0, size);
    const text = new TextDecoder().decode(head);
    const isWhole = head.length < size;
    // Comments may stand before the line of fields; records may not.
    const line = /^(?:\s|;(?!fields=)[^\n]*\n)*(;fields=[^\n]*)(\n|$)/.exec(text);
    if (line !== null && (line[2] === "\n" || isWhole)) return line[1].replace(/\r$/, "");
    if (isWhole || /^>/m.test(text) || size > MAX_HEADER_BYTES) return undefined;
  }
}

class IndexedFile implements FastaFile {
  readonly head: FastaHead;
  readonly entries: ReadonlyMap<string, FastaIndexEntry>;
  readonly index: FastaFile["index"];
  readonly warnings: readonly string[];
  readonly #name: string;
  readonly #file: Deno.FsFile;
  readonly #bytes: RandomBytes;
  #isOpen = true;

  constructor(
    name: string,
    file: Deno.FsFile,
    bytes: RandomBytes,
    known: Pick<FastaFile, "head" | "entries" | "index" | "warnings">,
  ) {
    this.#name = name;
    this.#file = file;
    this.#bytes = bytes;
    this.head = known.head;
    this.entries = known.entries;
    this.index = known.index;
    this.warnings = known.warnings;
  }

  // deno-lint-ignore require-await -- what is wrong rejects, as the interface says
  async get(id: string, start = 0, end = Infinity): Promise<string | undefined> {
    const entry = this.entries.get(id);
    if (entry === undefined) return undefined;
    const last = Math.min(end, entry.length);
    if (!Number.isInteger(start) || start < 0 || !Number.isInteger(last) || start > last) {
      throw new RangeError(
        `Cannot get letters ${start} to ${end} of ${
          JSON.stringify(id)
        }: expected whole numbers from 0 to ${entry.length}`,
      );
    }
    this.#header(entry);
    if (start === last) return "";
    const letters = lettersOf(this.#read(entry, letterOffset(entry, start), letterOffset(entry, last - 1) + 1));
    if (letters.length !== last - start) throw this.#doesNotFit(entry);
    return letters;
  }

  // deno-lint-ignore require-await -- as above
  async record(id: string): Promise<FetchedFasta | undefined> {
    const entry = this.entries.get(id);
    if (entry === undefined) return undefined;
    const header = this.#header(entry);
    const lines = this.#read(entry, entry.offset, endOf(entry));
    return { id, header, lines: ended(lines) };
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

  #header(entry: FastaIndexEntry): string {
    for (let size = HEADER_BYTES; size <= MAX_HEADER_BYTES * 2; size *= 4) {
      const from = Math.max(0, entry.offset - size);
      const bytes = this.#read(entry, from, entry.offset);
      const end = bytes.length - 1;
      let start = end < 1 ? 0 : bytes.lastIndexOf(LF, end - 1) + 1;
      if (start === 0 && from > 0) continue;
      if (start === 0 && BYTE_ORDER_MARK.every((byte, place) => bytes[place] === byte)) start = BYTE_ORDER_MARK.length;
      const header = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes.subarray(start + 1, end));
      if (bytes[start] === 0x3e && bytes[end] === LF && this.#idOf(header) === entry.id) {
        return header.replace(/\r$/, "");
      }
      break;
    }
    throw this.#doesNotFit(entry);
  }

  #idOf(header: string): string {
    return this.head.kind === "registry"
      ? header.replace(/\r$/, "").split("|", 1)[0]
      : header.replace(/^[ \t\r\v\f]+/, "").split(/[ \t\r\v\f]/, 1)[0];
  }

  #read(entry: FastaIndexEntry, from: number, to: number): Uint8Array {
    const bytes = this.#bytes.read(from, to);
    if (bytes.length < to - from) throw this.#doesNotFit(entry);
    return bytes;
  }

  #doesNotFit({ id, offset }: FastaIndexEntry): FastaError {
    return new FastaError(
      `Cannot get a record of ${this.#name}: the index does not fit the file; remove ${this.#name}.fai and try again`,
      { id, byte: offset },
    );
  }
}

/** With the end of the last line, which the file may lack. */
function ended(lines: Uint8Array): Uint8Array {
  const whole = new Uint8Array(lines.length + 1);
  whole.set(lines);
  whole[lines.length] = LF;
  return whole;
}

function lettersOf(bytes: Uint8Array): string {
  let length = 0;
  for (let at = 0; at < bytes.length; at++) {
    if (LETTER_CLASS[bytes[at]] !== WHITE_SPACE) bytes[length++] = bytes[at];
  }
  return new TextDecoder().decode(bytes.subarray(0, length));
}
