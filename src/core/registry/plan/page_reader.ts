/**
 * Pages of a search, however few results a registry gives at once.
 *
 * A page that is refused for its size, or comes shorter than it must be, is asked for again in smaller ones that cover
 * it, up to one that holds nothing new; a refused page that crosses record 10,000 in ones that end there, and none of
 * these crosses it. Nothing else that was refused is asked again.
 */
import { InvalidRequestError, type RegistryClient, type SearchAnswer, StatusError } from "../../client/mod.ts";
import { DEFAULT_PAGE_NUMBER, DEFAULT_PAGE_SIZE, MAX_SEARCH_DEPTH } from "../../contract/limits.ts";
import type { LedgerEntry } from "../../contract/ledger_entries.ts";
import type { SearchHit, SearchResponse } from "../../contract/search.ts";
import { limitsOf } from "./learned_limits.ts";
import { RepeatedPages } from "./repeated_pages.ts";
import { notePartial, noteTotal, type SearchCriteria, searchRequest } from "./search_criteria.ts";

export interface AskedPage {
  /** Results in it; the registry's default when absent. */
  readonly pageSize?: number;
  /** Its number, from 1. */
  readonly pageNumber?: number;
}

export interface PageOptions {
  /** Whether only the first of several smaller pages is asked for, whose bytes are the registry's; false by default. */
  readonly firstOnly?: boolean;
  /** Name of a record, to tell whether smaller pages repeat it. */
  readonly nameOf: (hit: SearchHit) => string;
  /**
   * Whether no page crosses record 10,000, where paging ends: smaller ones that end there cover it. By default such a
   * page is requested as it stands first.
   */
  readonly endsAtDepth?: boolean;
  /** Whether the page was read before, and is compared with what came then; false by default. */
  readonly again?: boolean;
  /** Ends the work with the signal's reason. */
  readonly signal?: AbortSignal;
}

export interface PageAnswer {
  /** The page: the first answer's body, with the results of all. */
  readonly body: SearchResponse;
  /** The answers in order; one, unless smaller pages cover the one asked for. */
  readonly answers: readonly SearchAnswer[];
  /** Results in each page that was asked for. */
  readonly pageSize: number;
  /** Whether fewer were asked for at once than the caller wants, because the registry takes no more. */
  readonly isReduced: boolean;
  /** What the smaller pages show: repeated records, totals that differ, a later answer that is partial. */
  readonly entries: readonly LedgerEntry[];
}

/** The span of records that a page covers, from 0. */
interface Span {
  readonly offset: number;
  readonly end: number;
}

/** Reads one page. Throws as the client does, for what a smaller request cannot mend. */
export async function readPage(
  client: RegistryClient,
  criteria: SearchCriteria,
  page: AskedPage,
  options: PageOptions,
): Promise<PageAnswer> {
  const limits = limitsOf(client);
  const size = page.pageSize ?? DEFAULT_PAGE_SIZE;
  const offset = ((page.pageNumber ?? DEFAULT_PAGE_NUMBER) - 1) * size;
  const crosses = offset < MAX_SEARCH_DEPTH && offset + size > MAX_SEARCH_DEPTH;
  let step = limits.within("pageSize", size);
  let cut = crosses && (limits.refusesCrossing || options.endsAtDepth === true);
  let isRefused = false;
  while (step === size && !cut) {
    try {
      const answer = await ask(client, criteria, page, options);
      const short = shortBy(answer.body, { offset, end: offset + size });
      if (short === 0 || answer.body.results.length === 0) {
        return { body: answer.body, answers: [answer], pageSize: size, isReduced: false, entries: [] };
      }
      return await refill({ client, criteria, answer, span: { offset, end: offset + size } }, size, options);
    } catch (error) {
      if (crosses && mayBeAboutDepth(error)) {
        cut = isRefused = true;
        break;
      }
      step = limits.learnFrom(error, "pageSize", step, ["pageSize"]) ?? rethrow(error);
    }
  }
  const span = { offset, end: cut ? MAX_SEARCH_DEPTH : offset + size };
  for (;;) {
    // The first of the smaller pages stands for the whole: it has to begin where that does.
    const ends = [...cut || crossesDepth(span, step) ? [MAX_SEARCH_DEPTH] : [], ...options.firstOnly ? [offset] : []];
    step = sizeThatMeets(ends, step);
    try {
      const covered = await cover({ client, criteria, span }, step, options);
      if (isRefused) limits.learnCrossing();
      return covered;
    } catch (error) {
      step = limits.learnFrom(error, "pageSize", step, ["pageSize"]) ?? rethrow(error);
    }
  }
}

