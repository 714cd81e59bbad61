/**
 * Records of any number on their way to a table: in memory while they are few, in a temporary folder when they are not.
 */
import { RegistryError } from "../../errors.ts";
import { readCsvRows } from "../../io/csv/csv_rows.ts";
import { csvRow } from "../../io/csv/csv_text.ts";
import { createScratchFolder, type ScratchFolder } from "../../io/files/scratch_folder.ts";
import { writeAll } from "../../io/files/write_all.ts";
import { TextColumns } from "./columns.ts";
import { releaseFrames } from "./release_frames.ts";

/** Characters of text that records may have in memory, where they take up to ten times that in bytes. */
const SPILL_CHARACTERS = 8 * 1024 * 1024;
/** Characters that are gathered between two writes, once there is a folder. */
const BLOCK_CHARACTERS = 1024 * 1024;
/**
 * Blocks after which garbage is collected; otherwise hundreds of megabytes accumulate.
 */
const RELEASE_BLOCKS = 24;
const READ_BYTES = 1 << 20;
/** Rows that are encoded at a time. */
const ROWS_AT_ONCE = 1000;

/** A field and its text; `null` for no value. */
export type FieldText = readonly [field: string, text: string | null];

/** Rows that were written together: all have the same fields. */
interface Block {
  readonly fields: readonly string[];
  readonly bytes: number;
}

export interface RecordStoreOptions {
  /** Fields that come first, also where no record has them. */
  readonly fields?: readonly string[];
  /** Characters of text from which records go to a temporary folder; 8 Mi by default, `Infinity` for never. */
  readonly spillCharacters?: number;
}

/**
 * Takes records, whose fields may turn up late, and returns them as columns of texts or as CSV.
 *
 * Call {@linkcode RecordStore.settle} between batches: it writes what is too much for memory. Where no temporary folder
 * may be made, everything stays in memory. Dispose of the store when its CSV has been read.
 */
export class RecordStore implements Disposable {
  #columns: TextColumns;
  #spillCharacters: number;
  #characters = 0;
  #spilledRows = 0;
  #folder: ScratchFolder | undefined;
  #file: Deno.FsFile | undefined;
  #isDisposed = false;
  readonly #blocks: Block[] = [];

  constructor({ fields = [], spillCharacters = SPILL_CHARACTERS }: RecordStoreOptions = {}) {
    this.#columns = new TextColumns(fields);
    this.#spillCharacters = spillCharacters;
  }

  get rows(): number {
    return this.#spilledRows + this.#columns.rows;
  }

  /** The fields so far, in the order in which they turned up. */
  get fields(): readonly string[] {
    return this.#columns.fields;
  }

  /** Whether some records are in a temporary folder. */
  get isSpilled(): boolean {
    return this.#folder !== undefined;
  }

  /** The records, where all of them are in memory. @throws {TypeError} If some are in a temporary folder. */
  get columns(): TextColumns {
    if (this.isSpilled) throw new TypeError("Cannot read the columns: records are in a temporary folder");
    return this.#columns;
  }

  /** Adds a record. An empty text is null. */
  add(record: readonly FieldText[] | ReadonlyMap<string, string | null>): void {
    for (const [, text] of record) this.#characters += text === null ? 1 : text.length + 1;
    this.#columns.addRecord(record);
  }

  /** Whether there is more in memory than there should be. */
  get isFull(): boolean {
    return this.#characters >= this.#spillCharacters;
  }

