/** One string for equal texts of a column: a table in memory holds country, host and laboratory many times. */

/** Distinct texts of a column after which its texts are kept as they come. */
const MAX_DISTINCT = 10_000;

export class SharedTexts {
  /** Texts of each column by themselves; `null` for columns with too many. */
  readonly #columns: (Map<string, string> | null | undefined)[] = [];

  /** Returns the first text of the column that is equal to this one. */
  share(text: string, column: number): string {
    let texts = this.#columns[column];
    if (texts === null) return text;
    if (texts === undefined) this.#columns[column] = texts = new Map();
    const known = texts.get(text);
    if (known !== undefined) return known;
    if (texts.size === MAX_DISTINCT) this.#columns[column] = null;
    else texts.set(text, text);
    return text;
  }
}
