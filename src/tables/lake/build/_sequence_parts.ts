/**
 * A sequence archive to Parquet: bases go from the CSV to a temporary file as they come, are counted on the way, and
 * stream from there to their pages. So a sequence of 300 MB is never a JavaScript text and never a column in memory.
 */
import type { Problem } from "../../../contract/ledger.ts";
import { CsvSplitter } from "../../../io/csv/csv_splitter.ts";
import { float64Of } from "../../types/arrow_file.ts";
import { feedParts, keepProblems } from "./_feed_parts.ts";
import { IdCounter } from "./_id_counter.ts";
import type { FileChecks } from "../../../parquet/write/file_checks.ts";
import {
  numberChunk,
  type ParquetChunk,
  type ParquetField,
  ParquetFile,
  TextBytes,
} from "../../../parquet/write/parquet_file.ts";
import { PartSink, type PartSinkResult } from "./_part_sink.ts";
import { releaseFrames } from "../../types/release_frames.ts";
import { RowChecker } from "./_row_checker.ts";
import type { LakeColumn } from "./lake_manifest.ts";

/** How a sequence archive is converted. */
export interface SequencePartsOptions {
  readonly folder: string;
  readonly name: string;
  /** Names of the two columns. */
  readonly names: readonly string[];
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
/** Bases of a page; a longer sequence has one of its own. */
const PAGE_BYTES = 4 * 1024 * 1024;
/** A column of texts counts its bytes in 31 bits. */
const MAX_SEQUENCE_BYTES = 2_000_000_000;

/** Class of each byte: 1 G or C, 2 A, T or U, 3 white space, 0 any other base. */
const CLASS = new Uint8Array(256);
for (const base of "GCgc") CLASS[base.charCodeAt(0)] = 1;
for (const base of "ATUatu") CLASS[base.charCodeAt(0)] = 2;
for (const base of " \t\n\v\f\r") CLASS[base.charCodeAt(0)] = 3;

const QUOTE = 34;
const COMMA = 44;
const LF = 10;
const CR = 13;

/** Whether a header is that of a sequence archive: an identifier and its bases. */
export function isSequenceHeader(header: readonly string[], idField: string): boolean {
  return header.length === 2 && header[0] === idField && /^sequence$/i.test(header[1]);
}

/** Converts inflated CSV of identifiers and sequences. */
export async function convertSequences(
  chunks: AsyncIterable<Uint8Array>,
  options: SequencePartsOptions,
): Promise<SequenceParts> {
  const { folder, signal } = options;
  const { problems, onProblem } = keepProblems();
  let part = new SequencePart();
  const { names } = options;
  const ids = new IdCounter();
  const parts = new PartSink({
    folder,
    signal,
    complete: () => {
      const completed = part;
      part = new SequencePart();
      return completed;
    },
    convert: (bases, parquet, completed) => completed.write(bases, parquet, { fields: sequenceFields(names), signal }),
    inspect: (parquet) => ids.observe(parquet, names[0]),
  });
  const checker = new RowChecker({
    onHeader: () => {},
    onRows: (bytes) =>
      eachRow(bytes, (id, bases) => {
        if (part.bases + bases.length > MAX_SEQUENCE_BYTES) {
          throw new RangeError(`Cannot keep the sequence ${id}: more than ${MAX_SEQUENCE_BYTES} bases`);
        }
        parts.write(part.add(id, bases), 0);
        parts.write(bases, 1);
      }),
    onProblem,
  }, options.name);
  const written = await feedParts(chunks, {
    checker,
    parts,
    signal,
    async afterChunk() {
      if (parts.bytes < PART_BYTES) return;
      if (checker.heldBytes > PART_BYTES) {
        checker.shrink();
        await releaseFrames();
      }
      await parts.close();
    },
  });
  const columns = sequenceFields(names).map(({ name, type }): LakeColumn => ({ name, field: name, ...TYPES[type] }));
  const unique = await ids.count(folder, names[0], written.rows);
  return { ...written, columns, idField: names[0], unique, unparsed: checker.unparsed, problems };
}

const TYPES = {
  utf8: { type: "string", dtype: "String" },
  int64: { type: "integer", dtype: "Int64" },
  float64: { type: "float", dtype: "Float64" },
} as const;

/** The columns of a table of sequences: those that are counted, and the bases last. */
export function sequenceFields(
  [id, sequence]: readonly string[],
): (ParquetField & { readonly type: keyof typeof TYPES })[] {
  return [
    { name: id, type: "utf8" },
    { name: "length", type: "int64" },
    { name: "gc", type: "float64", optional: true },
    { name: "ambiguous", type: "int64" },
    { name: sequence, type: "utf8" },
  ];
}

/** What is known of each sequence of a part beside its bases. */
export interface SequenceFacts {
  readonly ids: readonly Uint8Array[];
  readonly lengths: readonly number[];
  /** Bases G and C. */
  readonly gc: readonly number[];
  /** Bases that are none of A, C, G, T and U. */
  readonly ambiguous: readonly number[];
}

/** Lays out all columns of a part but the bases. */
export function layOutFacts({ ids, lengths, gc, ambiguous }: SequenceFacts): ParquetChunk[] {
  const rows = ids.length;
  const plain = (row: number) => lengths[row] - ambiguous[row];
  const share = float64Of(rows, (row) => plain(row) === 0 ? null : gc[row] / plain(row));
  const known = share.values.filter((_, row) => plain(row) !== 0);
  const texts = new TextBytes();
  ids.forEach((id) => texts.addBytes(id));
  return [
    { pages: [{ values: rows, bytes: texts.bytes }], range: idRange(ids) },
    numberChunk(lengths),
    { pages: [{ values: rows, bytes: bytesOf(known) }], valid: share.valid, nulls: rows - known.length },
    numberChunk(ambiguous),
  ];
}

/** Everything of a part but its bases, which are on disk already, each sequence after its length. */
class SequencePart {
  readonly #ids: Uint8Array[] = [];
  readonly #lengths: number[] = [];
  readonly #gc: number[] = [];
  readonly #ambiguous: number[] = [];
  readonly #pages: { values: number; start: number; length: number }[] = [];
  bases = 0;

