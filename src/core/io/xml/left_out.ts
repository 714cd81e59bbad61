/** How the embedded registry tells that an XML export lacks characters of its values. */
import { countOf } from "../../contract/count_of.ts";
import { type LedgerEntry, noteEntry } from "../../contract/ledger_entries.ts";

/** Characters at the end of an export among which the notice stands. */
export const LEFT_OUT_TAIL = 256;

/**
 * Writes a comment that says how many characters of values were left out, since XML 1.0 cannot hold them.
 * It stands before the end tag of the root, and every reader of XML passes over it.
 *
 * @see Not shown in the specification: chosen because an XML document has nothing else that changes no data.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { leftOutNotice, noteLeftOut } from "./left_out.ts";
 *
 * assertEquals(leftOutNotice(0), "");
 * assertEquals(
 *   noteLeftOut(`<records>${leftOutNotice(2)}</records>\n`)?.text,
 *   "the XML lacks 2 characters of its values, such as NUL, which XML 1.0 cannot hold; a CSV has them",
 * );
 * ```
 */
export function leftOutNotice(count: number): string {
  return count === 0 ? "" : `<!-- seqreg-left-out ${count} -->\n`;
}

/** Makes the warning of the notice at the end of an XML export; `undefined` without a notice. */
export function noteLeftOut(tail: string): LedgerEntry | undefined {
  const count = /<!-- seqreg-left-out ([1-9][0-9]{0,14}) -->\s*<\/[^<>]+>\s*$/.exec(tail)?.[1];
  if (count === undefined) return undefined;
  const characters = countOf(Number(count), "character");
  const text = `the XML lacks ${characters} of its values, such as NUL, which XML 1.0 cannot hold; a CSV has them`;
  return noteEntry("characters-left-out", text, { count: Number(count) });
}
