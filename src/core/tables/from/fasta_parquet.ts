/** FASTA to a folder of Parquet files, and back. */
import { join } from "node:path";
import type { DataFrame } from "nodejs-polars";
import { type StagingFolder } from "../../io/files/staging_folder.ts";
import { messageOf, ParseError, RegistryError } from "../../errors.ts";
import type { FastaReader } from "../../fasta/records/fasta_reader.ts";
import type { FastaBatch } from "../../fasta/text/fasta_batch.ts";
import type { TextColumn } from "../../fasta/text/text_column.ts";
import { readFastaBatches } from "../../fasta/records/read_fasta_batches.ts";
import { OtherResidues } from "../../fasta/stats/other_residues.ts";
import type { ByteSource } from "../../io/bytes/byte_source.ts";
import { unlessAborted } from "../../io/tasks/pause.ts";
import { Yielder, yieldToEventLoop } from "../../io/tasks/yield_to_event_loop.ts";
import { countOf } from "../../contract/count_of.ts";
import { extendLedger, type Ledger, type Problem } from "../../contract/ledger.ts";
import { NonAsciiCharacters } from "./_unusual_characters.ts";
import {
  ANEW,
  areTexts,
  checkFile,
  checkOf,
  CONTENTS,
  type FastaParquet,
  type FastaParquetCheck,
  formatContents,
  readContents,
} from "./fasta_contents.ts";
import { computedNames } from "../types/computed_names.ts";
import { CELL_BYTES, type FastaFrame, framesOf } from "./from_fasta.ts";
import { LONG_BATCH_BYTES, writeLongPart } from "./_long_record_part.ts";
import { membersOf } from "../../engine/frames/frame_members.ts";
import { loadPolars } from "../types/polars.ts";
import { releaseFrames } from "../types/release_frames.ts";
import { createWholeFolder, onDisk } from "../../io/files/whole_folder.ts";
import type { OptionRules } from "../../options/option_rule.ts";
import * as rule from "../../options/rules.ts";
import { checkOptions } from "../../options/check_options.ts";
import { READ_FASTA_OPTIONS } from "../../fasta/text/read_options.ts";

const PARQUET = { compression: "zstd" } as const;
const PART_BYTES = 64 * 1024 * 1024;
/** Bytes of parts after which their memory is reclaimed: while one is written, polars keeps unused memory. */
const RELEASE_BYTES = 4 * 1024 * 1024;
/** Bases that a text can hold. */
const MAX_TEXT_LETTERS = 536_870_888;
/** Columns of a plain FASTA, the fewest there are as a rule. */
const FEW_COLUMNS = 6;
/** Records that are added to a part at once, at most; a reader's own bound. */
const BATCH_ROWS = 16_384;

export type { FastaParquet, FastaParquetCheck } from "./fasta_contents.ts";

/** Options of {@linkcode writeFastaParquet}. */
export interface WriteFastaParquetOptions {
  /**
   * Maximum bytes of a file: those of bases and headers, and 16 for each cell; 64 MiB by default. A file may exceed it
   * by as much again, or 8 MiB, or 16,384 records, whichever is least, or by one long record.
   */
  readonly partBytes?: number;
  /** Bases of one sequence at most; 1 GiB by default, at most 2,000,000,000. */
  readonly maxRecordBytes?: number;
  /** Named in errors; the source's own name by default. */
  readonly name?: string;
  /** Most problems that are kept in full; 1,000 by default. All are counted. */
  readonly maxProblems?: number;
  /** Ends the work with the signal's reason; nothing is left under the final name. */
  readonly signal?: AbortSignal;
}

const WRITE_FASTA_PARQUET_OPTIONS = {
  partBytes: rule.wholeNumber({ from: 1, to: 1_000_000_000 }),
  maxRecordBytes: READ_FASTA_OPTIONS.maxRecordBytes,
  name: rule.text,
  maxProblems: READ_FASTA_OPTIONS.maxProblems,
  signal: rule.signal,
} satisfies OptionRules<WriteFastaParquetOptions>;

const READ_FASTA_PARQUET_OPTIONS = { signal: rule.signal } satisfies OptionRules<{ readonly signal?: AbortSignal }>;

