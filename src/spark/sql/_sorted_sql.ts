/** The first rows of a sort: which they are must not depend on the engine. */
import { as, named, select } from "./_clauses.ts";
import { quotedName } from "./dialect.ts";

interface SortedRows {
  /** What they are selected from. */
  readonly from: string;
  readonly names: readonly string[];
  readonly order: readonly { readonly value: string; readonly direction: string }[];
  /** All columns that have an order, each with it. */
  readonly rest: readonly string[];
}

const [PLACE, TIES] = ["seqreg: place", "seqreg: ties"];

/** The message of a statement that fails because the rows at the limit have the same keys. */
const MESSAGE =
  "rows that differ have the same sort keys at the limit: which of them come first is not defined; sort by " +
  "more columns, such as the accession";

/**
 * SQL of the rows from an index on. If rows that are not equal may have the same keys, one row more is read on either
 * side, and the statement fails if the rows at a border do.
 */
export function firstOfSorted(
  { from: rows, names, order, rest }: SortedRows,
  { from, count, hasTies, fail }: {
    readonly from: number;
    readonly count: number;
    readonly hasTies: boolean;
    readonly fail: (message: string) => string;
  },
): string {
  const by = [...order.map(({ value, direction }) => value + direction), ...rest].join(", ");
  if (!hasTies) {
    return `${select(named(names), rows)} ORDER BY ${by} LIMIT ${count}${from === 0 ? "" : ` OFFSET ${from}`}`;
  }
  const keys = order.map(({ value, direction }, at) => ({ name: `seqreg: key ${at}`, value, direction }));
  const items = [...named(names), ...keys.map(({ name, value }) => as(value, name))];
  const read = `(${select(items, rows)} ORDER BY ${by} LIMIT ${from + count + 1}) AS sorted`;
  const window = `(ORDER BY ${
    [...keys.map(({ name, direction }) => quotedName(name) + direction), ...rest].join(", ")
  })`;
  const isSame = (name: string) => {
    const column = quotedName(name);
    return `${column} IS NOT DISTINCT FROM lead(${column}) OVER ${window}`;
  };
  const sameKeys = keys.map(({ name }) => isSame(name)).join(" AND ");
  const sameRow = names.map(isSame).join(" AND ");
  const ties = `(lead(1) OVER ${window} IS NOT NULL AND ${sameKeys} AND NOT (${sameRow}))`;
  const place = quotedName(PLACE);
  const numbered = select([...named(names), as(`row_number() OVER ${window}`, PLACE), as(ties, TIES)], read);
  return `${select(named(names), `(${numbered}) AS numbered`)} WHERE CASE WHEN ${quotedName(TIES)} AND ` +
    `${place} IN (${from}, ${from + count}) THEN ${fail(MESSAGE)} ELSE ${place} > ${from} AND ` +
    `${place} <= ${from + count} END ORDER BY ${place}`;
}
