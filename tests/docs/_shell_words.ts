/** Words of a line as a shell splits it, for lines without variables, pipes and redirections. */

/**
 * Splits a line at blanks outside quotes; `#` begins a comment.
 *
 * @throws {Error} If the line needs more of a shell.
 */
export function shellWords(line: string): string[] {
  const words: string[] = [];
  for (const match of line.matchAll(/\s+|#.*$|((?:'[^']*'|"[^"]*"|[^\s'"#])+)/g)) {
    const [, word] = match;
    if (word === undefined) continue;
    if (/[|&;<>$`]/.test(word.replaceAll(/'[^']*'|"[^"$`]*"/g, ""))) throw new Error(`A shell is needed for: ${line}`);
    words.push(word.replaceAll(/'([^']*)'|"([^"]*)"/g, "$1$2"));
  }
  return words;
}
