/** Entries of the ledger of a search for all records. */
import { countOf } from "../../contract/count_of.ts";
import { MAX_SEARCH_DEPTH } from "../../contract/limits.ts";
import { type LedgerEntry, noteEntry } from "../../contract/ledger_entries.ts";
import type { RepeatedPages } from "../plan/repeated_pages.ts";

/** The warnings of a search whose rest came by an export, as far as pages and export differ. */
export function noteExported(
  { beyond, paged, pagedAgain, depth = MAX_SEARCH_DEPTH }: {
    /** Records that only the export has. */
    readonly beyond: number;
    readonly paged: number;
    /** Those of them that the export has too. */
    readonly pagedAgain: number;
    /** The record where paging ended; 10,000 by default. */
    readonly depth?: number;
  },
): LedgerEntry[] {
  const entries: LedgerEntry[] = [];
  if (beyond > 0) {
    const text =
      `${countOf(beyond, "record")} beyond the first ${depth} came by an export: without id and score, and in the ` +
      "registry's order";
    entries.push(noteEntry("joined-from-export", text, { count: beyond }));
  }
  const count = paged - pagedAgain;
  if (count > 0) {
    const some = `${countOf(count, "record")} of the pages ${count === 1 ? "is" : "are"}`;
    const text = `${some} not in the export: the registry's data or its count changed meanwhile`;
    entries.push(noteEntry("changed-meanwhile", text, { count }));
  }
  return entries;
}

/** The reason of a search without an exact total whose pages end before the least that it stated. */
export function noteEarlyEnd(least: number, proved: number): LedgerEntry {
  const text = `the registry counts at least ${countOf(least, "record")} and its pages end after ${proved}`;
  return noteEntry("fewer-than-promised", text, { count: least - proved });
}

/** The warning of a search whose rest came in parts. */
export function noteParts(beyond: number, parts: number, depth: number): LedgerEntry[] {
  if (beyond === 0) return [];
  const text = `${countOf(beyond, "record")} beyond the first ${depth} came in ${countOf(parts, "part")}: after the ` +
    "others, in the order of their part";
  return [noteEntry("joined-from-parts", text, { count: beyond })];
}

/** The reason of a search that brought fewer distinct records than match: pages that repeat, if there were any. */
export function noteFewer(total: number, unique: number, repeats: RepeatedPages): LedgerEntry {
  const isRepeated = repeats.count > 0;
  const advice = unique === 0
    ? "search again later, then report it to the registry"
    : "search again, sorted by a field";
  const why = isRepeated ? repeats.describe() : advice;
  const match = `${countOf(total, "record")} ${total === 1 ? "matches" : "match"}`;
  const text = `${match} and ${unique} distinct ones came; ${why}`;
  return noteEntry(isRepeated ? "pages-repeated" : "fewer-than-promised", text, { count: total - unique });
}
