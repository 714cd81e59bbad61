/**
 * Writes the columns of an index while records come: codes for fields with few values, texts and tokens for others.
 *
 * A code is the index of a value among those of its field, in the order in which they came. A field that turns out to
 * have many values is read back and written as texts from its first row on.
 */
import { join } from "node:path";
import { type Field, type KeyKind, keyKind, readKeys } from "@seqreg/core/query";
import { isMissingText } from "../format/missing_text.ts";
import { keyWidth, writeNumbers } from "../format/number_key.ts";
import { ByteDictionary } from "./_byte_dictionary.ts";
import type { Cells } from "../format/cells.ts";
import { type Codes, type CodeWidth, codeWidth, viewCodes } from "../format/codes.ts";
import { FileReader } from "../../files/file_reader.ts";
import { FileWriter } from "../../files/file_writer.ts";
import { type TextBlocks, TextWriter } from "../format/text_writer.ts";
import type { TokenWriter } from "./token_writer.ts";
import { type HashKey, textOf, Tokeniser } from "../format/tokens.ts";
import type { IndexBounds } from "../format/types.ts";

/** Rows of a block of texts at most. */
const TEXT_ROWS = 4096;

/** Names of the files of a field while it is built; the first two remain, for a field with many values. */
export function columnFiles(folder: string, field: number) {
  return {
    texts: join(folder, `texts-${field}.bin`),
    codes: join(folder, `codes-${field}.building`),
    values: join(folder, `values-${field}.building`),
    raw: join(folder, `raw-${field}.building`),
    keys: join(folder, `keys-${field}.building`),
    present: join(folder, `present-${field}.building`),
    filled: join(folder, `filled-${field}.building`),
  };
}

export type WrittenColumn =
  /** Blocks of codes, each of so many bytes a code. */
  | { readonly kind: "few"; readonly widths: readonly CodeWidth[] }
  /** Folded texts, and texts as they stand when the field is sorted by them. */
  | { readonly kind: "many"; readonly texts: TextBlocks; readonly raw: TextBlocks | undefined };

export class CodeWriter {
  readonly #dictionary = new ByteDictionary();
  readonly #path: string;
  readonly #file: FileWriter;
  readonly #widths: CodeWidth[] = [];
  readonly #block: Uint32Array;
  #used = 0;

  constructor(path: string, blockRows: number) {
    this.#path = path;
    this.#file = new FileWriter(path);
    this.#block = new Uint32Array(blockRows);
  }

  /** Different values so far. */
  get size(): number {
    return this.#dictionary.size;
  }

  get bytes(): number {
    return this.#dictionary.bytes;
  }

  /** Returns the values by code. */
  values(): string[] {
    return this.#dictionary.values();
  }

  /** Adds a column of records, which the block has room for. */
  add({ bytes, ends, width }: Cells, column: number, from: number, to: number): void {
    const dictionary = this.#dictionary;
    const block = this.#block;
    let used = this.#used;
    for (let cell = from * width + column, last = to * width; cell < last; cell += width) {
      block[used++] = dictionary.codeOf(bytes, cell === 0 ? 0 : ends[cell - 1] + 1, ends[cell]);
    }
    this.#used = used;
  }

  endBlock(): void {
    const width = codeWidth(this.size);
    const codes = this.#block.subarray(0, this.#used);
    this.#file.append(width === 1 ? new Uint8Array(codes) : width === 2 ? new Uint16Array(codes) : codes);
    this.#widths.push(width);
    this.#used = 0;
  }

