/**
 * The values of records, in the order of the archives.
 *
 * A record is its values as UTF-8, each but the first after a unit separator, ended by a record separator; these two
 * characters, and the escape that stands for them, are escaped where a value has them. Sixteen records are a block:
 * where each block begins is known without looking, and where a record begins in it is found by its separators.
 */
import { Buffer } from "node:buffer";
import type { CsvCells } from "@seqreg/core/io/csv";
import { FileReader } from "../files/file_reader.ts";
import { FileWriter } from "../files/file_writer.ts";
import { bytesOf, malformed } from "./_file.ts";

const UNIT = 0x1f;
const RECORD = 0x1e;
const ESCAPE = 0x1b;
const UNIT_TEXT = "\x1f";
const RECORD_TEXT = "\x1e";
const ESCAPE_TEXT = "\x1b";

/** Records whose offset is remembered as one: a power of two. */
const BLOCK_SHIFT = 4;
const BLOCK_RECORDS = 1 << BLOCK_SHIFT;
/** Bytes that are read at once for records that stand together. */
const RUN_BYTES = 1 << 20;
/** Characters for which the memory of encoding them is kept: a batch of usual records. */
const KEPT_LETTERS = 4 << 20;
/** Names of the two files. */
const ROWS_FILE = "records.rows";
const BLOCKS_FILE = "records.blocks";

/** Writes values of records, in their order. */
export interface RecordWriter {
  /** Appends records; each has the same number of values. */
  add(records: readonly (readonly string[])[]): void;
  /** Appends records as bytes, with the separators between them that the file has; no value has one of these. */
  addCells(cells: CsvCells): void;
  /** Ends: everything is lasting then. */
  finish(): Promise<void>;
}

/** Reads values of records by row. */
export interface RecordReader extends Disposable {
  /** Yields the values of rows, in the order in which they are asked for. */
  read(rows: readonly number[]): string[][];
  /**
   * Yields rows in runs of about `maxBytes` bytes of values, or of one record. Each counts as the mean of its block;
   * a block that is not larger itself is not divided.
   */
  runs(rows: readonly number[], maxBytes: number): Generator<number[]>;
}

export function createRows(folder: string, width: number): RecordWriter {
  const file = new FileWriter(`${folder}/${ROWS_FILE}`, { sums: true });
  const blocks: number[] = [0];
  const encode = startEncoder();
  let count = 0;
  return {
    add(records) {
      if (records.length === 0) return;
      let bytes = encode(records);
      let found = findSeparators(bytes);
      const fits = () => found.ends.length === records.length && found.units === records.length * (width - 1);
      // Other separators than records and values need: a value has a character with a meaning.
      if (found.escaped || !fits()) {
        bytes = encode(records.map((values) => values.map(escape)));
        found = findSeparators(bytes);
        if (!fits()) throw new TypeError(`Cannot keep records: expected ${width} values for each`);
      }
      for (const end of found.ends) if ((++count & BLOCK_RECORDS - 1) === 0) blocks.push(file.position + end);
      file.append(bytes);
    },
    addCells({ bytes, ends, count: records }) {
      for (let record = 1; record <= records; record++) {
        if ((++count & BLOCK_RECORDS - 1) === 0) blocks.push(file.position + ends[record * width - 1] + 1);
      }
      file.append(bytes);
    },
    async finish() {
      if (blocks.at(-1) !== file.position) blocks.push(file.position);
      const offsets = new FileWriter(`${folder}/${BLOCKS_FILE}`, { sums: true });
      offsets.append(Float64Array.from(blocks));
      await offsets.sync();
      await file.sync();
    },
  };
}

