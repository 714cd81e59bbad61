/** Rows that could not be read, in words: how many, and the first of them with what is wrong. */
import { countOf } from "../../contract/count_of.ts";
import type { Problem } from "../../contract/ledger.ts";

/** How many rows a sentence names. */
const NAMED = 3;

/**
 * Describes which rows could not be read.
 *
 * @param problems Faults that were found; those whose row was kept are ignored.
 * @param what The rows; `2 rows` by default.
 */
export function describeUnread(
  count: number,
  problems: readonly Pick<Problem, "line" | "id" | "reason" | "kept">[],
  what = countOf(count, "row"),
): string {
  const named = problems.filter(({ kept, line, id }) => !kept && (line ?? id) !== undefined).slice(0, NAMED)
    .map(({ line, id, reason }) => `${line === undefined ? id : `line ${line}`} (${reason})`);
  if (named.length === 0) return `${what} could not be read`;
  const more = count > named.length ? ` and ${count - named.length} more` : "";
  return `${what} could not be read: ${named.join(", ")}${more}`;
}
