/**
 * A search that cannot be exported, in parts that paging reaches, where probes prove that the parts are the whole.
 *
 * Toward any registry the parts are the values of one facet, each as a filter. What a filter means is not specified, so
 * nothing is believed: every part is asked for its total, and only when these sum to the whole's the parts are read.
 * The distinct accessions that come are counted in the end. On the embedded registry, whose grammar is ours, ranges of
 * accessions are parts too.
 */
import { formatAccession, isAccession } from "../../contract/accession.ts";
import { readFacets } from "../../contract/facets.ts";
import { fieldAlias } from "../../contract/fields/field_alias.ts";
import { listSome } from "../../contract/ledger.ts";
import { MAX_SEARCH_DEPTH } from "../../contract/limits.ts";
import type { Naming } from "../../contract/naming.ts";
import type { SearchFilter, SearchResponse } from "../../contract/search.ts";
import type { SearchCriteria } from "./search_criteria.ts";

/** What may divide a search: values of facets, or ranges of accessions too, which only the embedded registry knows. */
export type SplitBy = "facets" | "ranges";

/** One part of a search, within the depth of paging. */
export interface SearchPart {
  /** What is searched. */
  readonly criteria: SearchCriteria;
  /** Matching records, as the registry counts them. */
  readonly total: number;
}

/** Parts whose totals sum to that of the whole. */
export interface SearchSplit {
  /** What divides them, in words. */
  readonly by: string;
  readonly parts: readonly SearchPart[];
  /** Requests that it took to prove it. */
  readonly probes: number;
}

/** Asks for one record of a search: for its total and facets. */
export type Probe = (criteria: SearchCriteria) => Promise<SearchResponse>;

/** Probes at most: beyond these an archive is the better way. */
export const MAX_PROBES = 400;

/** Probes on their way at once. */
const PROBES_AT_ONCE = 3;

/** Values of one facet that are tried at most. */
const MAX_VALUES = 100;

/** Facets that are divided by one within the other at most. */
const MAX_DEPTH = 3;

/** Share of the depth of paging that a range is first meant to fill, so that few need a second cut. */
const RANGE_FILL = 0.8;

/**
 * Finds parts of a search that are provably the whole.
 *
 * @param whole What is searched, with the answer to its first page; its total is beyond paging.
 * @returns The parts, or the reason why a split is impossible.
 */
export async function splitSearch(
  whole: { readonly criteria: SearchCriteria; readonly answer: SearchResponse },
  probe: Probe,
  options: { readonly by: SplitBy; readonly naming: Naming },
): Promise<SearchSplit | { readonly reason: string }> {
  const splitter = new Splitter(probe, options.naming);
  try {
    const ranges = options.by === "ranges" ? await splitter.byRanges(whole.criteria, whole.answer.total) : undefined;
    return ranges ?? await splitter.byFacets(whole.criteria, whole.answer, 1) ?? { reason: splitter.reason };
  } catch (error) {
    if (error instanceof TooManyProbes) {
      return { reason: `more than ${MAX_PROBES} probes would be needed to divide it` };
    }
    throw error;
  }
}

class TooManyProbes extends Error {}

class Splitter {
  readonly #probe: Probe;
  readonly #naming: Naming;
  readonly #tried: string[] = [];
  #probes = 0;

  constructor(probe: Probe, naming: Naming) {
    this.#probe = probe;
    this.#naming = naming;
  }

  /** Why no facet divides the search. */
  get reason(): string {
    return this.#tried.length === 0
      ? "no facet divides it"
      : `no facet provably divides it (${listSome([...new Set(this.#tried)], 3)})`;
  }

