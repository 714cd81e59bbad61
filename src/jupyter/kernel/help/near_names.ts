/** Names that were probably meant. */

/** Shortest name that is near another: of one or two characters each is one edit from many. */
const LEAST = 3;

/**
 * Finds the name that was probably meant: one that takes few edits of single characters to reach.
 *
 * @returns The nearest name; `undefined` if none is near.
 */
export function nearName(word: string, names: readonly string[]): string | undefined {
  if (word.length < LEAST) return undefined;
  const most = Math.ceil(Math.min(word.length, 40) / 4);
  let found: string | undefined;
  let least = most + 1;
  for (const name of names) {
    if (name === word || name.length < LEAST || Math.abs(name.length - word.length) > most) continue;
    const edits = editsBetween(word.toLowerCase(), name.toLowerCase());
    if (edits < least) [found, least] = [name, edits];
  }
  return found;
}

/** Insertions, deletions, substitutions and swaps of neighbours. */
function editsBetween(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, index) => index)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? rows[i - 2][j - 2] : Infinity;
      const same = rows[i - 1][j - 1] + Number(a[i - 1] !== b[j - 1]);
      row.push(Math.min(same, rows[i - 1][j] + 1, row[j - 1] + 1, swapped + 1));
    }
    rows.push(row);
  }
  return rows[a.length][b.length];
}