/** A page that came shorter than it must be: its length is the limit, if smaller pages bring what it lacks. */
async function refill(
  { client, criteria, answer, span }: {
    readonly client: RegistryClient;
    readonly criteria: SearchCriteria;
    readonly answer: SearchAnswer;
    readonly span: Span;
  },
  size: number,
  options: PageOptions,
): Promise<PageAnswer> {
  const asCame = { body: answer.body, answers: [answer], pageSize: size, isReduced: false, entries: [] };
  const step = answer.body.results.length;
  const first = span.offset === 0 ? answer : undefined;
  if (options.firstOnly && first !== undefined) {
    limitsOf(client).learn("pageSize", step);
    return { ...asCame, pageSize: step };
  }
  const covered = await cover({ client, criteria, span, first }, step, options);
  const distinct = new Set(covered.body.results.map(options.nameOf)).size;
  if (distinct < covered.body.results.length || distinct <= step) return asCame;
  limitsOf(client).learn("pageSize", step);
  return covered;
}

/** Covers a span by pages of a smaller size. */
async function cover(
  { client, criteria, span, first }: {
    readonly client: RegistryClient;
    readonly criteria: SearchCriteria;
    readonly span: Span;
    readonly first?: SearchAnswer;
  },
  step: number,
  options: PageOptions,
): Promise<PageAnswer> {
  const { firstOnly = false, nameOf } = options;
  const answers: SearchAnswer[] = [];
  const results: SearchHit[] = [];
  const repeats = new RepeatedPages();
  const known = new Set<string>();
  for (let start = span.offset - span.offset % step; start < span.end; start += step) {
    const isFirst = answers.length === 0;
    const page = { pageSize: step, pageNumber: start / step + 1 };
    const answer = isFirst && first !== undefined ? first : await ask(client, criteria, page, options);
    answers.push(answer);
    const names = answer.body.results.map(nameOf);
    repeats.add(names, known);
    if (repeats.count > 0) break;
    for (const name of names) known.add(name);
    const own = answer.body.results.slice(Math.max(0, span.offset - start), span.end - start);
    for (const hit of own) results.push(hit);
    if (firstOnly || answer.body.results.length < step) break;
    if (!isOpen(answer.body) && start + step >= answer.body.total) break;
  }
  const { body } = answers[0];
  const differing = differences(answers.map(({ body }) => body), Math.floor(span.offset / step) + 1);
  const entries = [...repeats.count > 0 ? [repeats.end()] : [], ...differing];
  return { body: firstOnly ? body : { ...body, results }, answers, pageSize: step, isReduced: true, entries };
}

/** What the answers after the first state otherwise than that: another total, that they are partial. */
function differences([first, ...others]: readonly SearchResponse[], pageNumber: number): LedgerEntry[] {
  const changed = others.findIndex((body) => !isOpen(first) && !isOpen(body) && body.total !== first.total);
  const partial = notePartial(first).length === 0 ? others.flatMap(notePartial).slice(0, 1) : [];
  return changed === -1
    ? partial
    : [noteTotal(first.total, others[changed].total, pageNumber + changed + 1), ...partial];
}

/** Whether a registry does not say how many match: a lower bound, or 0 though records came. */
export function isOpen({ total, totalIsLowerBound = false, results }: SearchResponse): boolean {
  return totalIsLowerBound || total === 0 && results.length > 0;
}

/** How many records a page lacks, of those that its total says it must hold. */
function shortBy(body: SearchResponse, { offset, end }: Span): number {
  const reachable = Math.min(body.total, MAX_SEARCH_DEPTH, end);
  return Math.max(0, reachable - offset - body.results.length);
}

/** Whether the last of the pages of this size that cover a span crosses record 10,000, which the span does not. */
function crossesDepth({ end }: Span, size: number): boolean {
  return end <= MAX_SEARCH_DEPTH && Math.ceil(end / size) * size > MAX_SEARCH_DEPTH;
}

/** The greatest size, at most this one, of which a page ends at each of these records. */
function sizeThatMeets(ends: readonly number[], most: number): number {
  let size = Math.min(most, ...ends.filter((end) => end > 0));
  while (ends.some((end) => end % size !== 0)) size--;
  return size;
}

/** Statuses of those that refuse a page for where it lies; others, such as 429, are about the time of the request. */
const TOO_DEEP_STATUSES = [400, 413, 416, 422, 500];

/** Words of those that refuse a page that lies too deep. */
const TOO_DEEP = /window|too (large|deep|far)|from \+ size|beyond|exceed|depth|offset/i;

/** Whether a page was refused for where it lies, though pages before it were answered. */
export function isBeyondPaging(error: unknown): boolean {
  return mayBeAboutDepth(error) ||
    error instanceof StatusError && TOO_DEEP_STATUSES.includes(error.status) && TOO_DEEP.test(error.detail);
}

/** Whether a refusal may be about where a page ends: it names the page, or nothing at all. */
function mayBeAboutDepth(error: unknown): boolean {
  if (!(error instanceof InvalidRequestError)) return false;
  const keys = error.issues.map(({ loc }) => String(loc.at(-1)));
  return keys.every((key) => ["pageSize", "pageNumber", "body"].includes(key));
}

async function ask(
  client: RegistryClient,
  criteria: SearchCriteria,
  page: AskedPage,
  { signal, again }: PageOptions,
): Promise<SearchAnswer> {
  return await client.search(searchRequest(criteria, page), { signal, again });
}

function rethrow(error: unknown): never {
  throw error;
}
