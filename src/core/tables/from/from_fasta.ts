/** FASTA, plain or of the registry, to frames. */
import { Buffer } from "node:buffer";
import type { DataFrame } from "nodejs-polars";
import type { FastaBatch } from "../../fasta/text/fasta_batch.ts";
import { FastaError } from "../../fasta/text/fasta_error.ts";
import type { FastaReader } from "../../fasta/records/fasta_reader.ts";
import { readFastaBatches } from "../../fasta/records/read_fasta_batches.ts";
import { OtherResidues } from "../../fasta/stats/other_residues.ts";
import { type TextColumn, textsOf } from "../../fasta/text/text_column.ts";
import type { ByteSource } from "../../io/bytes/byte_source.ts";
import { yieldToEventLoop } from "../../io/tasks/yield_to_event_loop.ts";
import { sourceName } from "../../io/bytes/source_name.ts";
import { closeLedger, extendLedger, type Ledger, type Problem, withEntries } from "../../contract/ledger.ts";
import { type ArrowColumn, ArrowFiles, float64Of, int64Of } from "../types/arrow_file.ts";
import { type ColumnValues, TextColumns } from "../types/columns.ts";
import { computedNames } from "../types/computed_names.ts";
import { loadPolars } from "../types/polars.ts";
import { dropColumns } from "../types/drop_columns.ts";
import { keepFreedMemory } from "../types/keep_freed_memory.ts";
import { FrameRelease } from "../types/release_frames.ts";
import { validBases, validTexts } from "../types/valid_text.ts";
import { makeTable } from "../types/typed_table.ts";
import { TABLE_OPTIONS, type TableOptions, type TypedTable } from "../types/table.ts";
import type { OptionRules } from "../../options/option_rule.ts";
import * as rule from "../../options/rules.ts";
import { checkOptions } from "../../options/check_options.ts";
import { READ_FASTA_BATCHES_OPTIONS } from "../../fasta/text/read_options.ts";
import type { LedgerEntry } from "../../contract/ledger_entries.ts";
import { noteFewer } from "../types/table_entries.ts";

/** Options of {@linkcode fastaFrames}. */
export interface FastaFramesOptions {
  /** Whether the bases come too; `keep` by default. Without them little memory is needed. */
  readonly sequence?: "keep" | "drop";
  /**
   * Bases, and bytes of headers, at which a frame is full; 4 MiB by default. Of larger frames more memory lies idle.
   */
  readonly batchBytes?: number;
  /** Bases of one sequence at most, where they come too; 1 GiB by default, at most 2,000,000,000. */
  readonly maxRecordBytes?: number;
  /** Named in errors; the source's own name by default. */
  readonly name?: string;
  /** Most problems that are kept in full; 1,000 by default. All are counted. */
  readonly maxProblems?: number;
  /** Ends the reading with the signal's reason. */
  readonly signal?: AbortSignal;
}

const FASTA_FRAMES_OPTIONS = {
  sequence: rule.oneOf(["keep", "drop"]),
  batchBytes: READ_FASTA_BATCHES_OPTIONS.batchBytes,
  maxRecordBytes: READ_FASTA_BATCHES_OPTIONS.maxRecordBytes,
  name: rule.text,
  maxProblems: READ_FASTA_BATCHES_OPTIONS.maxProblems,
  signal: rule.signal,
} satisfies OptionRules<FastaFramesOptions>;

/** Options of {@linkcode tableFromFasta}. */
export interface FastaTableOptions
  extends Omit<FastaFramesOptions, "batchBytes">, Pick<TableOptions, "definitions" | "dates" | "asked" | "promised"> {
  /**
   * Bytes of headers and kept bases that a table may hold; 1 GiB by default, which needs several times as much memory.
   */
  readonly maxBytes?: number;
}

const FASTA_TABLE_OPTIONS = {
  sequence: FASTA_FRAMES_OPTIONS.sequence,
  maxRecordBytes: FASTA_FRAMES_OPTIONS.maxRecordBytes,
  name: FASTA_FRAMES_OPTIONS.name,
  maxProblems: FASTA_FRAMES_OPTIONS.maxProblems,
  signal: FASTA_FRAMES_OPTIONS.signal,
  definitions: TABLE_OPTIONS.definitions,
  dates: TABLE_OPTIONS.dates,
  asked: TABLE_OPTIONS.asked,
  promised: TABLE_OPTIONS.promised,
  maxBytes: rule.wholeNumber({ from: 1 }),
} satisfies OptionRules<FastaTableOptions>;