/** Opens the files of `recordCount` records, each of `width` values. */
export function openRows(folder: string, recordCount: number, width: number): RecordReader {
  const path = `${folder}/${ROWS_FILE}`;
  using offsets = new FileReader(`${folder}/${BLOCKS_FILE}`, { sums: true });
  const blocks = new Float64Array(Math.ceil(recordCount / BLOCK_RECORDS) + 1);
  if (recordCount > 0) offsets.readInto(bytesOf(blocks), 0);
  const file = new FileReader(path, { sums: true });
  const size = file.bytes;
  let buffer = Buffer.alloc(1 << 16);
  return {
    read(rows) {
      const found: string[][] = [];
      for (let at = 0; at < rows.length;) {
        const first = rows[at] >> BLOCK_SHIFT;
        let last = first;
        let end = at + 1;
        for (; end < rows.length && rows[end] > rows[end - 1]; end++) {
          const block = rows[end] >> BLOCK_SHIFT;
          if (block > last + 1 || blocks[block + 1] - blocks[first] > RUN_BYTES) break;
          last = block;
        }
        const length = blocks[last + 1] - blocks[first];
        if (!(length >= 0 && blocks[first] + length <= size)) throw malformed(path);
        if (length > buffer.length) buffer = Buffer.alloc(length);
        file.readInto(buffer.subarray(0, length), blocks[first]);
        let row = first << BLOCK_SHIFT;
        let start = 0;
        for (; at < end; at++) {
          for (; row < rows[at]; row++) start = buffer.indexOf(RECORD, start) + 1;
          const stop = buffer.indexOf(RECORD, start);
          const values = decode(buffer.toString("utf8", start, stop));
          if (values.length !== width) throw malformed(path);
          found.push(values);
          start = stop + 1;
          row++;
        }
      }
      // Do not keep a large buffer because of one record of many megabytes.
      if (buffer.length > 2 * RUN_BYTES) buffer = Buffer.alloc(1 << 16);
      return found;
    },
    *runs(rows, maxBytes) {
      let start = 0;
      let sum = 0;
      for (let at = 0; at < rows.length; at++) {
        const block = rows[at] >> BLOCK_SHIFT;
        const blockBytes = blocks[block + 1] - blocks[block];
        const bytes = blockBytes / BLOCK_RECORDS;
        const mayEnd = at > start && (rows[at - 1] >> BLOCK_SHIFT !== block || blockBytes > maxBytes);
        if (mayEnd && sum + bytes > maxBytes) {
          yield rows.slice(start, at);
          [start, sum] = [at, 0];
        }
        sum += bytes;
      }
      if (start < rows.length) yield rows.slice(start);
    },
    [Symbol.dispose]: () => file[Symbol.dispose](),
  };
}

/** Makes a function that encodes records; what it gives is good until the next call. */
function startEncoder(): (records: readonly (readonly string[])[]) => Uint8Array {
  const encoder = new TextEncoder();
  let buffer = new Uint8Array(1 << 16);
  return (records) => {
    let text = "";
    for (const values of records) text += values.join(UNIT_TEXT) + RECORD_TEXT;
    // A character takes three bytes at most for each of its code units.
    if (text.length > KEPT_LETTERS) return encoder.encode(text);
    if (text.length * 3 > buffer.length) buffer = new Uint8Array(text.length * 3);
    return buffer.subarray(0, encoder.encodeInto(text, buffer).written);
  };
}

/** Finds where records end, and counts the other characters with a meaning. */
function findSeparators(bytes: Uint8Array): { ends: number[]; units: number; escaped: boolean } {
  const ends: number[] = [];
  let units = 0;
  let escaped = false;
  const length = bytes.length;
  for (let at = 0; at < length; at++) {
    const byte = bytes[at];
    if (byte > UNIT) continue;
    if (byte === UNIT) units++;
    else if (byte === RECORD) ends.push(at + 1);
    else if (byte === ESCAPE) escaped = true;
  }
  return { ends, units, escaped };
}

function escape(value: string): string {
  return value.replaceAll(ESCAPE_TEXT, `${ESCAPE_TEXT}e`).replaceAll(RECORD_TEXT, `${ESCAPE_TEXT}r`)
    .replaceAll(UNIT_TEXT, `${ESCAPE_TEXT}u`);
}

function decode(text: string): string[] {
  const values = text.split(UNIT_TEXT);
  if (!text.includes(ESCAPE_TEXT)) return values;
  // The escape itself comes last: what it is followed by then is a character like any other.
  return values.map((value) =>
    value.replaceAll(`${ESCAPE_TEXT}u`, UNIT_TEXT).replaceAll(`${ESCAPE_TEXT}r`, RECORD_TEXT)
      .replaceAll(`${ESCAPE_TEXT}e`, ESCAPE_TEXT)
  );
}
