/**
 * Values of fields, completed behind `country:` in a query.
 *
 * The toolkit tells them when they are first asked for, from the facets and records of the registry that was opened
 * last; they are kept.
 */
import type { JsonObject } from "../code/json_object.ts";

/** Name of the message by which the toolkit tells of values. */
export const VALUES_TYPE = "seqreg_values";
/** Where the kernel keeps the function that tells them; it is there once a registry was opened. */
export const TELL_VALUES_KEY = "seqreg.tell_values";

const MOST_FIELDS = 1000;
const MOST_VALUES = 1000;
const MOST_MATCHES = 300;
/** A value that can stand in a text of code. */
const PLAIN = /^(?!.*\$\{)[^"'`\\\p{C}\p{Zl}\p{Zp}]{1,200}$/u;
/** A clause that is being written: its field, an opening quotation mark, the value so far. */
const CLAUSE = /(?:^|[\s(+-])([\p{L}\p{N}_.]+):(?:(\\?["'])([^"'()\\]*)|([^\s"'()\\]*))$/u;
/** What a value without quotation marks is made of. */
const BARE = /^[\p{L}\p{N}_.-]+$/u;

export class KnownFieldValues {
  readonly #byField = new Map<string, readonly string[]>();
  readonly #asked = new Set<string>();

  /** Takes what the toolkit tells: `{ values: { country: ["Kenya"] } }`. */
  learn({ values }: JsonObject): void {
    for (const [field, told] of Object.entries(Object(values))) {
      if (this.#byField.size >= MOST_FIELDS || !Array.isArray(told)) return;
      this.#byField.set(
        field,
        told.filter((value) => typeof value === "string" && PLAIN.test(value)).slice(0, MOST_VALUES),
      );
    }
  }

  /** Forgets everything: another registry was opened. */
  forget(): void {
    this.#byField.clear();
    this.#asked.clear();
  }

  /** Whether a field's values are to be asked for: none are known, and they were not asked for before. */
  isUnknown(field: string): boolean {
    return !this.#byField.has(field) && !this.#asked.has(field) && this.#asked.size < MOST_FIELDS;
  }

  noteAsked(field: string): void {
    this.#asked.add(field);
  }

  /** The field whose value is being written at the end of a text. */
  fieldAt(text: string): string | undefined {
    return CLAUSE.exec(text)?.[1];
  }

  /**
   * Completes the value at the end of a text.
   *
   * @param mark Quotation mark of the text, which a value cannot hold.
   * @returns Values as they are written in a query, and how many characters they replace.
   */
  complete(text: string, mark: string): { readonly matches: readonly string[]; readonly typed: number } | undefined {
    const [, field, quoted, within, bare = ""] = CLAUSE.exec(text) ?? [];
    const value = within ?? bare;
    const known = field === undefined ? undefined : this.#byField.get(field);
    if (known === undefined) return undefined;
    const wanted = value.toLowerCase();
    const inner = mark === '"' ? '\\"' : '"';
    const matches = known.filter((each) => each.toLowerCase().startsWith(wanted)).slice(0, MOST_MATCHES).map((each) =>
      quoted !== undefined ? `${each}${quoted}` : BARE.test(each) ? each : `${inner}${each}${inner}`
    );
    return { matches, typed: [...value].length };
  }
}