/** Bytes that a table holds at most, unless told otherwise. */
const MAX_TABLE_BYTES = 1 << 30;

/** A frame that `using` empties where its scope ends, which gives its memory back at once. */
export type FastaFrame = DataFrame & Disposable;

/**
 * Frames of a FASTA, one after the other, and what is known of it so far. They can be read once: again is a TypeError.
 */
export interface FastaFrames extends AsyncIterable<FastaFrame> {
  /** Faults so far. */
  readonly problems: readonly Problem[];
  /** Counts so far; final after the last frame, and incomplete (`unfinished`) before that. */
  readonly ledger: Ledger;
}

/**
 * Approximate bases of a frame. The memory of frames is reclaimed in chunks of one frame: smaller frames leave less
 * memory idle when the next frame is larger by a record, and the last frame, which is still in use when the others are
 * freed, is smaller too.
 */
const FRAME_BYTES = 4 * 1024 * 1024;

/**
 * Bytes of frames after which garbage is collected. A collection takes as long as four frames: more bytes would
 * be quicker, and need as much more memory.
 */
const RELEASE_BYTES = 28 * 1000 * 1000;

/** Bases of a batch after which the reader yields to the event loop. */
const LONG_BYTES = 32 * 1000 * 1000;

/**
 * Reads a FASTA as frames of bounded size, each of about 4 MiB of bases unless told otherwise, or of one longer record:
 * one row a record.
 *
 * A column (String) for each name of the `;fields=` line, or `id` and `description`; then `length` (Int64, bases), `gc`
 * (Float64, share of G and C among A, C, G, T, U; null without any), `ambiguous` (Int64, all other bases) and
 * `sequence` (String). Only `gc` has nulls. If a field has one of these names, the computed column is called `length
 * (computed)`, and so on.
 *
 * @param source Where the FASTA is; plain, gzip or Zstandard.
 * @param options Whether sequences are kept, size of a frame, signal.
 * @returns Frames, in the order of the records, with their ledger. `for await (using frame of …)` frees each frame at
 * the end of the loop body; columns taken from it before stay valid. Without `using`, frames wait for garbage
 * collection, which doubles the time.
 * @throws {RangeError} If the size of a frame is not an integer from 1 to 100,000,000, or `maxRecordBytes` not one up
 * to 2,000,000,000.
 * @throws {FastaError | GzipError | RegistryError} While reading, as `readFastaBatches` does.
 * @see Specification 4.2, rule 3.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { fastaFrames } from "./from_fasta.ts";
 *
 * const fasta = new TextEncoder().encode(";fields=registry_accession|Country\n>vj000000000001|Chile\nACGTN\n");
 * for await (using frame of fastaFrames(fasta)) {
 *   assertEquals(frame.columns, ["registry_accession", "Country", "length", "gc", "ambiguous", "sequence"]);
 * }
 * ```
 */
export function fastaFrames(source: ByteSource, options: FastaFramesOptions = {}): FastaFrames {
  checkOptions("fastaFrames()", options, FASTA_FRAMES_OPTIONS);
  const { sequence = "keep", batchBytes = FRAME_BYTES, ...rest } = options;
  const reader = readFastaBatches(source, { ...rest, sequences: sequence === "keep", batchBytes });
  const others = new OtherResidues();
  let isRead = false;
  return {
    [Symbol.asyncIterator]() {
      if (isRead) {
        throw new TypeError("Cannot read these frames again: they can be read once; call fastaFrames() again");
      }
      isRead = true;
      const frames = onlyFrames(framesOf(reader, others.watch(reader), options.signal));
      return {
        next: () => frames.next(),
        async return() {
          const end = await frames.return(undefined);
          // A generator that never began has nothing to clean up; the source is open all the same.
          await reader[Symbol.asyncDispose]();
          return end;
        },
      };
    },
    get problems() {
      return reader.problems;
    },
    get ledger() {
      return extendLedger(reader.ledger, others.entries);
    },
  };
}

