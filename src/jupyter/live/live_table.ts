/**
 * One table, asked a window of rows at a time: in any order, under any filters, at any depth.
 *
 * The first rows of an order come from `ORDER BY … LIMIT`. Deeper ones need the order of all rows, which is computed
 * once and kept as the rows' indices in the files (4 bytes a row); rows that match filters are kept as one byte a row.
 * Values are always read from the files, of the rows and columns that were asked for.
 */
import type { DataFrame } from "nodejs-polars";
import { membersOf } from "@seqreg/core/engine/frames";
import { releaseFrames } from "@seqreg/core/tables/types/release_frames";
import { CELL_LETTERS, isTime, RECORD_LETTERS, textSql } from "./column_sql.ts";
import { readDistribution, type Scale } from "./distribution.ts";
import { type LiveCode, type ShownRows, writeLiveCode } from "./live_code.ts";
import { readFirstIds } from "./first_rows.ts";
import { Kept } from "./kept.ts";
import type {
  LiveCell,
  LiveColumn,
  LiveDistribution,
  LiveFilter,
  LiveQuestion,
  LiveRows,
  LiveSort,
  LiveSource,
} from "./live_question.ts";
import { ID, type LiveLimits, ParquetRows } from "./parquet_rows.ts";
import { type Ask, mayHaveRange, noteRanges, type Remedy } from "@seqreg/core/registry/plan/range_entries";
import { queryColumn } from "./query_column.ts";
import { fieldsOf } from "./query_sql.ts";

/** Rows from the top that are found without the order of all rows. */
const TOP = 400;
/** Rows that hold the first window: DuckDB skips more the fewer are asked for. */
const FIRST_TOP = 64;
/** Memory for orders and matching rows. */
const MOST_ORDER_BYTES = 160e6;
const MOST_MATCH_BYTES = 60e6;
/** Pause before garbage is collected, in which the answer goes out. */
const RELEASE_MS = 50;

interface Matches {
  /** By index in the files, 1 for those that match. */
  readonly bits: Uint8Array;
  readonly count: number;
}

/** Rows in their order, all that there are. */
type RowList = Uint32Array;

export class LiveTable implements AsyncDisposable {
  readonly count: number;
  readonly #rows: ParquetRows;
  readonly #lists = new Kept<RowList>(MOST_ORDER_BYTES, ({ byteLength }) => byteLength);
  readonly #matches = new Kept<Matches>(MOST_MATCH_BYTES, ({ bits }) => bits.byteLength);
  readonly #tops = new Kept<readonly number[]>(50 * TOP, ({ length }) => length);
  readonly #counts = new Kept<number>(8000, () => 8);
  readonly #scales = new Kept<Scale>(10_000, () => 1);

  private constructor(rows: ParquetRows, count: number) {
    this.#rows = rows;
    this.count = count;
  }

  /**
   * Opens Parquet files as one table.
   *
   * @throws {ChangedFileError} If a file has been changed since it was described.
   */
  static async open(source: LiveSource, limits?: LiveLimits): Promise<LiveTable> {
    const rows = await ParquetRows.open(source, limits);
    try {
      return new LiveTable(rows, rows.isEvery([]) ? rows.count : await countRows(rows, []));
    } catch (cause) {
      await rows[Symbol.asyncDispose]();
      throw cause;
    }
  }

