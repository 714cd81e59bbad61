/** Distinguishes a truncated index from a complete one, by what follows the last sequence that it lists. */
import { endOf } from "./fasta_index_entry.ts";
import { firstFieldsLine, idOf } from "./_file_head.ts";
import type { IndexLookup } from "./_index_lines.ts";
import { GREATER } from "../text/bases.ts";
import type { SyncReads } from "../bgzf/random_bytes.ts";

/** Bytes behind the last sequence that are looked at first: mostly the file ends within them. */
const NEAR_BYTES = 64;
/** Maximum bytes that are examined, since the text after the last indexed record may be long. */
const MAX_BYTES = 1 << 20;

/**
 * Whether an index lists what follows the last sequence that it lists, as far as it could: no index holds a record
 * without a sequence, one whose id came before, or one with a tab in its id.
 */
export function listsEnd(table: IndexLookup, bytes: SyncReads): boolean {
  const last = table.last();
  const start = last === undefined ? 0 : endOf(last);
  const near = bytes.read(start, start + NEAR_BYTES);
  if (near.length < NEAR_BYTES && !near.includes(GREATER)) return true;
  const lines = new TextDecoder().decode(bytes.read(start, start + MAX_BYTES)).split("\n");
  const kind = firstFieldsLine(bytes) === undefined ? "plain" : "registry";
  let id: string | undefined;
  // The first line is the rest of a line of the sequence, if it has one.
  for (const line of last === undefined ? lines : lines.slice(1)) {
    if (line.startsWith(">")) id = idOf(line.slice(1), kind);
    else if (id !== undefined && hasBases(line) && !id.includes("\t") && !table.has(id)) return false;
  }
  return true;
}

/** Whether a line other than a header is bases rather than a comment. */
function hasBases(line: string): boolean {
  return !line.startsWith(";") && /[!-~]/.test(line);
}