  async byFacets(
    criteria: SearchCriteria,
    { total, facets }: SearchResponse,
    depth: number,
  ): Promise<SearchSplit | undefined> {
    if (depth > MAX_DEPTH) return undefined;
    const used = new Set(criteria.filter?.map(({ field }) => fieldAlias(field)));
    const usable = readFacets(facets).filter(({ field, values }) =>
      !used.has(fieldAlias(field)) && values.length > 1 && values.length <= MAX_VALUES
    );
    const largest = ({ values }: typeof usable[number]) => Math.max(...values.map(({ count }) => count));
    for (const { field, values } of usable.sort((a, b) => largest(a) - largest(b))) {
      const counted = values.reduce((sum, { count }) => sum + count, 0);
      if (counted !== total) {
        this.#tried.push(`${field}: its values hold ${counted} of ${total}`);
        continue;
      }
      const parts = values.map(({ value }) => withFilter(criteria, { field, value }));
      const answers = await this.#askAll(parts);
      const sum = answers.reduce((all, answer) => all + answer.total, 0);
      if (sum !== total) {
        this.#tried.push(`${field}: filters by its values give ${sum} of ${total}`);
        continue;
      }
      const split = await this.#refine(parts, answers, depth);
      if (split !== undefined) {
        const deeper = split.some((part) => (part.criteria.filter?.length ?? 0) > (criteria.filter?.length ?? 0) + 1);
        return { by: `${field}${deeper ? " and further facets" : ""}`, parts: split, probes: this.#probes };
      }
      this.#tried.push(`${field}: a value alone is beyond paging`);
    }
    return undefined;
  }

  /** Divides the parts that are still beyond paging. A total of exactly its depth may be where the registry stopped. */
  async #refine(
    parts: readonly SearchCriteria[],
    answers: readonly SearchResponse[],
    depth: number,
  ): Promise<SearchPart[] | undefined> {
    const found: SearchPart[] = [];
    for (const [index, criteria] of parts.entries()) {
      const answer = answers[index];
      if (answer.total < MAX_SEARCH_DEPTH) {
        if (answer.total > 0) found.push({ criteria, total: answer.total });
        continue;
      }
      const split = answer.total === MAX_SEARCH_DEPTH ? undefined : await this.byFacets(criteria, answer, depth + 1);
      if (split === undefined) return undefined;
      found.push(...split.parts);
    }
    return found;
  }

  /** Divides by ranges of accessions, which every record has, once. */
  async byRanges(criteria: SearchCriteria, total: number): Promise<SearchSplit | undefined> {
    const column = this.#naming.accessionAlias;
    const [first, last] = await this.#askAll([
      { ...criteria, sort: { column, order: "asc" } },
      { ...criteria, sort: { column, order: "desc" } },
    ]);
    const [low, high] = [this.#numberOf(first), this.#numberOf(last)];
    if (low === undefined || high === undefined || low > high) return undefined;
    const width = Math.max(1, Math.ceil((high - low + 1) / Math.ceil(total / (MAX_SEARCH_DEPTH * RANGE_FILL))));
    let open: [low: number, high: number][] = [];
    for (let start = low; start <= high; start += width) open.push([start, Math.min(high, start + width - 1)]);
    const parts: SearchPart[] = [];
    while (open.length > 0) {
      const within = open.map(([from, to]) => withRange(criteria, column, from, to));
      const answers = await this.#askAll(within);
      const next: typeof open = [];
      for (const [index, [from, to]] of open.entries()) {
        const count = answers[index].total;
        if (count < MAX_SEARCH_DEPTH) {
          if (count > 0) parts.push({ criteria: within[index], total: count });
        } else if (from === to) return undefined;
        else {
          const middle = Math.floor((from + to) / 2);
          next.push([from, middle], [middle + 1, to]);
        }
      }
      open = next;
    }
    const sum = parts.reduce((all, part) => all + part.total, 0);
    if (sum !== total) {
      this.#tried.push(`ranges of accessions hold ${sum} of ${total}`);
      return undefined;
    }
    return { by: "ranges of accessions", parts, probes: this.#probes };
  }

  #numberOf({ results }: SearchResponse): number | undefined {
    const accession = results[0]?.source[this.#naming.accessionField];
    return typeof accession === "string" && isAccession(accession) ? Number(accession.slice(2)) : undefined;
  }

  /** Asks for each, three at once, in order. */
  async #askAll(all: readonly SearchCriteria[]): Promise<SearchResponse[]> {
    this.#probes += all.length;
    if (this.#probes > MAX_PROBES) throw new TooManyProbes();
    const answers: SearchResponse[] = [];
    for (let start = 0; start < all.length; start += PROBES_AT_ONCE) {
      answers.push(...await Promise.all(all.slice(start, start + PROBES_AT_ONCE).map((each) => this.#probe(each))));
    }
    return answers;
  }
}

function withFilter(criteria: SearchCriteria, filter: SearchFilter): SearchCriteria {
  return { ...criteria, filter: [...criteria.filter ?? [], filter] };
}

function withRange(criteria: SearchCriteria, column: string, from: number, to: number): SearchCriteria {
  return { ...criteria, query: `${column}:[${formatAccession(from)} TO ${formatAccession(to)}]` };
}
