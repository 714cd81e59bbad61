/** Finds rows: the total, facets, pages and whole results of a condition. */
import type { Facet } from "../spec/facets.ts";
import { sortExpression, TABLE } from "./_columns.ts";
import type { FindDatabase } from "./_duckdb.ts";
import { type FacetField, facetOf } from "./_facet_fields.ts";
import type { Field } from "./_fields.ts";
import { compileQuery } from "./_query_sql.ts";
import type { QueryNode } from "./query_ast.ts";
import type { SortOrder } from "../spec/enumerations.ts";
import { MAX_SEARCH_DEPTH } from "../spec/limits.ts";

/** Number and facets of the records that a condition finds. */
export interface Summary {
  /** Number of records. */
  readonly total: number;
  /** Their facets. */
  readonly facets: readonly Facet[];
}

/** Rows of a page, with their relevance. */
export interface FoundRows {
  /** Rows, in the order of the page. */
  readonly rows: readonly number[];
  /** Relevance of each; `null` for each under a sort. */
  readonly scores: readonly (number | null)[];
}

/** Which rows of a result, and in which order. */
export interface RowRange {
  /** Rows before. */
  readonly offset: number;
  /** Rows at most. */
  readonly limit: number;
  /** Sort; by relevance, then in the order of the archives, when absent. */
  readonly sort?: { readonly field: Field; readonly order: SortOrder };
}

/** Finds rows. */
export interface Finder {
  /** Counts, and takes facets. */
  summarise(node: QueryNode, signal?: AbortSignal): Promise<Summary>;
  /** Finds the rows of a page. */
  page(node: QueryNode, range: RowRange, signal?: AbortSignal): Promise<FoundRows>;
  /** Finds all rows, in the order of the archives. */
  rows(node: QueryNode, signal?: AbortSignal): Promise<Int32Array>;
}

/** Summaries that are remembered: who pages through a result, or comes back to it, asks the same again. */
const REMEMBERED = 128;

/** Makes a finder over an open database. `all` is the summary of every record. */
export function createFinder(database: FindDatabase, facetFields: readonly FacetField[], all: Summary): Finder {
  const remembered = new Map<string, Summary>();
  const codes = new Map(facetFields.map(({ index, values }) => [index, values]));
  const orders = new Map<string, Promise<readonly number[]>>();
  /** Gives the first rows of all records in an order: as far as paging reaches, since who sees one page sees another. */
  const firstRows = (field: Field, order: SortOrder): Promise<readonly number[]> => {
    const key = `${field.index} ${order}`;
    const known = orders.get(key);
    if (known !== undefined) return known;
    const rows = database.query(
      `SELECT row FROM ${TABLE} ORDER BY ${orderOf(field, order)} LIMIT ${MAX_SEARCH_DEPTH}`,
      [],
    ).then((result) => result.getRowsJS().map(([row]) => Number(row)));
    orders.set(key, rows);
    rows.catch(() => orders.delete(key));
    return rows;
  };
  return {
    async summarise(node, signal) {
      if (node.kind === "all") return all;
      const key = JSON.stringify(node);
      const known = remembered.get(key);
      if (known !== undefined) {
        remembered.delete(key);
        remembered.set(key, known);
        return known;
      }
      const { where, parameters } = compileQuery(node, { score: false, codes });
      const columns = ["count(*)", ...facetFields.map(({ index }) => `histogram(c${index})`)].join(", ");
      const result = await database.query(`SELECT ${columns} FROM ${TABLE} WHERE ${where}`, parameters, signal);
      const [count, ...histograms] = result.getRowsJS()[0];
      const summary = {
        total: Number(count),
        facets: facetFields.map((field, at) => facetOf(field, readHistogram(histograms[at]))),
      };
      // A key of a long filter would fill the memory with what is rarely asked again.
      if (key.length <= 10_000) remembered.set(key, summary);
      if (remembered.size > REMEMBERED) {
        for (const oldest of remembered.keys()) return remembered.delete(oldest), summary;
      }
      return summary;
    },
    async page(node, { offset, limit, sort }, signal) {
      if (node.kind === "all" && sort === undefined) {
        const rows = Array.from({ length: Math.max(0, Math.min(limit, all.total - offset)) }, (_, at) => offset + at);
        return { rows, scores: rows.map(() => 1) };
      }
      if (node.kind === "all" && sort !== undefined && offset + limit <= MAX_SEARCH_DEPTH) {
        const rows = (await unlessAborted(firstRows(sort.field, sort.order), signal)).slice(offset, offset + limit);
        return { rows, scores: rows.map(() => null) };
      }
      const { join, where, score, parameters } = compileQuery(node, { score: sort === undefined, codes });
      // A plain scan gives rows in their order, and ends with the page; a join may not.
      const isScan = join === "" && !where.includes("SELECT");
      const order = sort !== undefined
        ? ` ORDER BY ${orderOf(sort.field, sort.order)}`
        : score !== undefined
        ? " ORDER BY score DESC, row"
        : isScan
        ? ""
        : " ORDER BY row";
      const result = await database.query(
        `SELECT row, ${score ?? "1"} AS score FROM ${TABLE}${join} WHERE ${where}${order} ` +
          `LIMIT ${whole(limit)} OFFSET ${whole(offset)}`,
        parameters,
        signal,
      );
      const found = result.getRowsJS();
      return {
        rows: found.map(([row]) => Number(row)),
        scores: found.map(([_, score]) => sort === undefined ? Number(score) : null),
      };
    },
    async rows(node, signal) {
      const { where, parameters } = compileQuery(node, { score: false, codes });
      const result = await database.query(`SELECT row FROM ${TABLE} WHERE ${where} ORDER BY row`, parameters, signal);
      const rows = new Int32Array(result.currentRowCount);
      let at = 0;
      for (const row of result.getColumns()[0] ?? []) rows[at++] = Number(row);
      return rows;
    },
  };
}

/** Records without a value come last, equal ones in the order of the archives. */
function orderOf(field: Field, order: SortOrder): string {
  return `${sortExpression(field)} ${order === "desc" ? "DESC" : "ASC"} NULLS LAST, row`;
}

/** Waits for what others may wait for, too: a signal ends the waiting alone. */
async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  signal?.throwIfAborted();
  if (signal === undefined) return await work;
  const { promise, reject } = Promise.withResolvers<never>();
  const leave = () => reject(signal.reason);
  signal.addEventListener("abort", leave, { once: true });
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener("abort", leave);
  }
}

function readHistogram(map: unknown): [code: number, count: number][] {
  return Array.isArray(map) ? map.map(({ key, value }) => [Number(key), Number(value)]) : [];
}

/** Numbers that stand in the SQL itself are whole and not negative, whatever came. */
function whole(number: number): number {
  if (Number.isSafeInteger(number) && number >= 0) return number;
  throw new RangeError(`Cannot find a page: ${number} is no whole number of at least 0`);
}