async function* onlyFrames(framed: AsyncGenerator<FramedBatch>): AsyncGenerator<FastaFrame> {
  for await (const { frame } of framed) yield frame;
}

export interface FramedBatch {
  readonly frame: FastaFrame;
  /** Approximate memory that the batch needs, in bytes. */
  readonly bytes: number;
}

/** Bytes of memory that a cell needs in addition to its bases, even if it has none. */
export const CELL_BYTES = 16;

function memoryOf({ rows, columns, headers, sequences }: FastaBatch): number {
  const cells = rows * (columns.length + Object.keys(computedNames([])).length);
  return CELL_BYTES * cells + headers.data.length + (sequences?.data.length ?? 0);
}

/** Makes a frame of each batch of a reader. */
export async function* framesOf(
  reader: FastaReader<FastaBatch>,
  batches: AsyncIterable<FastaBatch>,
  signal: AbortSignal | undefined,
): AsyncGenerator<FramedBatch> {
  const pl = await loadPolars();
  const files = new ArrowFiles();
  const memory = new FrameRelease(RELEASE_BYTES);
  let problems = 0;
  const { length } = computedNames((await reader.head()).fields);
  keepFreedMemory();
  for await (const batch of batches) {
    const bytes = memoryOf(batch);
    if (batch.sequences !== null && batch.sequences.data.length > LONG_BYTES) {
      // A signal is not heard while a long record is read, nor while it is made a frame.
      await yieldToEventLoop();
      signal?.throwIfAborted();
    }
    // A non-ASCII byte in a sequence, or an invalid one in a header, is a problem: without problems all bytes are
    // valid.
    const isClean = reader.problemCount === problems;
    problems = reader.problemCount;
    const columns = arrowColumns(batch, isClean);
    const file = (isClean ? aroundBases(files, batch, columns) : undefined) ?? files.write(columns, batch.rows);
    const frame = pl.readIPC(Buffer.from(file.buffer, file.byteOffset, file.length));
    const giveBack = memory.add(frame, file.length);
    const disposable = Object.assign(frame, {
      [Symbol.dispose]() {
        dropColumns(frame, length);
        giveBack();
      },
    });
    yield { frame: disposable, bytes };
    await memory.releaseWhenDue();
  }
}

/**
 * Bases lie in memory behind the headers, with room between for as many headers as a batch can have: once columns are
 * made of those that are there, the rest of a file is written around the bases.
 */
function aroundBases(files: ArrowFiles, batch: FastaBatch, columns: readonly ArrowColumn[]): Uint8Array | undefined {
  const { headers, sequences } = batch;
  if (sequences === null || headers.data.buffer !== sequences.data.buffer) return undefined;
  return files.writeAround(columns, batch.rows, headers.data.byteOffset + headers.data.length);
}

function arrowColumns(batch: FastaBatch, isClean: boolean): ArrowColumn[] {
  const names = computedNames(batch.fields);
  const utf8 = (name: string, { offsets, data }: TextColumn): ArrowColumn => ({ name, type: "utf8", offsets, data });
  const bases = isClean || batch.sequences === null ? batch.sequences : validBases(batch.sequences);
  return [
    ...batch.columns.map((column, index) => utf8(batch.fields[index], isClean ? column : validTexts(column))),
    { name: names.length, type: "int64", values: int64Of(batch.length) },
    { name: names.gc, type: "float64", ...float64Of(batch.rows, (row) => batch.gc(row)) },
    { name: names.ambiguous, type: "int64", values: int64Of(batch.ambiguous) },
    ...bases === null ? [] : [utf8(names.sequence, bases)],
  ];
}

/**
 * Makes a table of a whole FASTA, header values typed by definitions (by public name or alias).
 *
 * @param source Where the FASTA is; plain, gzip or Zstandard.
 * @param options Definitions, whether sequences are kept, ids asked for.
 * @returns rows = records; header fields, then `length`, `gc`, `ambiguous`, `sequence` as {@linkcode fastaFrames} has
 * them. An empty header value is null.
 * @throws {FastaError | GzipError | RegistryError} If it cannot be read, or holds more than `maxBytes`. Nothing is
 * returned then.
 * @throws {RangeError} If `maxBytes` is no whole number above 0, or `maxRecordBytes` none from 1 to 2,000,000,000.
 * @see Specification 4.2, rule 3.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { tableFromFasta } from "./from_fasta.ts";
 *
 * const table = await tableFromFasta(new TextEncoder().encode(">a first\nACGT\n"), { sequence: "drop" });
 *
 * assertEquals((await table.frame()).toRecords(), [
 *   { id: "a", description: "first", length: 4, gc: 0.5, ambiguous: 0 },
 * ]);
 * ```
 */