/** What was written. */
export interface WrittenFastaParquet extends FastaParquet {
  /** Faults of the FASTA. */
  readonly problems: readonly Problem[];
  /** Records received, unique, duplicate and unparsed, with reasons and warnings: of characters outside ASCII too. */
  readonly ledger: Ledger;
  /** Bytes read, as received: compressed, if the source is. */
  readonly bytes: number;
}

/** One record read back: what {@linkcode writePlainFasta} and {@linkcode writeRegistryFasta} take. */
export interface ParquetFastaRecord {
  /** The values of the header, one for each field. */
  readonly values: readonly string[];
  /** The header line: the values joined by `|`, or id and description with a blank between. */
  readonly header: string;
  /** The bases. */
  readonly sequence: string;
}

/**
 * Writes a FASTA, plain or of the registry, as Parquet files of bounded size, atomically, into a new folder.
 *
 * The columns are those of {@linkcode fastaFrames}; polars and DuckDB read the files as one table by
 * `FOLDER/*.parquet`, pandas, pyarrow and Spark by `FOLDER`. No more than one file's records are in memory at a time;
 * a record of more than 32 MiB has a file of its own, and needs about twice its bases.
 *
 * @param source Where the FASTA is; plain, gzip or Zstandard.
 * @param folder The folder; it must be absent or empty, and an empty one stays until all is written.
 * @param options Size of files, name for errors, signal.
 * @throws {RangeError} If `partBytes` is not a whole number from 1 to 1,000,000,000, or `maxRecordBytes` none to
 * 2,000,000,000.
 * @throws {FastaError | GzipError} If the FASTA cannot be read.
 * @throws {RegistryError} With code `disk` if the folder holds something already, or cannot be written.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { writeRegistryFasta } from "../../fasta/mod.ts";
 * import { readFastaParquet, writeFastaParquet } from "./fasta_parquet.ts";
 *
 * const folder = await Deno.makeTempDir();
 * const fasta = ";fields=registry_accession|Country\n>vj000000000001|Chile\nACGTN\n";
 * await writeFastaParquet(new TextEncoder().encode(fasta), `${folder}/genomes`);
 *
 * const { fields, records } = await readFastaParquet(`${folder}/genomes`);
 * let text = "";
 * for await (const chunk of writeRegistryFasta(records, { fields })) text += new TextDecoder().decode(chunk);
 * assertEquals(text, fasta);
 * await Deno.remove(folder, { recursive: true });
 * ```
 */
export async function writeFastaParquet(
  source: ByteSource,
  folder: string,
  options: WriteFastaParquetOptions = {},
): Promise<WrittenFastaParquet> {
  checkOptions("writeFastaParquet()", options, WRITE_FASTA_PARQUET_OPTIONS);
  const { partBytes = PART_BYTES, signal, ...reading } = options;
  const batchBytes = Math.min(partBytes, 8 << 20);
  const batchRows = Math.min(Math.ceil(partBytes / (FEW_COLUMNS * CELL_BYTES)), BATCH_ROWS);
  await using reader = readFastaBatches(source, { ...reading, signal, batchBytes, batchRows });
  const { kind, fields } = await reader.head();
  const nonAscii = new NonAsciiCharacters(reader);
  await using whole = await createWholeFolder(folder);
  const others = new OtherResidues();
  const parts = gatherParts(reader, others.watch(nonAscii.watch()), { partBytes, signal });
  const { files, checks } = await writeParts(parts, { folder, whole, signal });
  const contents: FastaParquet = { fastaParquet: 1, kind, fields, rows: reader.ledger.received, files, checks };
  await onDisk(folder, () => Deno.writeTextFile(join(whole.path, CONTENTS), formatContents(contents)));
  signal?.throwIfAborted();
  await onDisk(folder, () => whole.rename());
  const ledger = extendLedger(reader.ledger, [...nonAscii.entries, ...others.entries]);
  return { ...contents, problems: reader.problems, ledger, bytes: reader.bytes };
}

/** What one file is made of: frames, or a batch with a record that is too long for them. */
interface FastaPart {
  readonly frames: readonly FastaFrame[];
  readonly long?: { readonly batch: LongBatch; readonly isClean: boolean };
  /** Bytes that they need in memory, about. */
  readonly bytes: number;
}

