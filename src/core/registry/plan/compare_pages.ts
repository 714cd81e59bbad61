/**
 * Pages of a search, compared with what the same requests bring at its end: where a registry does not mark the release
 * of its answers, this is how a change meanwhile is seen.
 *
 * It sees another total, records that no page had, and other values of the records of the pages that are compared. It
 * does not see a change of records of other pages alone.
 */
import { RegistryError } from "../../errors.ts";
import { isRecord } from "../../options/is_record.ts";
import { listSome } from "../../contract/ledger.ts";
import { type LedgerEntry, noteEntry } from "../../contract/ledger_entries.ts";
import { writeJson } from "../../contract/json/lossless_json.ts";
import type { SearchHit, SearchResponse } from "../../contract/search.ts";
import { isOpen } from "./page_reader.ts";

/** Pages, or else milliseconds, beyond which a search is long enough that its pages are compared. */
const SHORT_PAGES = 5;
const SHORT_MS = 5000;

export interface KeptPage {
  /** Its number, from 1. */
  readonly number: number;
  readonly body: SearchResponse;
}

export interface PageComparison {
  /** Requests a page once more. */
  readonly ask: (number: number) => Promise<SearchResponse>;
  readonly nameOf: (hit: SearchHit) => string;
  /** Whether a page of the search had the record of this name: one may move between pages of equal relevance. */
  readonly isKnown: (name: string) => boolean;
}

/**
 * Requests the first and the last page of a long search once more.
 *
 * @param pages The first page and the last: only the last shows how many pages there are.
 * @param begun Time at which the search began, as `performance.now()` returns it.
 * @returns The reason why the search is incomplete, if they differ; nothing of a short search.
 */
export async function compareEnds(
  pages: readonly KeptPage[],
  begun: number,
  { ask, nameOf, isKnown }: PageComparison,
): Promise<LedgerEntry[]> {
  const count = Math.max(...pages.map(({ number }) => number));
  if (count === 1 || count <= SHORT_PAGES && performance.now() - begun <= SHORT_MS) return [];
  const changes: string[] = [];
  try {
    for (const { number, body } of pages) {
      const again = await ask(number);
      const before = new Map(body.results.map((hit) => [nameOf(hit), textOf(hit.source)]));
      const names = again.results.map(nameOf);
      const fresh = names.filter((name) => !before.has(name) && !isKnown(name));
      const other = again.results.filter((hit) => (before.get(nameOf(hit)) ?? "") !== textOf(hit.source))
        .map(nameOf).filter((name) => before.has(name));
      if (!isOpen(again) && again.total !== body.total) {
        changes.push(`page ${number} states ${again.total} records, and ${body.total} before`);
      }
      if (fresh.length > 0) changes.push(`page ${number} has records that no page had: ${listSome(fresh, 5)}`);
      if (other.length > 0) changes.push(`page ${number} has other values of ${listSome(other, 5)}`);
    }
  } catch (error) {
    if (!(error instanceof RegistryError)) throw error;
    const text =
      `whether the registry's data changed meanwhile is unknown, since its pages could not be requested once ` +
      `more: ${error.message}`;
    return [noteEntry("releases-mixed", text, { level: "warning" })];
  }
  if (changes.length === 0) return [];
  const text =
    `the registry's data changed while pages were read: requested once more, ${changes.join("; ")}: request ` +
    "all again";
  return [noteEntry("releases-mixed", text, { count: changes.length })];
}

/** A value as JSON whose objects have their keys in one order: that of an answer may be another each time. */
function textOf(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(textOf).join(",")}]`;
  if (!isRecord(value)) return writeJson(value);
  return `{${Object.keys(value).sort().map((key) => `${writeJson(key)}:${textOf(value[key])}`).join(",")}}`;
}