export async function tableFromFasta(source: ByteSource, options: FastaTableOptions = {}): Promise<TypedTable> {
  checkOptions("tableFromFasta()", options, FASTA_TABLE_OPTIONS);
  const { sequence = "keep", name = sourceName(source), maxBytes = MAX_TABLE_BYTES } = options;
  const { signal, maxProblems, maxRecordBytes } = options;
  let bytes = 0;
  const reader = readFastaBatches(source, {
    name,
    signal,
    maxProblems,
    maxRecordBytes,
    sequences: sequence === "keep",
  });
  const { fields } = await reader.head();
  const columns = new TextColumns(fields);
  const targets = fields.map((field) => columns.get(field)!);
  const positions = fields.map((_, index) => index);
  const computed = computedColumns(fields, sequence);
  const others = new OtherResidues();
  for await (const batch of others.watch(reader)) {
    bytes += batch.headers.data.length + (batch.sequences?.data.length ?? 0);
    if (bytes > maxBytes) throw tooLarge(name, maxBytes, batch);
    const texts = batch.columns.map(textsOf);
    for (let row = 0; row < batch.rows; row++) {
      columns.addCells(texts.map((column) => column[row]), targets, positions);
      computed[0].values.push(batch.length[row]);
      computed[1].values.push(batch.gc(row));
      computed[2].values.push(batch.ambiguous[row]);
    }
    if (batch.sequences === null) continue;
    for (const text of textsOf(validBases(batch.sequences))) computed[3].values.push(text);
  }
  return makeTable({
    columns,
    hasHeader: true,
    idField: fields[0],
    computed,
    problems: reader.problems,
    problemCount: reader.problemCount,
    closeLedger: (entries) =>
      mergeLedgers(extendLedger(reader.ledger, others.entries), entries, columns.get(fields[0]) ?? [], options),
  }, options);
}

function tooLarge(name: string, maxBytes: number, { rows, line, byte }: FastaBatch): FastaError {
  return new FastaError(
    `Cannot make a table of ${name}: its headers and bases are more than ${maxBytes} bytes; read it part by part with ` +
      "fastaFrames(), leave the bases out, or raise maxBytes",
    { line: line[rows - 1], byte: byte[rows - 1] },
  );
}

function computedColumns(fields: readonly string[], sequence: "keep" | "drop"): ColumnValues[] {
  const names = computedNames(fields);
  const column = (name: string, type: "integer" | "float" | "string", dtype: "Int64" | "Float64" | "String") => ({
    column: { name, field: name, type, dtype },
    values: [],
  });
  return [
    column(names.length, "integer", "Int64"),
    column(names.gc, "float", "Float64"),
    column(names.ambiguous, "integer", "Int64"),
    ...sequence === "keep" ? [column(names.sequence, "string", "String")] : [],
  ];
}

/** What the reader counted, with the ids that were asked for and the values that do not fit. */
function mergeLedgers(
  read: Ledger,
  typing: readonly LedgerEntry[],
  ids: readonly (string | null)[],
  { asked, promised }: FastaTableOptions,
): Ledger {
  const seen = new Set(ids);
  const wanted = new Set(asked);
  const came = read.received + read.unparsed;
  const unasked = asked === undefined ? [] : [...seen].map((id) => id ?? "").filter((id) => !wanted.has(id));
  const requested = closeLedger({
    asked: asked?.length ?? null,
    promised: promised ?? null,
    received: read.received,
    unique: read.unique,
    missing: [...wanted].filter((id) => !seen.has(id)),
    unasked,
    entries: noteFewer(promised, came),
  });
  return withEntries({ ...requested, unparsed: read.unparsed }, [...read.entries, ...requested.entries, ...typing]);
}