  /** Counts the bases of a sequence, and gives the bytes that stand before them. */
  add(id: string, bases: Uint8Array): Uint8Array {
    let gc = 0;
    let plain = 0;
    let blank = 0;
    for (let at = 0; at < bases.length; at++) {
      const kind = CLASS[bases[at]];
      if (kind === 2) plain++;
      else if (kind === 1) gc++;
      else if (kind === 3) blank++;
    }
    const length = bases.length - blank;
    this.bases += bases.length;
    this.#ids.push(new TextEncoder().encode(id));
    this.#lengths.push(length);
    this.#gc.push(gc);
    this.#ambiguous.push(length - gc - plain);
    const bytes = bases.length + 4;
    const page = this.#pages.at(-1);
    if (page !== undefined && page.length + bytes <= PAGE_BYTES) {
      page.values++;
      page.length += bytes;
    } else this.#pages.push({ values: 1, start: page === undefined ? 0 : page.start + page.length, length: bytes });
    const before = new Uint8Array(4);
    new DataView(before.buffer).setUint32(0, bases.length, true);
    return before;
  }

  /** Writes the part as a Parquet file; returns its checksums. */
  async write(
    lettersPath: string,
    parquet: string,
    { fields, signal }: { readonly fields: readonly ParquetField[]; readonly signal?: AbortSignal },
  ): Promise<FileChecks> {
    const columns = layOutFacts({ ids: this.#ids, lengths: this.#lengths, gc: this.#gc, ambiguous: this.#ambiguous });
    using bases = await Deno.open(lettersPath);
    const pages = this.#pages.map(({ values, start, length }) => ({ values, bytes: { file: bases, start, length } }));
    using file = new ParquetFile(parquet, fields);
    await file.writeGroup(this.#ids.length, [...columns, { pages }], signal);
    return file.finish();
  }
}

/** Least and greatest identifier, by their bytes. */
function idRange(ids: readonly Uint8Array[]): ParquetChunk["range"] {
  if (ids.length === 0) return undefined;
  let [least, greatest] = [ids[0], ids[0]];
  for (const id of ids) {
    if (compareBytes(id, least) < 0) least = id;
    if (compareBytes(id, greatest) > 0) greatest = id;
  }
  return { least, greatest };
}

function compareBytes(a: Uint8Array, b: Uint8Array): number {
  for (let at = 0; at < Math.min(a.length, b.length); at++) if (a[at] !== b[at]) return a[at] - b[at];
  return a.length - b.length;
}

function bytesOf({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

/** Gives the cells of checked rows of two cells; most have no quote, and are as they stand there. */
function eachRow(bytes: Uint8Array, take: (id: string, bases: Uint8Array) => void): void {
  if (bytes.includes(QUOTE)) return eachQuotedRow(bytes, take);
  for (let at = 0; at < bytes.length;) {
    const comma = bytes.indexOf(COMMA, at);
    const feed = bytes.indexOf(LF, comma);
    take(
      decoder.decode(bytes.subarray(at, comma)),
      bytes.subarray(comma + 1, bytes[feed - 1] === CR ? feed - 1 : feed),
    );
    at = feed + 1;
  }
}

function eachQuotedRow(rows: Uint8Array, take: (id: string, bases: Uint8Array) => void): void {
  const cells = new CsvSplitter().push(rows).ofWidth(2);
  if (cells === undefined) throw new TypeError("Cannot split checked rows: expected two cells in each");
  const { bytes, ends } = cells;
  for (let cell = 0, start = 0; cell < ends.length; cell += 2) {
    take(decoder.decode(bytes.subarray(start, ends[cell])), bytes.subarray(ends[cell] + 1, ends[cell + 1]));
    start = ends[cell + 1] + 1;
  }
}

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
