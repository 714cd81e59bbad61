/** Opens a finished index. */
import type { QueryNode } from "@seqreg/core/query";
import { type CompiledQuery, compileQuery } from "./find/compile.ts";
import { contextOf } from "./find/find_context.ts";
import { IndexFiles } from "./find/index_files.ts";
import { findBest } from "./find/relevance.ts";
import { rowBatches } from "./find/row_batches.ts";
import { findSorted } from "./find/sorted_rows.ts";
import { summarise } from "./find/summary.ts";
import type { Finder, FoundRows, OpenIndexOptions, RowRange, Summary } from "./format/types.ts";

/** Bytes of files that are kept in memory. */
const CACHE_BYTES = 128 << 20;
/** Cached summaries: paging through a result, or returning to it, asks for the same one again. */
const REMEMBERED = 128;
/** Characters of a query's tree above which it is not remembered. */
const LONGEST_REMEMBERED = 10_000;

/**
 * Opens the index that stands in a folder; its files are whole, as the import's manifest says.
 *
 * @throws {RegistryError} With code `disk` if the index is of another version.
 */
export function openIndex(folder: string, options: OpenIndexOptions): Finder {
  const files = IndexFiles.open(folder, options.fields, options.cacheBytes ?? CACHE_BYTES);
  return new IndexFinder(files, options);
}

class IndexFinder implements Finder {
  readonly #files: IndexFiles;
  readonly #options: OpenIndexOptions;
  readonly #remembered = new Map<string, Summary>();
  /** What a query was compiled to, for the other question that is asked about it at the same time. */
  readonly #compiled = new WeakMap<QueryNode, Promise<CompiledQuery>>();

  constructor(files: IndexFiles, options: OpenIndexOptions) {
    this.#files = files;
    this.#options = options;
  }

  async summarise(node: QueryNode, signal?: AbortSignal): Promise<Summary> {
    signal?.throwIfAborted();
    const { facets, recordCount } = this.#files.manifest;
    if (node.kind === "all") return { total: recordCount, facets };
    const key = JSON.stringify(node, (_, value: unknown) => typeof value === "bigint" ? `${value}n` : value);
    const known = this.#remembered.get(key);
    if (known !== undefined) {
      this.#remember(key, known);
      return known;
    }
    const { condition } = await this.#compile(node, signal);
    const summary = await summarise(contextOf(this.#files, this.#options, signal), condition);
    this.#remember(key, summary);
    return summary;
  }

  async page(node: QueryNode, { offset, limit, sort }: RowRange, signal?: AbortSignal): Promise<FoundRows> {
    signal?.throwIfAborted();
    const { condition, scoring } = await this.#compile(node, signal);
    const context = contextOf(this.#files, this.#options, signal);
    if (sort === undefined) {
      return await findBest(context, condition, { matches: await scoring(context), offset, limit });
    }
    const range = { field: sort.field.index, order: sort.order, offset, limit };
    const rows = await findSorted(context, condition, range);
    return { rows, scores: rows.map(() => null) };
  }

  async *rows(node: QueryNode, signal?: AbortSignal): AsyncGenerator<Uint32Array> {
    signal?.throwIfAborted();
    const { condition } = await this.#compile(node, signal);
    yield* rowBatches(contextOf(this.#files, this.#options, signal), condition);
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.#files[Symbol.dispose]();
    return Promise.resolve();
  }

  #compile(node: QueryNode, signal: AbortSignal | undefined): Promise<CompiledQuery> {
    const known = this.#compiled.get(node);
    if (known !== undefined) return known;
    const compiled = compileQuery(contextOf(this.#files, this.#options, signal), node);
    this.#compiled.set(node, compiled);
    // A query that was given up may be asked again.
    compiled.catch(() => this.#compiled.delete(node));
    return compiled;
  }

  #remember(key: string, summary: Summary): void {
    if (key.length > LONGEST_REMEMBERED) return;
    this.#remembered.delete(key);
    this.#remembered.set(key, summary);
    if (this.#remembered.size <= REMEMBERED) return;
    for (const oldest of this.#remembered.keys()) {
      this.#remembered.delete(oldest);
      return;
    }
  }
}
