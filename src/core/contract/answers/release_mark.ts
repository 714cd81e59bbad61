/**
 * The mark of a registry's release: which state of its data an answer is of.
 *
 * The specification shows no header of an answer, so a registry may add one. UniProt (`X-UniProt-Release`) and LAPIS
 * (`Lapis-Data-Version`) state theirs in one, too.
 */
import { listSome } from "../ledger.ts";
import { type LedgerEntry, noteEntry } from "../ledger_entries.ts";

/** Name of the header field with the mark. */
export const RELEASE_HEADER = "registry-release";

/** A mark as it may stand in texts: without spaces, and short. */
const MARK = /^[\x21-\x7e]{1,128}$/;

/** Reads the mark of an answer; `undefined` if it has none, or one that is no mark. */
export function releaseOf(headers: Headers): string | undefined {
  const mark = headers.get(RELEASE_HEADER)?.trim() ?? "";
  return MARK.test(mark) ? mark : undefined;
}

/** Parts of one release that a text names. */
const NAMED_PARTS = 10;

/** The reason of a result whose parts are of several releases; nothing if they are of one. */
export function noteReleases(
  parts: ReadonlyMap<string, readonly string[]>,
  { what, next }: { readonly what: string; readonly next: string },
): LedgerEntry[] {
  if (parts.size < 2) return [];
  const words = Array.from(parts, ([mark, names]) => `${listSome(names, NAMED_PARTS)} of ${mark}`);
  const text = `${what} are of ${words.length} releases of the registry's data, which was replaced meanwhile: ` +
    `${words.join("; ")}: ${next}`;
  return [noteEntry("releases-mixed", text, { ids: [...parts.values()].slice(1).flat() })];
}
