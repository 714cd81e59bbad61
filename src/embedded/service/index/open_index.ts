/** Opens a finished index. */
import type { QueryNode } from "@seqreg/core/query";
import { compileQuery } from "./find/compile.ts";
import { contextOf } from "./find/find_context.ts";
import { IndexFiles } from "./find/index_files.ts";
import { findBest } from "./find/relevance.ts";
import { rowBatches } from "./find/row_batches.ts";
import { findSorted } from "./find/sorted_rows.ts";
import { FacetCounter, knownSummary } from "./find/summary.ts";
import type { Finder, FoundPage, FoundRows, OpenIndexOptions, RowRange, Summary } from "./format/types.ts";

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

  constructor(files: IndexFiles, options: OpenIndexOptions) {
    this.#files = files;
    this.#options = options;
  }

  async find(node: QueryNode, { offset, limit, sort }: RowRange, signal?: AbortSignal): Promise<FoundPage> {
    signal?.throwIfAborted();
    const { condition, scoring } = await compileQuery(contextOf(this.#files, this.#options, signal), node);
    // A first slice of its own: what takes less waits for nobody.
    const context = contextOf(this.#files, this.#options, signal);
    const key = JSON.stringify(node, (_, value: unknown) => typeof value === "bigint" ? `${value}n` : value);
    const known = this.#remembered.get(key) ?? await knownSummary(context, condition);
    const counter = known === undefined ? new FacetCounter(this.#files) : undefined;
    const part = { offset, limit, counter };
    const found = sort === undefined
      ? await findBest(context, condition, { ...part, matches: await scoring() })
      : unrated(await findSorted(context, condition, { ...part, field: sort.field.index, order: sort.order }));
    const summary = known ?? counter!.summary();
    this.#remember(key, summary);
    return { ...summary, ...found };
  }

  async *rows(node: QueryNode, signal?: AbortSignal): AsyncGenerator<Uint32Array> {
    signal?.throwIfAborted();
    const context = contextOf(this.#files, this.#options, signal);
    const { condition } = await compileQuery(context, node);
    yield* rowBatches(context, condition);
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.#files[Symbol.dispose]();
    return Promise.resolve();
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

/** Rows without relevance. */
function unrated(rows: readonly number[]): FoundRows {
  return { rows, scores: rows.map(() => null) };
}
