/** Pieces of statements. */
import { quotedName } from "./dialect.ts";

/** Column that holds a row's position in its table, from 0, where it is needed. */
export const POSITION = "seqreg: position";

export function select(items: readonly string[], from: string): string {
  return `SELECT ${items.join(", ")} FROM ${from}`;
}

/** A value under a name. */
export function as(sql: string, name: string): string {
  return `${sql} AS ${quotedName(name)}`;
}

/** Columns by their names; with the position, if that is asked for. */
export function named(names: Iterable<string>, withPosition = false): string[] {
  return [...names, ...withPosition ? [POSITION] : []].map(quotedName);
}
