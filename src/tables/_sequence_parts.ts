/**
 * A sequence archive to Parquet: letters go from the CSV to an Arrow file on disk as they come, are counted on the way,
 * and polars maps that file. So a sequence of 300 MB is never a JavaScript text.
 */
import type { Problem } from "../spec/ledger.ts";
import { ARROW_HEAD_BYTES, type ArrowField, arrowFrame, float64Of, int64Of, padded } from "./_arrow_file.ts";
import { escapeGlob } from "./_glob.ts";
import { IdCounter } from "./_id_counter.ts";
import { PARQUET } from "./_metadata_parts.ts";
import { PartSink, type PartSinkResult, writeAll } from "./_part_sink.ts";
import type { Polars } from "./_polars.ts";
import { releaseFrames } from "./_release_frames.ts";
import { RowChecker } from "./_row_checker.ts";
import type { LakeColumn } from "./lake_manifest.ts";

/** How a sequence archive is converted. */
export interface SequencePartsOptions {
  readonly pl: Polars;
  readonly folder: string;
  readonly name: string;
  readonly signal?: AbortSignal;
}

/** What came of it. */
export interface SequenceParts extends PartSinkResult {
  readonly columns: readonly LakeColumn[];
  readonly idField: string;
  readonly unique: number;
  readonly unparsed: number;
  readonly problems: readonly Problem[];
}

const PART_BYTES = 64 * 1024 * 1024;
/** A column of texts counts its bytes in 31 bits. */
const MAX_SEQUENCE_BYTES = 2_000_000_000;
const MAX_PROBLEMS = 1000;

/** Class of each byte: 1 G or C, 2 A, T or U, 3 white space, 0 any other letter. */
const CLASS = new Uint8Array(256);
for (const letter of "GCgc") CLASS[letter.charCodeAt(0)] = 1;
for (const letter of "ATUatu") CLASS[letter.charCodeAt(0)] = 2;
for (const letter of " \t\n\v\f\r") CLASS[letter.charCodeAt(0)] = 3;

const QUOTE = 34;
const COMMA = 44;
const LF = 10;

/** Whether a header is that of a sequence archive: an identifier and its letters. */
export function isSequenceHeader(header: readonly string[], idField: string): boolean {
  return header.length === 2 && header[0] === idField && /^sequence$/i.test(header[1]);
}

/** Converts inflated CSV of identifiers and sequences. */
export async function convertSequences(
  chunks: AsyncIterable<Uint8Array>,
  options: SequencePartsOptions,
): Promise<SequenceParts> {
  const { pl, folder, signal } = options;
  const problems: Problem[] = [];
  let part = new SequencePart();
  let names: readonly string[] = [];
  const ids = new IdCounter(pl);
  const parts = new PartSink({
    folder,
    signal,
    complete: (file) => {
      part.complete(file, fieldsOf(names));
      part = new SequencePart();
    },
    convert: async (arrow, parquet) => {
      await pl.scanIPC(escapeGlob(arrow)).sinkParquet(parquet, PARQUET).collect();
    },
    inspect: (parquet) => ids.observe(parquet, names[0]),
  });
  parts.head = new Uint8Array(ARROW_HEAD_BYTES);
  const checker = new RowChecker({
    onHeader: (header) => void (names = header),
    onRows: (bytes) =>
      eachRow(bytes, (id, letters) => {
        if (part.letters + letters.length > MAX_SEQUENCE_BYTES) {
          throw new RangeError(`Cannot keep the sequence ${id}: more than ${MAX_SEQUENCE_BYTES} letters`);
        }
        part.add(id, letters);
        parts.write(letters, 1);
      }),
    onProblem(problem) {
      if (problems.length < MAX_PROBLEMS) problems.push(problem);
    },
  }, options.name);
  try {
    for await (const chunk of chunks) {
      signal?.throwIfAborted();
      checker.push(chunk);
      if (parts.bytes < PART_BYTES) continue;
      if (checker.heldBytes > PART_BYTES) {
        checker.shrink();
        await releaseFrames();
      }
      await parts.close();
    }
    checker.finish();
    const written = await parts.finish();
    const columns = fieldsOf(names).map(({ name, type }): LakeColumn => ({ name, field: name, ...TYPES[type] }));
    const unique = await ids.count(folder, names[0], written.rows);
    return { ...written, columns, idField: names[0], unique, unparsed: checker.unparsed, problems };
  } catch (error) {
    await parts.abandon();
    throw error;
  }
}

const TYPES = {
  utf8: { type: "string", dtype: "String" },
  int64: { type: "integer", dtype: "Int64" },
  float64: { type: "float", dtype: "Float64" },
} as const;

