/** Values of a lake's fields, as a person completes them in a query. */
import { fieldAlias } from "../../../contract/fields/field_alias.ts";
import { loadPolars } from "../../types/polars.ts";
import type { Lake } from "./lake.ts";
import { exactColumn, membersOf } from "../../../engine/frames/frame_members.ts";

/** Rows that are read: a completion has a second. */
const MOST_ROWS = 200_000;

/** Values of a field, the most frequent ones. */
const MOST_VALUES = 1000;

/**
 * Lists the values that fields of the main table have in its first 200,000 rows, the most frequent first, at most 1,000
 * of each. Left out are the accession, sequences, and what is not text.
 *
 * @returns Values by the name of their field in queries.
 */
export async function lakeValues(lake: Pick<Lake, "tables" | "main" | "scan">): Promise<Map<string, Set<string>>> {
  const pl = await loadPolars();
  const { columns, idField } = lake.tables.get(lake.main)!;
  const texts = columns.filter(({ name, dtype }) => dtype === "String" && name !== idField && name !== "sequence");
  const values = new Map<string, Set<string>>();
  if (texts.length === 0) return values;
  const wanted = texts.map(({ name }) => exactColumn(pl, name));
  const rows = membersOf(await lake.scan().select(...wanted).limit(MOST_ROWS).collect());
  for (const [index, { name }] of texts.entries()) {
    const column = wanted[index];
    const counted = rows.lazy().filter(column.isNotNull()).groupBy(column).agg(pl.len().alias("\0count"))
      .sort([pl.col("\0count"), column], [true, false]).limit(MOST_VALUES).collectSync();
    values.set(fieldAlias(name), new Set(membersOf(counted).getColumn(name).toArray().map(String)));
  }
  return values;
}