type LongBatch = FastaBatch & { readonly sequences: TextColumn };

function isLong(batch: FastaBatch): batch is LongBatch {
  return batch.sequences !== null && batch.sequences.data.length > LONG_BATCH_BYTES;
}

/** Gathers frames until they are as many bytes as a file is to have. */
async function* gatherParts(
  reader: FastaReader<FastaBatch>,
  batches: AsyncIterable<FastaBatch>,
  { partBytes, signal }: { readonly partBytes: number; readonly signal: AbortSignal | undefined },
): AsyncGenerator<FastaPart> {
  const source = batches[Symbol.asyncIterator]();
  let long: LongBatch | undefined;
  do {
    long = undefined;
    const short = (async function* () {
      for (let next = await source.next(); !next.done; next = await source.next()) {
        if (isLong(next.value)) {
          long = next.value;
          return;
        }
        yield next.value;
      }
    })();
    let frames: FastaFrame[] = [];
    let bytes = 0;
    for await (const framed of framesOf(reader, short, signal)) {
      frames.push(framed.frame);
      bytes += framed.bytes;
      if (bytes < partBytes) continue;
      yield { frames, bytes };
      frames = [];
      bytes = 0;
    }
    if (frames.length > 0) yield { frames, bytes };
    if (long !== undefined) {
      // Its bases are as many bytes, but no frame holds them.
      yield { frames: [], long: { batch: long, isClean: reader.problemCount === 0 }, bytes: 0 };
    }
  } while (long !== undefined);
}

interface WritePartsOptions {
  /** The folder that errors name. */
  readonly folder: string;
  readonly whole: StagingFolder;
  readonly signal: AbortSignal | undefined;
}

/** Writes a file of each part; returns their names and checksums. */
async function writeParts(
  parts: AsyncIterable<FastaPart>,
  options: WritePartsOptions,
): Promise<{ readonly files: string[]; readonly checks: FastaParquetCheck[] }> {
  const { folder, whole, signal } = options;
  const files: string[] = [];
  const checks: FastaParquetCheck[] = [];
  let written = 0;
  for await (const { frames, long, bytes } of parts) {
    const name = `part-${String(files.length).padStart(5, "0")}.parquet`;
    const path = join(whole.path, name);
    if (long === undefined) await writePart(frames, path, options);
    else await onDisk(folder, () => writeLongPart(long.batch, { path, isClean: long.isClean, signal }));
    checks.push(await onDisk(folder, () => checkOf(path, signal)));
    files.push(name);
    written += bytes;
    if (written > RELEASE_BYTES) {
      await releaseFrames();
      written = 0;
    }
    signal?.throwIfAborted();
  }
  return { files, checks };
}

/** Writes frames to one file and frees them. */
async function writePart(
  frames: readonly FastaFrame[],
  path: string,
  { folder, whole, signal }: WritePartsOptions,
): Promise<void> {
  const pl = await loadPolars();
  // Kept as separate chunks: copying them into one would need twice the memory.
  const members = frames.map((frame) => membersOf(frame));
  const frame = members.length === 1 ? members[0] : pl.concat(members, { how: "vertical", rechunk: false });
  await yieldToEventLoop();
  signal?.throwIfAborted();
  const writing = membersOf(frame).lazy().sinkParquet(path, PARQUET).collect();
  try {
    await unlessAborted(onDisk(folder, () => writing), signal);
  } finally {
    // What polars has begun it ends, and may have made its file after the folder was removed.
    if (signal?.aborted) writing.catch(() => {}).then(() => whole[Symbol.asyncDispose]());
  }
  for (const part of frames) part[Symbol.dispose]();
}