function fieldsOf([id, sequence]: readonly string[]): ArrowField[] {
  return [
    { name: id, type: "utf8" },
    { name: "length", type: "int64" },
    { name: "gc", type: "float64" },
    { name: "ambiguous", type: "int64" },
    { name: sequence, type: "utf8" },
  ];
}

/** Everything of a part but its letters, which are on disk already. */
class SequencePart {
  readonly #ids: Uint8Array[] = [];
  readonly #ends: number[] = [];
  readonly #lengths: number[] = [];
  readonly #gc: number[] = [];
  readonly #ambiguous: number[] = [];
  letters = 0;

  add(id: string, letters: Uint8Array): void {
    let gc = 0;
    let plain = 0;
    let blank = 0;
    for (let at = 0; at < letters.length; at++) {
      const kind = CLASS[letters[at]];
      if (kind === 2) plain++;
      else if (kind === 1) gc++;
      else if (kind === 3) blank++;
    }
    const length = letters.length - blank;
    this.letters += letters.length;
    this.#ids.push(new TextEncoder().encode(id));
    this.#ends.push(this.letters);
    this.#lengths.push(length);
    this.#gc.push(gc);
    this.#ambiguous.push(length - gc - plain);
  }

  /** Writes the other columns after the letters, then what stands before and after all of them. */
  complete(file: Deno.FsFile, fields: readonly ArrowField[]): void {
    const rows = this.#ids.length;
    const plain = (row: number) => this.#lengths[row] - this.#ambiguous[row];
    const gc = float64Of(rows, (row) => plain(row) === 0 ? null : this.#gc[row] / plain(row));
    const idEnds: number[] = [];
    this.#ids.reduce((sum, { length }) => idEnds[idEnds.push(sum + length) - 1], 0);
    const buffers = [
      offsetsOf(idEnds),
      concat(this.#ids),
      bytesOf(int64Of(Float64Array.from(this.#lengths))),
      gc.valid,
      bytesOf(gc.values),
      bytesOf(int64Of(Float64Array.from(this.#ambiguous))),
      offsetsOf(this.#ends),
    ];
    let end = padded(this.letters);
    const at = buffers.map((buffer) => {
      const place = [end, buffer.length];
      end += padded(buffer.length);
      return place;
    });
    const none = [0, 0];
    const places = [none, at[0], at[1], none, at[2], at[3], at[4], none, at[5], none, at[6], [0, this.letters]].flat();
    const nulls = [0, 0, this.#ids.filter((_, row) => plain(row) === 0).length, 0, 0];
    const { head, tail } = arrowFrame(fields, { rows, nulls, places, bodyBytes: end }, ARROW_HEAD_BYTES);
    buffers.forEach((buffer, index) => {
      file.seekSync(ARROW_HEAD_BYTES + at[index][0], Deno.SeekMode.Start);
      writeAll(file, buffer);
    });
    file.seekSync(ARROW_HEAD_BYTES + end, Deno.SeekMode.Start);
    writeAll(file, tail);
    file.seekSync(0, Deno.SeekMode.Start);
    writeAll(file, head);
  }
}

function offsetsOf(ends: readonly number[]): Uint8Array {
  const offsets = new Int32Array(ends.length + 1);
  offsets.set(ends, 1);
  return bytesOf(offsets);
}

function bytesOf({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

function concat(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** Splits checked rows of two cells. */
function eachRow(bytes: Uint8Array, take: (id: string, letters: Uint8Array) => void): void {
  for (let at = 0; at < bytes.length;) {
    const [id, afterId] = cellAt(bytes, at, COMMA);
    const [letters, afterLetters] = cellAt(bytes, afterId, LF);
    take(decoder.decode(id), letters);
    at = afterLetters;
  }
}

const decoder = new TextDecoder();

/** One cell up to its end, without quotes and the carriage return of a line end; and where the next begins. */
function cellAt(bytes: Uint8Array, start: number, end: number): [cell: Uint8Array, next: number] {
  if (bytes[start] !== QUOTE) {
    const stop = bytes.indexOf(end, start);
    const hasReturn = end === LF && stop > start && bytes[stop - 1] === 13;
    return [bytes.subarray(start, hasReturn ? stop - 1 : stop), stop + 1];
  }
  let close = bytes.indexOf(QUOTE, start + 1);
  let doubled = false;
  while (bytes[close + 1] === QUOTE) {
    doubled = true;
    close = bytes.indexOf(QUOTE, close + 2);
  }
  const cell = bytes.subarray(start + 1, close);
  const plain = doubled ? new TextEncoder().encode(decoder.decode(cell).replaceAll('""', '"')) : cell;
  return [plain, bytes.indexOf(end, close) + 1];
}
