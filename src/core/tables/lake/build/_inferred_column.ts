/** The type of a column, as far as the values seen so far allow. */
import type { FieldType } from "../../../contract/metadata.ts";
import { readArray } from "../../../contract/values/lists.ts";
import { missingWord, readDecimal, readInteger, readPartialDate } from "../../../contract/values/mod.ts";

/** Kinds of columns, as the kernel of rows counts them; see `kernel/rows_plain.as.ts`. */
const KIND = { text: 0, integer: 1, float: 2, boolean: 3, date: 4, year: 6, shortInteger: 7, anything: 8 } as const;

/** What a text is without a loss, a bit each. */
const INTEGER = 1;
const FLOAT = 2;
const DATE = 4;
const LIST = 8;
/** Booleans, by how they are written. */
const BOOLEANS: readonly (readonly [form: RegExp, bit: number])[] = [
  [/^(?:true|false)$/, 16],
  [/^(?:True|False)$/, 32],
  [/^(?:TRUE|FALSE)$/, 64],
];
const LOWER_BOOLEAN = 16;
const ALL = 127;

/** Texts whose reading is remembered, and the longest of them. */
const MAX_KNOWN = 10_000;
const MAX_KNOWN_LENGTH = 64;

/**
 * One column whose type is inferred.
 *
 * It keeps what all values are, and tells the kernel which cells can change that: cells that the kernel passes over are
 * of every type that is left.
 */
export class InferredColumn {
  #fits = ALL;
  #isSeen = false;
  readonly #known = new Map<string, number>();

  /** Which cells have to be shown to {@linkcode see}: those that are not plain for this kind; 0 for none. */
  get kind(): number {
    const fits = this.#fits;
    if (!this.#isSeen) return KIND.anything;
    if (fits === 0) return KIND.text;
    if ((fits & INTEGER) !== 0) {
      return (fits & DATE) !== 0 ? KIND.year : (fits & FLOAT) !== 0 ? KIND.shortInteger : KIND.integer;
    }
    if ((fits & FLOAT) !== 0) return KIND.float;
    if ((fits & DATE) !== 0) return KIND.date;
    return fits === LOWER_BOOLEAN ? KIND.boolean : KIND.anything;
  }

  /** The type: text where no value says more, whole numbers where all are years too. */
  get type(): FieldType {
    const fits = this.#fits;
    if (!this.#isSeen || fits === 0) return "string";
    if ((fits & INTEGER) !== 0) return "integer";
    if ((fits & FLOAT) !== 0) return "float";
    return (fits & DATE) !== 0 ? "date" : fits === LIST ? "list" : "boolean";
  }

  /** Takes a value. A missing one says nothing. */
  see(text: string): void {
    if (this.#fits === 0) return;
    let fits = this.#known.get(text);
    if (fits === undefined) {
      fits = missingWord(text) === undefined ? fitsOf(text) : ALL;
      if (this.#known.size >= MAX_KNOWN) this.#known.clear();
      if (text.length <= MAX_KNOWN_LENGTH) this.#known.set(text, fits);
    }
    if (fits === ALL) return;
    this.#isSeen = true;
    this.#fits &= fits;
    if (this.#fits === 0) this.#known.clear();
  }
}

/** A text that is a value of no other type. */
export const LONG_TEXT = "a long text";

const PLAIN_INTEGER = /^(?:0|-?[1-9][0-9]*)$/;
const PLAIN_DECIMAL = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/;

/** What a text can become so that it can be written again: no zero before a number, no unit, no white space. */
function fitsOf(text: string): number {
  let fits = 0;
  if (PLAIN_INTEGER.test(text) && readInteger(text) !== undefined) fits |= INTEGER;
  if (PLAIN_DECIMAL.test(text) && keepsDigits(text)) fits |= FLOAT;
  if (!/^0[0-9]{3}$/.test(text) && readPartialDate(text) !== undefined) fits |= DATE;
  if (readArray(text) !== undefined) fits |= LIST;
  return fits | (BOOLEANS.find(([form]) => form.test(text))?.[1] ?? 0);
}

/** Whether a float of 64 bits says every digit of a decimal; zeros at its end say nothing. */
function keepsDigits(text: string): boolean {
  const number = readDecimal(text);
  return number !== undefined && significant(String(number)) === significant(text);
}

/** Sign, digits and exponent without needless zeros. */
function significant(decimal: string): string {
  const [mantissa, exponent = "0"] = decimal.toLowerCase().split("e");
  const [whole, fraction = ""] = mantissa.replace("-", "").split(".");
  const digits = `${whole}${fraction}`.replace(/^0+/, "");
  const trimmed = digits.replace(/0+$/, "");
  const power = Number(exponent) - fraction.length + digits.length - trimmed.length;
  return trimmed === ""
    ? `${mantissa.startsWith("-") ? "-" : ""}0`
    : `${mantissa.startsWith("-") ? "-" : ""}${trimmed}e${power}`;
}
