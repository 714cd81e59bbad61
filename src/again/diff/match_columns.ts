/** Which columns of two versions of a table are the same, and what happened to the others. */
import { adviseName } from "@seqreg/core/options/nearest";
import { pairByWords, type RenamedColumn } from "./propose_renames.ts";

/** The columns of two versions of a table. */
export interface ColumnChanges {
  /** Only in the new version. */
  readonly added: readonly string[];
  /** Only in the old version. */
  readonly removed: readonly string[];
  /** Under another name: those that the caller named, and those that are proposed. */
  readonly renamed: readonly RenamedColumn[];
  /**
   * Those of `renamed` that are a proposal: their names have the same words, or their values are the same. Their cells
   * are not compared unless the caller accepts the proposal.
   */
  readonly proposed: readonly RenamedColumn[];
  /** In both versions, at another position among the columns that both have. */
  readonly moved: readonly string[];
}

/** Columns to compare, and the changes of columns. */
export interface MatchedColumns {
  /** Old and new name of each column to compare. */
  readonly compared: readonly RenamedColumn[];
  /** Names only in the old version, as far as the caller named no partner. */
  readonly gone: readonly string[];
  /** Names only in the new version, likewise. */
  readonly came: readonly string[];
  /** Columns that stand at another position. */
  readonly moved: readonly string[];
}

/**
 * Matches columns by name, and by the names that the caller gives.
 *
 * @param before Names in the old version, in order.
 * @param after Names in the new version, in order.
 * @param options `rename`: old name to new name; `fields`: names of either version to compare, all by default.
 * @throws {RangeError} If a name is not a column, or is the new name of two.
 */
export function matchColumns(
  before: readonly string[],
  after: readonly string[],
  { rename = {}, fields }: {
    readonly rename?: Readonly<Record<string, string>>;
    readonly fields?: readonly string[];
  } = {},
): MatchedColumns {
  for (const [from, to] of Object.entries(rename)) {
    requireColumn(from, before, "the old version");
    requireColumn(to, after, "the new version");
  }
  const twice = Object.values(rename).find((name, index, names) => names.indexOf(name) !== index);
  if (twice !== undefined) {
    throw new RangeError(`Cannot compare two columns of the old version with "${twice}": leave one of them out`);
  }
  const partner = (name: string) => Object.hasOwn(rename, name) ? rename[name] : name;
  const taken = new Set(Object.values(rename));
  const pairs = before.filter((name) => Object.hasOwn(rename, name) || (after.includes(name) && !taken.has(name)))
    .map((name): RenamedColumn => [name, partner(name)]);
  for (const field of fields ?? []) requireColumn(field, [...new Set([...before, ...after])], "either version");
  return {
    compared: fields === undefined ? pairs : pairs.filter((pair) => pair.some((name) => fields.includes(name))),
    gone: before.filter((name) => !pairs.some(([old]) => old === name)),
    came: after.filter((name) => !pairs.some(([, now]) => now === name)),
    moved: movedOf(pairs.map(([, now]) => after.indexOf(now))).map((index) => pairs[index][1]),
  };
}

/**
 * Completes the changes of columns by proposals: of names with the same words, then of equal values.
 *
 * @param matched What {@linkcode matchColumns} found.
 * @param alike Pairs with equal values.
 */
export function describeColumns(matched: MatchedColumns, alike: readonly RenamedColumn[]): ColumnChanges {
  const proposed = [...pairByWords(matched.gone, matched.came)];
  for (const pair of alike) {
    if (!proposed.some(([from, to]) => from === pair[0] || to === pair[1])) proposed.push(pair);
  }
  const accepted = matched.compared.filter(([from, to]) => from !== to);
  return {
    added: matched.came.filter((name) => !proposed.some(([, to]) => to === name)),
    removed: matched.gone.filter((name) => !proposed.some(([from]) => from === name)),
    renamed: [...accepted, ...proposed],
    proposed,
    moved: matched.moved,
  };
}

function requireColumn(name: string, columns: readonly string[], where: string): void {
  if (columns.includes(name)) return;
  throw new RangeError(
    `Cannot compare the column "${name}": ${where} has none of that name; ${adviseName(name, columns)}`,
  );
}

/** Indices of the numbers outside a longest increasing subsequence. */
function movedOf(positions: readonly number[]): number[] {
  const best: { readonly length: number; readonly before: number }[] = [];
  positions.forEach((position, index) => {
    let [length, before] = [1, -1];
    for (let other = 0; other < index; other++) {
      if (positions[other] < position && best[other].length + 1 > length) {
        [length, before] = [best[other].length + 1, other];
      }
    }
    best.push({ length, before });
  });
  const kept = new Set<number>();
  let last = best.reduce((found, { length }, index) => found === -1 || length > best[found].length ? index : found, -1);
  for (; last !== -1; last = best[last].before) kept.add(last);
  return positions.map((_, index) => index).filter((index) => !kept.has(index));
}
