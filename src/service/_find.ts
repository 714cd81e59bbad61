/** Finds rows: the total, facets, pages and whole results of a condition. */
import type { Facet } from "../spec/facets.ts";
import { sortExpression, TABLE, VOCABULARY_TABLE, WORD_TABLE } from "./_columns.ts";
import type { FindDatabase } from "./_duckdb.ts";
import { type FacetField, facetOf } from "./_facet_fields.ts";
import { createFacetPairs } from "./_facet_pairs.ts";
import type { Field } from "./_fields.ts";
import { type AccessionRows, type CompiledQuery, compileQuery, holdingCodes, joinedWords } from "./_query_sql.ts";
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

/** What a finder knows beforehand. */
export interface FinderOptions {
  /** Fields with facets. */
  readonly facetFields: readonly FacetField[];
  /** Finds records by their accession. */
  readonly accessions: AccessionRows;
  /** Summary of every record. */
  readonly all: Summary;
}

/** Makes a finder over an open database. */
export function createFinder(
  database: FindDatabase,
  { facetFields, accessions, all }: FinderOptions,
): Finder {
  const remembered = new Map<string, Summary>();
  const codes = new Map(facetFields.map(({ index, values }) => [index, values]));
  const pairs = createFacetPairs(database, facetFields);
  /** Compiles a query; how rare words are is asked first where it matters. */
  const compile = async (node: QueryNode, score: boolean, signal: AbortSignal | undefined): Promise<CompiledQuery> => {
    const words = joinedWords(node);
    const found = words.length === 0 ? [] : (await database.query(
      `SELECT word, rows FROM ${VOCABULARY_TABLE} WHERE word IN (${words.map((_, at) => `$${at + 1}`).join(", ")})`,
      words,
      signal,
    )).getRowsJS();
    const wordRows = new Map(found.map(([word, rows]) => [String(word), Number(rows)]));
    return compileQuery(node, { score, codes, accessions, wordRows });
  };
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
      const values = "field" in node ? codes.get(node.field) : undefined;
      if ("field" in node && values !== undefined) {
        const summary = pairs.summarise(node.field, holdingCodes(node, values));
        if (summary !== undefined) return summary;
      }
      const { where, parameters } = await compile(node, false, signal);
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
      const { where, score, scoringWords, parameters } = await compile(node, sort === undefined, signal);
      const part = `LIMIT ${whole(limit)} OFFSET ${whole(offset)}`;
      // A plain scan gives rows in their order, and ends with the page; a join may not.
      const order = sort !== undefined
        ? `ORDER BY ${orderOf(sort.field, sort.order)}`
        : score !== undefined
        ? "ORDER BY score DESC, row"
        : where.includes("SELECT")
        ? "ORDER BY row"
        : "";
      const plain = `SELECT row, ${score ?? "1"} AS score FROM ${TABLE} WHERE ${where}`;
      // Hits are looked up for the records that were found, and no others.
      const sql = scoringWords === undefined
        ? `${plain} ${order} ${part}`
        : `WITH found AS MATERIALIZED (${plain}), hit AS (
             SELECT row, sum(hits) AS hits FROM ${WORD_TABLE}
             WHERE ${scoringWords} AND row IN (SELECT row FROM found) GROUP BY row
           ) SELECT found.row, score + coalesce(hits, 0) AS score FROM found LEFT JOIN hit ON hit.row = found.row
           ORDER BY score DESC, found.row ${part}`;
      const result = await database.query(sql, parameters, signal);
      const found = result.getRowsJS();
      return {
        rows: found.map(([row]) => Number(row)),
        scores: found.map(([_, score]) => sort === undefined ? Number(score) : null),
      };
    },
    async rows(node, signal) {
      const { where, parameters } = await compile(node, false, signal);
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
