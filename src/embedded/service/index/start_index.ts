/** Starts and resumes the building of an index. */
import { join } from "node:path";
import type { Field } from "@seqreg/core/query";
import { hasManyDescriptors } from "../files/free_descriptors.ts";
import { sizesIn } from "../files/file_sizes.ts";
import { buildIndex } from "./build/build_index.ts";
import { buildInThread } from "./_build_thread.ts";
import { type BuildState, DENSE_FILE, readState, TOKENS_FILE, writeState } from "./build/build_state.ts";
import { CellEncoder, type Cells } from "./format/cells.ts";
import { CodeWriter, columnFiles, ManyWriter } from "./build/column_writer.ts";
import { TokenWriter } from "./build/token_writer.ts";
import { Turns } from "../schedule/turns.ts";
import { startSharedWork } from "../schedule/work.ts";
import { drawHashKey, type HashKey } from "./format/tokens.ts";
import type { FinishOptions, IndexBounds, IndexSummary, IndexWriter, StartIndexOptions } from "./format/types.ts";

/**
 * Starts an index in a folder that exists.
 *
 * @throws What the system throws when it cannot write there.
 */
export function startIndex(
  folder: string,
  fields: readonly Field[],
  { accessionField, bounds, turnMs }: StartIndexOptions,
): Promise<IndexWriter> {
  const turns = new Turns(undefined, { turnMs, work: startSharedWork(true) });
  return Promise.resolve(
    new RecordIndexer({ folder, fields, accessionField, bounds: { ...BOUNDS, ...bounds }, turns }),
  );
}

/** Resumes an index that was sealed and not finished; `undefined` when the folder has none. */
export async function resumeIndex(folder: string): Promise<IndexWriter | undefined> {
  const state = await readState(folder);
  if (state === undefined) return undefined;
  return {
    recordCount: state.recordCount,
    add: refuseSealed,
    addCells: refuseSealed,
    seal: () => Promise.resolve(),
    finish: (options) => finishBuild(folder, state, options),
  };
}

/**
 * Builds many records in a thread of its own; few take less time than to start one, which takes seven descriptors, too.
 */
async function finishBuild(folder: string, state: BuildState, options: FinishOptions = {}): Promise<IndexSummary> {
  const pays = state.recordCount >= state.bounds.threadRecords && hasManyDescriptors();
  return pays ? await buildInThread(folder, options) : await buildIndex(folder, state, options);
}

function refuseSealed(): Promise<never> {
  return Promise.reject(new TypeError("Cannot add records: the index is sealed"));
}

/** Rows that are written again before others get their turn. */
const AT_ONCE = 4096;

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
  readonly #turns: Turns;
  #state: BuildState | undefined;

  constructor({ folder, fields, accessionField, bounds, turns }: {
    readonly folder: string;
    readonly fields: readonly Field[];
    readonly accessionField: number;
    readonly bounds: IndexBounds;
    readonly turns: Turns;
  }) {
    this.#turns = turns;
    this.#folder = folder;
    this.#fields = fields;
    this.#accessionField = accessionField;
    this.#bounds = bounds;
    this.#hashKey = drawHashKey(bounds.hashBits);
    this.#tokens = new TokenWriter(join(folder, TOKENS_FILE), join(folder, DENSE_FILE), bounds);
    this.#columns = fields.map(({ index }) => new CodeWriter(columnFiles(folder, index).codes, bounds.blockRows));
  }

  async add(rows: readonly (readonly string[])[]): Promise<void> {
    await this.addCells(this.#encoder.encode(rows, this.#fields.length));
  }

  async addCells(cells: Cells): Promise<void> {
    if (this.#state !== undefined) await refuseSealed();
    const { blockRows } = this.#bounds;
    for (let from = 0; from < cells.count;) {
      const to = Math.min(cells.count, from + blockRows - this.recordCount % blockRows);
      for (const [index, column] of this.#columns.entries()) column.add(cells, index, from, to);
      this.recordCount += to - from;
      from = to;
      await this.#holdBounds();
      if (this.recordCount % blockRows === 0) await this.#endBlock();
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

  /** A field that has too many values, or the most when all together have too many or too long ones, has texts. */
  async #holdBounds(): Promise<void> {
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
      await this.#useTexts(column, index);
    }
  }

  async #endBlock(): Promise<void> {
    const isFirst = this.recordCount === this.#bounds.blockRows;
    for (const [index, column] of this.#columns.entries()) {
      if (!(column instanceof CodeWriter)) continue;
      column.endBlock();
      // Who has a new value for every other record has too many in the end.
      if (isFirst && column.size > this.recordCount / 2) await this.#useTexts(column, index);
    }
    this.#tokens.endBlock();
  }

  async #useTexts(column: CodeWriter, index: number): Promise<void> {
    const { [index]: field } = this.#fields;
    const writer = new ManyWriter(this.#folder, field, {
      hashKey: this.#hashKey,
      tokens: this.#tokens,
      bounds: this.#bounds,
    });
    let row = 0;
    for (const bytes of column.replay()) {
      writer.addValue(bytes, 0, bytes.length);
      if (++row % AT_ONCE === 0 && this.#turns.over) await this.#turns.next();
    }
    this.#columns[index] = writer;
  }
}

/** Bounds: about 300 MB of memory while fifteen million records are indexed. */
const BOUNDS: IndexBounds = {
  dictionaryValues: 1 << 17,
  dictionaryBytes: 64 << 20,
  readValues: 512,
  allValues: 600_000,
  blockRows: 1 << 16,
  textBytes: 1 << 18,
  tokens: 1 << 20,
  verifiedRows: 512,
  denseShare: 64,
  hashBits: 32,
  sortBytes: 24 << 20,
  jointCodes: 1 << 14,
  tableRecords: 50_000,
  listedRows: 1 << 14,
  threadRecords: 20_000,
};
