/** Starts and resumes the building of an index. */
import { join } from "node:path";
import type { Field } from "../_fields.ts";
import { sizesIn } from "../_file_sizes.ts";
import { BOUNDS } from "./_bounds.ts";
import { buildIndex } from "./_build_index.ts";
import { buildInThread } from "./_build_thread.ts";
import { type BuildState, DENSE_FILE, readState, TOKENS_FILE, writeState } from "./_build_state.ts";
import { CellEncoder, type Cells } from "./_cells.ts";
import { CodeWriter, columnFiles, ManyWriter } from "./_column_writer.ts";
import { TokenWriter } from "./_token_writer.ts";
import { drawHashKey, type HashKey } from "./_tokens.ts";
import type { FinishOptions, IndexBounds, IndexSummary, IndexWriter, StartIndexOptions } from "./types.ts";

/**
 * Starts an index in a folder that exists.
 *
 * @throws What the system throws when it cannot write there.
 */
export function startIndex(
  folder: string,
  fields: readonly Field[],
  { accessionField, bounds }: StartIndexOptions,
): Promise<IndexWriter> {
  return Promise.resolve(new RecordIndexer(folder, fields, accessionField, { ...BOUNDS, ...bounds }));
}

/** Goes on with an index that was sealed and not finished; `undefined` when the folder has none. */
export async function resumeIndex(folder: string): Promise<IndexWriter | undefined> {
  const state = await readState(folder);
  if (state === undefined) return undefined;
  return {
    recordCount: state.recordCount,
    add: refuseSealed,
    addCells: refuseSealed,
    seal: () => Promise.resolve(),
    finish: (options) => finishBuild(folder, state, options),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

/** Builds many records in a thread of its own; few take less time than to start one. */
async function finishBuild(folder: string, state: BuildState, options: FinishOptions = {}): Promise<IndexSummary> {
  const threaded = state.recordCount >= state.bounds.threadRecords ? await buildInThread(folder, options) : undefined;
  return threaded ?? await buildIndex(folder, state, options);
}

function refuseSealed(): never {
  throw new TypeError("Cannot add records: the index is sealed");
}

class RecordIndexer implements IndexWriter {
  recordCount = 0;
  readonly #folder: string;
  readonly #fields: readonly Field[];
  readonly #accessionField: number;
  readonly #bounds: IndexBounds;
  readonly #hashKey: HashKey;
  readonly #tokens: TokenWriter;
  readonly #encoder = new CellEncoder();
  readonly #columns: (CodeWriter | ManyWriter)[];
  #state: BuildState | undefined;

  constructor(folder: string, fields: readonly Field[], accessionField: number, bounds: IndexBounds) {
    this.#folder = folder;
    this.#fields = fields;
    this.#accessionField = accessionField;
    this.#bounds = bounds;
    this.#hashKey = drawHashKey(bounds.hashBits);
    this.#tokens = new TokenWriter(join(folder, TOKENS_FILE), join(folder, DENSE_FILE), bounds);
    this.#columns = fields.map(({ index }) => new CodeWriter(columnFiles(folder, index).codes, bounds.blockRows));
  }

  add(rows: readonly (readonly string[])[]): void {
    this.addCells(this.#encoder.encode(rows, this.#fields.length));
  }

  addCells(cells: Cells): void {
    if (this.#state !== undefined) refuseSealed();
    const { blockRows } = this.#bounds;
    for (let from = 0; from < cells.count;) {
      const to = Math.min(cells.count, from + blockRows - this.recordCount % blockRows);
      for (const [index, column] of this.#columns.entries()) column.add(cells, index, from, to);
      this.recordCount += to - from;
      from = to;
      this.#holdBounds();
      if (this.recordCount % blockRows === 0) this.#endBlock();
    }
  }

  async seal(): Promise<void> {
    if (this.#state !== undefined) return;
    if (this.recordCount % this.#bounds.blockRows > 0) this.#tokens.endBlock();
    const columns = this.#columns.map((column) => column.finish());
    for (const [index, column] of this.#columns.entries()) {
      if (!(column instanceof CodeWriter)) continue;
      await Deno.writeTextFile(columnFiles(this.#folder, index).values, JSON.stringify(column.values()));
    }
    const state = {
      recordCount: this.recordCount,
      accessionField: this.#accessionField,
      fields: this.#fields,
      bounds: this.#bounds,
      hashKey: this.#hashKey,
      columns,
      tokens: this.#tokens.finish(),
      sizes: await sizesIn(this.#folder, [""]),
    };
    await writeState(this.#folder, state);
    this.#state = state;
    this.#columns.length = 0;
  }

  async finish(options: FinishOptions = {}) {
    options.signal?.throwIfAborted();
    await this.seal();
    return await finishBuild(this.#folder, this.#state!, options);
  }

  [Symbol.asyncDispose](): Promise<void> {
    for (const column of this.#columns) column[Symbol.dispose]();
    this.#tokens[Symbol.dispose]();
    return Promise.resolve();
  }

  /** A field that has too many values, or the most when all together have too many or too long ones, has texts. */
  #holdBounds(): void {
    const { dictionaryValues, allValues, dictionaryBytes } = this.#bounds;
    for (;;) {
      let [most, longest, values, bytes] = [-1, -1, 0, 0];
      let [mostValues, mostBytes] = [0, 0];
      for (const [index, column] of this.#columns.entries()) {
        if (!(column instanceof CodeWriter)) continue;
        values += column.size;
        bytes += column.bytes;
        if (column.size > mostValues) [most, mostValues] = [index, column.size];
        if (column.bytes > mostBytes) [longest, mostBytes] = [index, column.bytes];
      }
      const index = mostValues > dictionaryValues || values > allValues ? most : bytes > dictionaryBytes ? longest : -1;
      const column = this.#columns[index];
      if (!(column instanceof CodeWriter)) return;
      this.#useTexts(column, index);
    }
  }

  #endBlock(): void {
    const isFirst = this.recordCount === this.#bounds.blockRows;
    for (const [index, column] of this.#columns.entries()) {
      if (!(column instanceof CodeWriter)) continue;
      column.endBlock();
      // Who has a new value for every other record has too many in the end.
      if (isFirst && column.size > this.recordCount / 2) this.#useTexts(column, index);
    }
    this.#tokens.endBlock();
  }

  #useTexts(column: CodeWriter, index: number): void {
    const { [index]: field } = this.#fields;
    const writer = new ManyWriter(this.#folder, field, {
      hashKey: this.#hashKey,
      tokens: this.#tokens,
      bounds: this.#bounds,
    });
    for (const bytes of column.replay()) writer.addValue(bytes, 0, bytes.length);
    column[Symbol.dispose]();
    this.#columns[index] = writer;
  }
}