  /** Writes records to a temporary folder, if they are too many for memory. */
  async settle(): Promise<void> {
    if (!this.isFull) return;
    if (this.#file === undefined && !await this.#open()) return;
    this.#write();
    if (this.#blocks.length % RELEASE_BLOCKS === 1) await releaseFrames();
  }

  /**
   * Reads all records as CSV.
   *
   * @param names Names of the columns; each that {@linkcode nameOf} returns must be among them.
   * @param nameOf Name of a field's column; where two fields have the same, values of both are joined by `;`.
   * @returns Chunks, each valid until the next is requested; the header has numbers as names, for any fields.
   */
  async *chunks(
    names: readonly string[],
    nameOf: (field: string) => string = (field) => field,
  ): AsyncGenerator<Uint8Array> {
    yield encode([csvRow(names.map((_, index) => `column ${index + 1}`))]);
    if (this.#file === undefined) return yield* encodeRows(this.#columns, names, nameOf);
    this.#write();
    this.#file.seekSync(0, Deno.SeekMode.Start);
    for (const { fields, bytes } of this.#blocks) {
      const own = fields.map(nameOf);
      const isSame = own.length === names.length && own.every((name, index) => name === names[index]);
      if (isSame) yield* this.#read(bytes);
      else yield* this.#rename(fields, bytes, names, nameOf);
    }
  }

  /** Removes the temporary folder. */
  [Symbol.dispose](): void {
    if (this.#isDisposed) return;
    this.#isDisposed = true;
    this.#file?.close();
    this.#folder?.[Symbol.dispose]();
  }

  async #open(): Promise<boolean> {
    try {
      this.#folder = await createScratchFolder("records");
    } catch (error) {
      if (!(error instanceof Deno.errors.NotCapable)) throw diskError(error);
      this.#spillCharacters = Infinity;
      return false;
    }
    this.#file = Deno.openSync(`${this.#folder.path}/records.csv`, { read: true, write: true, create: true });
    this.#spillCharacters = Math.min(this.#spillCharacters, BLOCK_CHARACTERS);
    return true;
  }

  /** Writes the records in memory as a block. */
  #write(): void {
    const { fields, rows } = this.#columns;
    if (rows === 0) return;
    let bytes = 0;
    try {
      for (const chunk of encodeRows(this.#columns, fields, (field) => field)) {
        writeAll(this.#file!, chunk);
        bytes += chunk.length;
      }
    } catch (cause) {
      throw diskError(cause);
    }
    this.#blocks.push({ fields, bytes });
    this.#spilledRows += rows;
    this.#characters = 0;
    this.#columns = new TextColumns(fields);
  }

  *#read(bytes: number): Generator<Uint8Array> {
    const buffer = new Uint8Array(Math.min(READ_BYTES, bytes));
    for (let left = bytes; left > 0;) {
      const count = this.#file!.readSync(buffer.subarray(0, Math.min(left, buffer.length)));
      if (count === null) throw diskError(new Error("the temporary file is shorter than what was written"));
      left -= count;
      yield buffer.subarray(0, count);
    }
  }

  /** Reads a block whose fields are not yet all, or do not have their names. */
  async *#rename(
    fields: readonly string[],
    bytes: number,
    names: readonly string[],
    nameOf: (field: string) => string,
  ): AsyncGenerator<Uint8Array> {
    const block = this.#read(bytes);
    const chunks = (async function* () {
      yield* block;
    })();
    for await (const rows of readCsvRows(chunks, { name: "the records", separator: "," })) {
      const columns = new TextColumns(fields);
      for (const { cells } of rows) columns.addRecord(fields.map((field, index) => [field, cells[index]]));
      yield* encodeRows(columns, names, nameOf);
    }
  }
}

function* encodeRows(
  columns: TextColumns,
  names: readonly string[],
  nameOf: (field: string) => string,
): Generator<Uint8Array> {
  const renamed = columns.renamed(nameOf);
  const texts = names.map((name) => renamed.get(name));
  for (let from = 0; from < columns.rows; from += ROWS_AT_ONCE) {
    const to = Math.min(columns.rows, from + ROWS_AT_ONCE);
    const lines: string[] = [];
    for (let row = from; row < to; row++) lines.push(csvRow(texts.map((each) => each?.[row] ?? "")));
    yield encode(lines);
  }
}

function encode(lines: readonly string[]): Uint8Array {
  return new TextEncoder().encode(`${lines.join("\n")}\n`);
}

function diskError(cause: unknown): RegistryError {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new RegistryError("disk", `Cannot keep records in the temporary directory: ${why}; free some space there`, {
    cause,
  });
}
