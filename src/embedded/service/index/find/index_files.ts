/** The files of an index, open for reading: arrays by name, blocks of codes, slices of orders, texts. */
import { join } from "node:path";
import type { Field } from "@seqreg/core/query";
import { type Codes, type CodeWidth, viewCodes } from "../format/codes.ts";
import { columnFiles } from "../build/column_writer.ts";
import { FileReader, PieceCache } from "../../files/file_reader.ts";
import {
  ARRAYS_FILE,
  type ColumnEntry,
  FREQUENT_FILE,
  type IndexHeader,
  RARE_FILE,
  readIndexFile,
} from "../format/index_file.ts";
import { TextReader } from "../format/text_reader.ts";

/** Folded values that are kept as texts, of all fields together. */
const KEPT_VALUES = 1 << 18;

export class IndexFiles implements Disposable {
  readonly manifest: IndexHeader;
  readonly fields: readonly Field[];
  readonly blockRows: number;
  readonly rows: number;
  readonly blocks: number;
  /** Rare tokens, and frequent ones. */
  readonly rare: FileReader;
  readonly frequent: FileReader;
  readonly #arrays: FileReader;
  readonly #texts = new Map<number, TextReader>();
  readonly #files: FileReader[] = [];
  readonly #folded = new Map<number, Promise<readonly string[]>>();

  private constructor(folder: string, manifest: IndexHeader, fields: readonly Field[], cacheBytes: number) {
    this.manifest = manifest;
    this.fields = fields;
    this.blockRows = manifest.bounds.blockRows;
    this.rows = manifest.recordCount;
    this.blocks = Math.ceil(this.rows / this.blockRows);
    const cache = new PieceCache(cacheBytes);
    const open = (path: string) => {
      const file = new FileReader(path, { cache, sums: true });
      this.#files.push(file);
      return file;
    };
    try {
      this.#arrays = open(join(folder, ARRAYS_FILE));
      this.rare = open(join(folder, RARE_FILE));
      this.frequent = open(join(folder, FREQUENT_FILE));
      for (const [index, column] of manifest.columns.entries()) {
        if (column.kind === "many") {
          this.#texts.set(index, new TextReader(open(columnFiles(folder, index).texts), column.texts));
        }
      }
    } catch (cause) {
      this[Symbol.dispose]();
      throw cause;
    }
  }

  static open(folder: string, fields: readonly Field[], cacheBytes: number): IndexFiles {
    return new IndexFiles(folder, readIndexFile(folder), fields, cacheBytes);
  }

  column(field: number): ColumnEntry {
    return this.manifest.columns[field];
  }

  rowsOf(block: number): number {
    return Math.min(this.blockRows, this.rows - block * this.blockRows);
  }

  has(name: string): boolean {
    return Object.hasOwn(this.manifest.sections, name);
  }

  /** Returns an array of whole numbers, or a part of it. */
  whole(name: string, from = 0, to?: number): Uint32Array {
    const bytes = this.#piece(name, from, to, 4);
    return new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4);
  }

  numbers(name: string): Float64Array {
    const bytes = this.#piece(name, 0, undefined, 8);
    return new Float64Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 8);
  }

  bytes(name: string, from = 0, to?: number): Uint8Array {
    return this.#piece(name, from, to, 1);
  }

  /** Reads a part of an array of whole numbers that is hardly wanted again. */
  once(name: string, from: number, to: number): Uint32Array {
    const { position } = this.manifest.sections[name];
    return new Uint32Array(this.#arrays.read(position + from * 4, (to - from) * 4).buffer);
  }

  codes(field: number, block: number): Codes {
    const column = this.column(field);
    return this.#codes(`codes-${field}`, block, column.kind === "few" ? column.width : 1);
  }

  joint(group: number, block: number): Codes {
    return this.#codes(`joint-${group}`, block, 2);
  }

  /**
   * Returns what is kept of a field, made when it is not there; what was wanted least lately goes when it is too much.
   */
  folded(field: number, make: () => Promise<readonly string[]>): Promise<readonly string[]> {
    const known = this.#folded.get(field) ?? make();
    this.#folded.delete(field);
    this.#folded.set(field, known);
    known.catch(() => this.#folded.delete(field));
    let values = 0;
    for (const [kept] of [...this.#folded].reverse()) {
      const column = this.column(kept);
      values += column.kind === "few" ? column.values : 0;
      if (values > KEPT_VALUES && kept !== field) this.#folded.delete(kept);
    }
    return known;
  }

  texts(field: number): TextReader {
    const texts = this.#texts.get(field);
    if (texts === undefined) throw new RangeError(`field ${field} has no texts`);
    return texts;
  }

  [Symbol.dispose](): void {
    for (const file of this.#files) file[Symbol.dispose]();
  }

  #codes(name: string, block: number, width: CodeWidth): Codes {
    const from = block * this.blockRows;
    return viewCodes(this.#piece(name, from, Math.min(this.rows, from + this.blockRows), width), width);
  }

  #piece(name: string, from: number, to: number | undefined, width: number): Uint8Array {
    const section = this.manifest.sections[name];
    const end = to === undefined ? section.bytes : to * width;
    return this.#arrays.piece(section.position + from * width, end - from * width);
  }
}