  /** Returns all values so far, row by row. */
  *replay(): Generator<Uint8Array> {
    this.#file.flush();
    using reader = new FileReader(this.#path);
    for (const codes of readCodeBlocks(reader, this.#widths, this.#block.length, Infinity)) {
      for (const code of codes) yield this.#dictionary.bytesOf(code);
    }
    for (let at = 0; at < this.#used; at++) yield this.#dictionary.bytesOf(this.#block[at]);
  }

  /** Ends the writing, with the last block. */
  finish(): WrittenColumn {
    if (this.#used > 0) this.endBlock();
    this.#file.close();
    return { kind: "few", widths: this.#widths };
  }
}

/** Reads blocks of codes; the last may be shorter. */
export function* readCodeBlocks(
  reader: FileReader,
  widths: readonly CodeWidth[],
  blockRows: number,
  rows: number,
): Generator<Codes> {
  let position = 0;
  for (const [block, width] of widths.entries()) {
    const count = Math.min(blockRows, rows - block * blockRows);
    const bytes = reader.read(position, count * width);
    position += bytes.length;
    yield viewCodes(bytes, width);
  }
}

/** Rows whose bits are written at once. */
const BIT_ROWS = 65_536;

class BitWriter {
  readonly #file: FileWriter;
  readonly #bits = new Uint32Array(BIT_ROWS / 32);

  constructor(path: string) {
    this.#file = new FileWriter(path);
  }

  /** Adds the bit of a row, one after another. */
  add(row: number, bit: boolean): void {
    if (bit) this.#bits[row % BIT_ROWS >>> 5] |= 1 << (row & 31);
    if ((row + 1) % BIT_ROWS === 0) this.#write(this.#bits.length);
  }

  /** Ends after so many rows. */
  finish(rows: number): void {
    const rest = rows % BIT_ROWS;
    if (rest > 0) this.#write(Math.ceil(rest / 32));
    this.#file.close();
  }

  #write(words: number): void {
    this.#file.append(this.#bits.subarray(0, words));
    this.#bits.fill(0);
  }
}

/** Writes texts, sort keys and tokens of one field. */
export class ManyWriter {
  readonly #field: Field;
  readonly #texts: TextWriter;
  readonly #raw: TextWriter | undefined;
  readonly #keys: KeyWriter | undefined;
  readonly #present: BitWriter;
  readonly #filled: BitWriter;
  readonly #tokeniser: Tokeniser;
  readonly #tokens: TokenWriter;
  readonly #isList: boolean;
  #row = 0;

  constructor(folder: string, field: Field, parts: { hashKey: HashKey; tokens: TokenWriter; bounds: IndexBounds }) {
    const { type, index } = field;
    const files = columnFiles(folder, index);
    const { textBytes } = parts.bounds;
    const kind = keyKind(type);
    this.#field = field;
    this.#isList = type === "list";
    this.#texts = new TextWriter(files.texts, textBytes, TEXT_ROWS, true);
    this.#present = new BitWriter(files.present);
    this.#filled = new BitWriter(files.filled);
    if (kind !== undefined) this.#keys = new KeyWriter(files.keys, field, kind);
    else this.#raw = new TextWriter(files.raw, textBytes, TEXT_ROWS, false);
    this.#tokeniser = new Tokeniser(field, parts.hashKey);
    this.#tokens = parts.tokens;
  }

  add({ bytes, ends, width }: Cells, column: number, from: number, to: number): void {
    for (let cell = from * width + column, last = to * width; cell < last; cell += width) {
      this.addValue(bytes, cell === 0 ? 0 : ends[cell - 1] + 1, ends[cell]);
    }
  }

  addValue(bytes: Uint8Array, from: number, to: number): void {
    const row = this.#row++;
    const tokeniser = this.#tokeniser;
    tokeniser.read(bytes, from, to);
    // Elements of a list are those of the text as it stands: folding may make a semicolon.
    if (this.#isList) this.#texts.add(bytes, from, to);
    else this.#texts.add(tokeniser.folded, 0, tokeniser.foldedBytes);
    if (this.#raw !== undefined) this.#raw.add(bytes, from, to);
    else if (this.#keys !== undefined) this.#keys.add(textOf(bytes, from, to));
    const { first, second, count } = tokeniser;
    for (let at = 0; at < count; at++) this.#tokens.add(first[at], second[at], row);
    this.#filled.add(row, to > from);
    this.#present.add(row, !isMissingText(bytes, from, to));
  }

  finish(): WrittenColumn {
    this.#present.finish(this.#row);
    this.#filled.finish(this.#row);
    this.#keys?.finish();
    return { kind: "many", texts: this.#texts.finish(), raw: this.#raw?.finish() };
  }
}

/** Writes the keys of a field's values as numbers. */
class KeyWriter {
  readonly #file: FileWriter;
  readonly #field: Field;
  readonly #kind: KeyKind;
  readonly #numbers: Float64Array;

  constructor(path: string, field: Field, kind: KeyKind) {
    this.#file = new FileWriter(path);
    this.#field = field;
    this.#kind = kind;
    this.#numbers = new Float64Array(keyWidth(kind));
  }

  /** Adds the keys of the next value. */
  add(text: string): void {
    writeNumbers(this.#numbers, 0, this.#kind, readKeys(text, this.#field));
    this.#file.append(this.#numbers);
  }

  finish(): void {
    this.#file.close();
  }
}
