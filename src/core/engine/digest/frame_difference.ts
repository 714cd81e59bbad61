/** In what two frames differ, in words. */
import type { DataFrame } from "nodejs-polars";
import { quoteValue } from "../../contract/ledger.ts";
import { canonicalRows } from "./frame_digest.ts";
import { membersOf } from "../frames/frame_members.ts";

const QUOTED_ROWS = 3;

/** Describes how two frames differ; `undefined` if both hold the same values in the same order. */
export async function describeDifference(
  one: { readonly name: string; readonly frame: DataFrame },
  other: { readonly name: string; readonly frame: DataFrame },
): Promise<string | undefined> {
  const [a, b] = [membersOf(one.frame), membersOf(other.frame)];
  if (JSON.stringify(a.columns) !== JSON.stringify(b.columns)) {
    return `columns ${a.columns.join(", ")} on ${one.name}, ${b.columns.join(", ")} on ${other.name}`;
  }
  const [rows, others] = [await canonicalRows(a), await canonicalRows(b)];
  const differing = Array.from({ length: Math.max(rows.length, others.length) }, (_, row) => row)
    .filter((row) => rows[row] !== others[row]);
  if (differing.length === 0) return undefined;
  const quoted = differing.slice(0, QUOTED_ROWS).map((row) =>
    `row ${row + 1}: ${quoteValue(rows[row] ?? "none")} on ${one.name}, ${
      quoteValue(others[row] ?? "none")
    } on ${other.name}`
  );
  return `${rows.length} rows on ${one.name}, ${others.length} on ${other.name}, of which ${differing.length} differ; ${
    quoted.join("; ")
  }`;
}
