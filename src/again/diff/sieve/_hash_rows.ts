/** One version, read in a thread of its own: its rows hashed, then some of them picked. */
import { basename } from "node:path";
import type { Problem } from "@seqreg/core/contract";
import { openArchive } from "@seqreg/core/io/archive/open_archive";
import { readAt } from "@seqreg/core/io/bytes";
import { CsvSplitter } from "@seqreg/core/io/csv";
import { csvCell } from "@seqreg/core/io/csv/csv_text";
import { checkRows } from "@seqreg/core/tables/lake/rows/check_rows";
import { GatheredFile, HashReader } from "../hashes/hash_file.ts";
import { RowSet } from "../hashes/hash_record.ts";
import { type HashSecrets, LENGTH_WORD, ROW_RECORD, RowHasher } from "./_row_hasher.ts";

/** What is hashed. */
export interface HashTask {
  readonly path: string;
  /** File that takes the records of the rows; it does not exist. */
  readonly hashes: string;
  /** Column of the keys, from 0. */
  readonly column: number;
  readonly secrets: HashSecrets;
}

/** What is known of a version whose rows were hashed. */
export interface HashedRows {
  readonly rows: number;
  readonly unparsed: number;
  /** The first of them. */
  readonly problems: readonly Problem[];
  /** SHA-256 of the file. */
  readonly sha256: string;
  /** Bytes of the rows where they stand in the text one after the other; absent where they do not. */
  readonly rowBytes?: number;
}

/** What is picked of a version. */
export interface PickTask {
  readonly path: string;
  readonly hashes: string;
  /** A bit a row. */
  readonly bits: Uint8Array;
  /** CSV that takes the header and the rows; it does not exist. */
  readonly into: string;
  readonly rowBytes?: number;
}

/** Bytes that are read or written at a time. */
const BLOCK_BYTES = 1 << 20;

/** Most bytes of a header before rows that can be read where they are. */
const MOST_HEADER = 1 << 20;

/** Reads and checks a version, and writes a record for each row. */
export async function hashRows(
  { path, hashes, column, secrets }: HashTask,
  onBytes: (done: number) => void,
): Promise<HashedRows> {
  await using archive = await openArchive(path, { onBytes });
  await using checked = await checkRows(archive.chunks, { name: basename(path) });
  const hasher = new RowHasher(secrets, column);
  using file = new GatheredFile(hashes);
  let [rows, rowBytes] = [0, 0];
  for await (const batch of checked) {
    file.append(hasher.hash(batch));
    rows += batch.rows;
    rowBytes += batch.bytes.length;
  }
  file.flush();
  const { unparsed, problems, isVerbatim } = checked;
  return { rows, unparsed, problems, sha256: archive.digest(), ...isVerbatim && { rowBytes } };
}

/** Writes the header and some rows of a version to a CSV. */
export async function pickRows({ path, hashes, bits, into, rowBytes }: PickTask): Promise<void> {
  await using archive = await openArchive(path);
  const header = archive.header.map(csvCell).join(",");
  const start = rowBytes === undefined ? undefined : await findRows(path, archive.header, rowBytes);
  using out = new GatheredFile(into);
  out.append(new TextEncoder().encode(`${header}\n`));
  using lengths = new RowLengths(hashes, new RowSet(bits));
  if (start === undefined) {
    await using checked = await checkRows(archive.chunks, { name: basename(path) });
    for await (const { bytes } of checked) await lengths.pick(bytes, out);
    return out.flush();
  }
  using file = await Deno.open(path);
  await file.seek(start, Deno.SeekMode.Start);
  const block = new Uint8Array(BLOCK_BYTES);
  for (let count = await file.read(block); count !== null; count = await file.read(block)) {
    await lengths.pick(block.subarray(0, count), out);
  }
  lengths.end(out);
  out.flush();
}

/** Where the rows begin of a file that holds them as they were hashed; `undefined` of any other. */
async function findRows(path: string, header: readonly string[], rowBytes: number): Promise<number | undefined> {
  using file = await Deno.open(path);
  const { size } = await file.stat();
  const last = new Uint8Array(1);
  if (size === 0 || readAt(file, last, size - 1) === 0) return undefined;
  // The checker ends the last row with a line feed where the file does not.
  const start = size - rowBytes + (last[0] === LF ? 0 : 1);
  if (start <= 0 || start > MOST_HEADER) return undefined;
  const bytes = new Uint8Array(start);
  if (readAt(file, bytes, 0) < start || bytes[start - 1] !== LF) return undefined;
  try {
    const rows = new CsvSplitter().push(bytes).texts();
    return rows.length === 1 && rows[0].cells.join("\n") === header.join("\n") ? start : undefined;
  } catch {
    // It is compressed, or has a byte order mark.
    return undefined;
  }
}

const LF = 10;

/** Cuts bytes of rows that follow each other by the lengths of the rows, and writes those that are picked. */
class RowLengths implements Disposable {
  readonly #hashes: HashReader;
  readonly #picked: RowSet;
  /** How many bytes of the row under way are to come. */
  #rest = 0;
  #isPicked = false;
  #lastByte = LF;

  constructor(hashes: string, picked: RowSet) {
    this.#hashes = new HashReader(hashes, ROW_RECORD);
    this.#picked = picked;
  }

  async pick(bytes: Uint8Array, out: GatheredFile): Promise<void> {
    for (let from = 0; from < bytes.length;) {
      if (this.#rest === 0) {
        if (this.#hashes.isLow) await this.#hashes.fill();
        if (this.#hashes.isOver) return;
        this.#next();
      }
      const to = Math.min(bytes.length, from + this.#rest);
      if (this.#isPicked) {
        out.append(bytes.subarray(from, to));
        this.#lastByte = bytes[to - 1];
      }
      this.#rest -= to - from;
      from = to;
    }
  }

  /** Ends a row that the file does not end. */
  end(out: GatheredFile): void {
    if (this.#isPicked && this.#lastByte !== LF) out.append(Uint8Array.of(LF));
  }

  [Symbol.dispose](): void {
    this.#hashes[Symbol.dispose]();
  }

  #next(): void {
    const { words, at, row } = this.#hashes;
    this.#rest = words[at + LENGTH_WORD];
    this.#isPicked = this.#picked.has(row);
    this.#hashes.next();
  }
}