  /** The columns, as a page knows them. */
  get columns(): readonly LiveColumn[] {
    return this.#rows.columns.map(({ name, type, kind, description, unit }) => ({
      name,
      type,
      kind,
      description,
      unit,
    }));
  }

  /** What the ranges of its query meet, in sentences. */
  async noteRanges(): Promise<string[]> {
    return await noteQueryRanges(this.#rows);
  }

  /**
   * Answers a question.
   *
   * @throws {ChangedFileError} If the files have been changed since the table was opened: never a mixture.
   */
  async answer(question: LiveQuestion): Promise<object> {
    try {
      return await this.#answer(question);
    } finally {
      // Behind the reading: what was read before a change is whole, and what failed may have failed for it.
      await this.#rows.checkUnchanged();
      // V8 does not know of DuckDB's memory, which a list of millions of rows was read from.
      if (question.op === "settle") Deno.unrefTimer(setTimeout(releaseFrames, RELEASE_MS));
    }
  }

  async #answer(question: LiveQuestion): Promise<object> {
    switch (question.op) {
      case "rows":
        return await this.rows(question);
      case "count":
        return { count: await this.countOf(question.filters) };
      case "settle":
        if (question.sort !== null || !this.#rows.isEvery(question.filters)) await this.#list(question);
        return {};
      case "distribution":
        return await this.distribution(question.column, question.filters);
      case "code": {
        const { columns: shown, filters, sort } = question;
        return this.code({ shown, filters, sort });
      }
      case "record":
        return { cells: await this.record(question.id) };
    }
  }

  async rows(
    { offset, limit, columns, ...order }: Omit<LiveQuestion & { readonly op: "rows" }, "op">,
  ): Promise<LiveRows> {
    const ids = await this.#idsOf(offset, limit, order);
    return { ids, rows: await this.#rows.readCells(ids, columns, CELL_LETTERS) };
  }

  /** Counts the rows that match. */
  async countOf(filters: readonly LiveFilter[]): Promise<number> {
    if (filters.length === 0) return this.count;
    return await this.#counts.want(JSON.stringify(filters), () => countRows(this.#rows, filters));
  }

  /** How a column's values are distributed, over all rows and over those that match. */
  async distribution(column: number, filters: readonly LiveFilter[]): Promise<LiveDistribution> {
    return await readDistribution(this.#rows, { column, filters, scales: this.#scales });
  }

  /** Whether the files have a row at an offset. */
  hasRow(id: number): boolean {
    return id < this.#rows.count;
  }

  /** Every value of one row. */
  async record(id: number): Promise<LiveCell[]> {
    if (!this.hasRow(id)) throw new RangeError(`Cannot read row ${id}: the files have ${this.#rows.count} rows`);
    const [cells] = await this.#rows.readCells([id], this.columns.map((_, index) => index), RECORD_LETTERS);
    return cells;
  }

  code(rows: Omit<ShownRows, "columns" | "query">): LiveCode {
    const { columns, source, queryInCode: query } = this.#rows;
    return writeLiveCode(source, { ...rows, columns, query });
  }

  /** Reads values of rows that are named by their indices in the files. */
  async cells(ids: readonly number[], columns: readonly number[]): Promise<LiveCell[][]> {
    return await this.#rows.readCells(ids, columns, RECORD_LETTERS);
  }

  /** Reads rows as a polars frame. */
  async frame(
    { filters, sort, columns, most }: Order & { readonly columns: readonly number[]; readonly most: number },
  ): Promise<DataFrame> {
    const { sql, values } = this.#rows.where(filters);
    const shown = columns.map((column) => this.#rows.columns[column]);
    // A name to show may be one that SQL does not have, such as that of the first column in files of pandas.
    const named = shown.map(({ sql }, index) => `${sql} AS n${index}`);
    const by = sort === null ? `t.${ID}` : this.#by(sort);
    const frame = await this.#rows.frame(`SELECT ${named.join()} FROM t${sql} ORDER BY ${by} LIMIT ${most}`, values);
    membersOf(frame).columns = shown.map(({ name }) => name);
    return frame;
  }

  async #idsOf(offset: number, limit: number, order: Order): Promise<number[]> {
    const { sort, filters } = order;
    if (sort === null && this.#rows.isEvery(filters)) {
      const length = Math.max(0, Math.min(limit, this.count - offset));
      return Array.from({ length }, (_, index) => offset + index);
    }
    const isTop = offset + limit <= TOP && this.#lists.get(this.#keyOf(order)) === undefined;
    if (!isTop) return [...(await this.#list(order)).subarray(offset, offset + limit)];
    // In the order of the files DuckDB stops at the last row that is wanted; else it has read everything.
    if (sort === null) return await this.#rows.firstIds(filters, { limit, offset });
    const most = offset + limit <= FIRST_TOP ? FIRST_TOP : TOP;
    const top = await this.#tops.want(`${most} ${keyOf(order)}`, () => readFirstIds(this.#rows, sort, filters, most));
    return top.slice(offset, offset + limit);
  }

  /** The indices of all rows of an order. */
  async #list(order: Order): Promise<RowList> {
    const { sort, filters } = order;
    if (sort !== null && this.#rows.isEvery(filters)) return await this.#order(sort);
    return await this.#lists.want(keyOf(order), async () => {
      const { bits, count } = await this.#match(filters);
      const list = new Uint32Array(count);
      let at = 0;
      if (sort === null) {
        for (let id = 0; id < bits.length; id++) if (bits[id] === 1) list[at++] = id;
      } else {
        const all = await this.#order(sort);
        for (let index = 0; index < all.length; index++) if (bits[all[index]] === 1) list[at++] = all[index];
      }
      return list;
    });
  }

  #keyOf(order: Order): string {
    const { sort, filters } = order;
    return sort !== null && this.#rows.isEvery(filters) ? orderKey(sort) : keyOf(order);
  }

  /** The offsets of all rows in the files, ordered. */
  async #order(sort: LiveSort): Promise<RowList> {
    return await this.#lists.want(orderKey(sort), () => this.#rows.orderIds(this.#by(sort)));
  }

  async #match(filters: readonly LiveFilter[]): Promise<Matches> {
    return await this.#matches.want(JSON.stringify(filters), async () => {
      const ids = await this.#rows.matchingIds(this.#rows.where(filters));
      const bits = new Uint8Array(this.#rows.count);
      for (let index = 0; index < ids.length; index++) bits[ids[index]] = 1;
      return { bits, count: ids.length };
    });
  }

  /** Equal values stay in the order of the files. */
  #by({ column, descending }: LiveSort): string {
    // Of the table, and not a column of a result that has the name.
    return `t.${this.#rows.columns[column].sql} ${descending ? "DESC" : "ASC"} NULLS LAST, t.${ID}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#rows[Symbol.asyncDispose]();
  }
}

/** Counts the rows that are of the table and match. */
async function countRows(rows: ParquetRows, filters: readonly LiveFilter[]): Promise<number> {
  if (rows.isEvery(filters)) return rows.count;
  const { sql, values } = rows.where(filters);
  const [[count]] = await rows.query(`SELECT count(*) FROM t${sql}`, values, "aside");
  return Number(count);
}

/** Which rows, in which order. */
interface Order {
  readonly sort: LiveSort | null;
  readonly filters: readonly LiveFilter[];
}

function orderKey(sort: LiveSort): string {
  return `all ${JSON.stringify(sort)}`;
}

function keyOf({ sort, filters }: Order): string {
  return JSON.stringify([sort, filters]);
}

/** Rows whose values a sentence chooses from. */
const LOOKED_AT = 1000;
const REMEDY: Remedy = { retype: "give the column the type", again: "show the table again" };

/** Describes what each range of the query that meets texts compares. */
async function noteQueryRanges(rows: ParquetRows): Promise<string[]> {
  const { columns, source: { query, columns: described } } = rows;
  if (query === undefined || !mayHaveRange(query)) return [];
  const ask: Ask = async (asked, field) => {
    const column = columns.find(({ name }) => name === field)!;
    // A column of numbers or days holds nothing else.
    if (column.kind === "number" || isTime(column)) return { total: 0, results: [] };
    const { sql, values } = await rows.conditionOf(asked);
    const [[total]] = await rows.query(`SELECT count(*) FROM t WHERE ${sql}`, values);
    const found = await rows.query(`SELECT ${textSql(column)} FROM t WHERE ${sql} LIMIT ${LOOKED_AT}`, values);
    const results = found.map(([text]) => ({ id: "", score: null, source: { [field]: String(text) } }));
    return { total: Number(total), results };
  };
  const fields = fieldsOf(columns.map((column, index) => queryColumn(column, described?.[index]?.alias)));
  return (await noteRanges(query, fields, ask, REMEDY)).map(({ text }) => text);
}