/**
 * Reads records back from a folder of {@linkcode writeFastaParquet}, in their order: the same values and bases as
 * {@linkcode readFasta} gives them. Of a plain FASTA the blanks between id and description are one. A byte of a
 * sequence that is outside ASCII, and so no base, has become a character of Latin-1, which takes two bytes where it is
 * written; one of a header that is not UTF-8 has become U+FFFD. The ledger of the writing names such records. A
 * sequence of more than 536,870,888 bases is too long for a text.
 *
 * @param folder The folder.
 * @param options Signal.
 * @returns What the folder holds, and its records; one file of it is in memory at a time.
 * @throws {ParseError} If the folder does not say what it holds; while reading, if a value is absent, or, after the
 * last record, if there are fewer or more than it says.
 * @throws {RegistryError} With code `disk` if it is not such a folder; while reading, if one of its files is missing or
 * a sequence is too long; with code `damaged` if a file is not the one that was written.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { readFastaParquet, writeFastaParquet } from "./fasta_parquet.ts";
 *
 * const folder = await Deno.makeTempDir();
 * await writeFastaParquet(new TextEncoder().encode(">a first\nAC\nGT\n"), `${folder}/genomes`);
 * const { kind, records } = await readFastaParquet(`${folder}/genomes`);
 *
 * assertEquals(kind, "plain");
 * assertEquals(await Array.fromAsync(records), [{ values: ["a", "first"], header: "a first", sequence: "ACGT" }]);
 * await Deno.remove(folder, { recursive: true });
 * ```
 */
export async function readFastaParquet(
  folder: string,
  options: { readonly signal?: AbortSignal } = {},
): Promise<FastaParquet & { readonly records: AsyncGenerator<ParquetFastaRecord> }> {
  checkOptions("readFastaParquet()", options, READ_FASTA_PARQUET_OPTIONS);
  const contents = await readContents(folder);
  return { ...contents, records: recordsOf(folder, contents, options.signal) };
}

async function* recordsOf(
  folder: string,
  { kind, fields, files, rows, checks }: FastaParquet,
  signal: AbortSignal | undefined,
): AsyncGenerator<ParquetFastaRecord> {
  const names = [...fields, computedNames(fields).sequence];
  const yielder = new Yielder();
  let came = 0;
  for (const [index, file] of files.entries()) {
    signal?.throwIfAborted();
    const path = join(folder, file);
    await checkFile(path, checks?.[index], signal);
    const columns = await readTexts(path, names);
    const sequences = columns.pop()!;
    for (const [row, bases] of sequences.entries()) {
      await yielder.yieldWhenDue(signal);
      const values = columns.map((column) => column[row]);
      const header = kind === "registry" ? values.join("|") : values[1] === "" ? values[0] : values.join(" ");
      yield { values, header, sequence: bases };
    }
    came += sequences.length;
    if (sequences.reduce((sum, { length }) => sum + length, 0) > RELEASE_BYTES) await releaseFrames();
  }
  if (came === rows) return;
  throw new ParseError(
    `Cannot read ${folder} whole: its files hold ${countOf(came, "record")}, ${
      came < rows ? "fewer" : "more"
    } than the ${rows} ` +
      `that ${CONTENTS} states; ${ANEW}`,
  );
}

/** Reads columns of texts from one file of a folder. */
async function readTexts(path: string, names: readonly string[]): Promise<string[][]> {
  const pl = await loadPolars();
  let frame: DataFrame;
  try {
    frame = pl.readParquet(path, { columns: [...names] });
  } catch (cause) {
    throw new RegistryError("disk", `Cannot read ${path}: ${messageOf(cause)}; ${ANEW}`, { cause });
  }
  return names.map((name) => {
    const texts = valuesOf(frame, name, path);
    if (areTexts(texts)) return texts;
    const row = texts.findIndex((text) => typeof text !== "string");
    const what = texts[row] === null ? "no value" : "no text";
    throw new ParseError(
      `Cannot read ${path}: row ${row + 1} of its column ${JSON.stringify(name)} holds ${what}; ${ANEW}`,
    );
  });
}

function valuesOf(frame: DataFrame, name: string, path: string): unknown[] {
  try {
    return membersOf(frame).getColumn(name).toArray();
  } catch (cause) {
    throw new RegistryError(
      "disk",
      `Cannot read the column ${JSON.stringify(name)} of ${path} as texts, which hold ${MAX_TEXT_LETTERS} bases at ` +
        "most; read the file with polars or DuckDB",
      { cause },
    );
  }
}
