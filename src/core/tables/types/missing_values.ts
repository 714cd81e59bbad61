/** Counts of the texts that say that a value is missing. */
import { type LedgerEntry, noteEntry } from "../../contract/ledger_entries.ts";

/** How often each word of `MISSING_WORDS` stands in each field: field → word → count; `""` is white space alone. */
export type MissingValues = Readonly<Record<string, Readonly<Record<string, number>>>>;

/** Words that a warning names, of one field. */
const MAX_NAMED = 20;

/** Counts words, field by field. */
export class MissingCounter {
  readonly #fields = new Map<string, Map<string, number>>();

  /** Counts a word once. */
  add(field: string, word: string): void {
    let words = this.#fields.get(field);
    if (words === undefined) this.#fields.set(field, words = new Map());
    words.set(word, (words.get(word) ?? 0) + 1);
  }

  /** The counts, fields in the order of their first word, words by count. */
  get values(): MissingValues {
    return Object.fromEntries([...this.#fields].map(([field, words]) => {
      const ordered = [...words].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
      return [field, Object.fromEntries(ordered)];
    }));
  }
}

/**
 * Describes for each field how many of its values are missing, and by which words: nothing is lost, but to be known.
 */
export function noteMissing(missing: MissingValues, typeOf: (field: string) => string): LedgerEntry[] {
  return Object.entries(missing).map(([field, words]) => {
    const counts = Object.entries(words);
    const total = counts.reduce((sum, [, count]) => sum + count, 0);
    const named = counts.slice(0, MAX_NAMED).map(([word, count]) => `${word === "" ? "blank" : `"${word}"`} ${count}`);
    const rest = counts.length > MAX_NAMED ? ` and ${counts.length - MAX_NAMED} more` : "";
    const [values, are] = total === 1 ? ["value", "is"] : ["values", "are"];
    const fate = typeOf(field) === "date" ? "kept as text" : "null in the frame, as it came in the raw frame";
    const text = `${total} ${values} of ${field} ${are} missing (${named.join(", ")}${rest}): ${fate}`;
    return noteEntry("values-missing", text, { count: total, field });
  });
}
