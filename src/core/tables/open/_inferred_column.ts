/** The type of a column, as far as the values seen so far allow. */
import type { FieldType } from "../../contract/metadata.ts";
import type { KnownColumn } from "../../contract/fields/column_names.ts";
import { DATE_ORDERS, orderDate } from "../../contract/values/day_order.ts";
import { readArray, splitList } from "../../contract/values/lists.ts";
import { missingWord, readDecimal, readInteger, readPartialDate, readValue } from "../../contract/values/mod.ts";

/** Kinds of columns, as the module counts them; see `wasm/rows_plain.as.ts`. */
const KIND = { text: 0, integer: 1, float: 2, boolean: 3, date: 4, year: 6, shortInteger: 7, anything: 8 } as const;

/** A column whose type is being found. */
export interface ObservedColumn {
  /** Which cells have to be shown to {@linkcode see}: those that are not plain for this kind; 0 for none. */
  readonly kind: number;
  /** The type, once every value has been seen. */
  readonly type: FieldType;
  /** Takes a value. A missing one says nothing. */
  see(text: string): void;
}

/** Texts whose reading is remembered, and the longest of them. */
const MAX_KNOWN = 10_000;
const MAX_KNOWN_LENGTH = 64;

/** Readings of texts, remembered in bounded memory. */
class Remembered<T> {
  readonly #known = new Map<string, T>();
  readonly #read: (text: string) => T;

  constructor(read: (text: string) => T) {
    this.#read = read;
  }

  of(text: string): T {
    let value = this.#known.get(text);
    if (value === undefined) {
      value = this.#read(text);
      if (this.#known.size >= MAX_KNOWN) this.#known.clear();
      if (text.length <= MAX_KNOWN_LENGTH) this.#known.set(text, value);
    }
    return value;
  }

  clear(): void {
    this.#known.clear();
  }
}

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
/** A number that is also written otherwise, such as `1.50` and `1e-05`. */
const SPELT = 128;

/**
 * One column of which only its values say something: it has the type that all of them have without a loss.
 *
 * It keeps what all values are, and tells the module which cells can change that: cells that the module passes over are
 * of every type that is left.
 */
export class InferredColumn implements ObservedColumn {
  #fits = ALL;
  #isSeen = false;
  #isSpelt = false;
  readonly #read: Remembered<number>;

  /** @param hasDecimalCommas Whether the table writes decimals with commas: a point may separate thousands then. */
  constructor(hasDecimalCommas = false) {
    this.#read = new Remembered((text) => {
      if (missingWord(text) !== undefined) return ALL;
      return hasDecimalCommas && POINTED.test(text) ? 0 : fitsOf(text);
    });
  }

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

  /** Whether values have to be compared to tell whether two of them are one number: see {@linkcode SpeltColumn}. */
  get isSpelt(): boolean {
    return this.#isSpelt && this.type === "float";
  }

  see(text: string): void {
    if (this.#fits === 0) return;
    const fits = this.#read.of(text);
    if (fits === ALL) return;
    this.#isSeen = true;
    this.#isSpelt ||= (fits & SPELT) !== 0;
    this.#fits &= fits;
    if (this.#fits === 0) this.#read.clear();
  }
}

/** A text that is a value of no other type. */
export const LONG_TEXT = "a long text";

/** A point among digits. */
const POINT = /\.[0-9]/;
/** Digits with points between them. */
const POINTED = /^[+-]?[0-9]+(?:\.[0-9]+)+$/;
const PLAIN_INTEGER = /^(?:0|-?[1-9][0-9]*)$/;
/** A decimal, in which an exponent has a sign or follows a fraction: `71E2` is a code. */
const PLAIN_DECIMAL = /^-?(?:0|[1-9][0-9]*)(?:(?:\.[0-9]+)?(?:[eE][+-][0-9]+)?|\.[0-9]+[eE][0-9]+)$/;

/**
 * What a text can become so that it can be written again: no zero before a number, no unit, no white space, and no
 * whole number beyond 2^53, which other programs round.
 */
function fitsOf(text: string): number {
  let fits = 0;
  if (PLAIN_INTEGER.test(text) && Number.isSafeInteger(readInteger(text))) fits |= INTEGER;
  const decimal = PLAIN_DECIMAL.test(text) ? readDecimal(text) : undefined;
  if (decimal !== undefined && keepsDigits(decimal, text)) {
    fits |= String(decimal) === text ? FLOAT : FLOAT | SPELT;
  }
  if (!/^0[0-9]{3}$/.test(text) && !/^[0-9]{8}$/.test(text) && readPartialDate(text) !== undefined) fits |= DATE;
  if (isPlainArray(text)) fits |= LIST;
  return fits | (BOOLEANS.find(([form]) => form.test(text))?.[1] ?? 0);
}

/** Whether a text is a JSON array whose items a list keeps: no null, none that is empty, is trimmed or is split. */
function isPlainArray(text: string): boolean {
  const items = readArray(text);
  if (items === undefined) return false;
  const kept = splitList(text);
  return kept.length === items.length && kept.every((item, index) => item === String(items[index]));
}

/**
 * Whether a float has every digit of a decimal: as few digits as tell it apart, or the 17 that C and pandas print.
 * Zeros at the end say nothing.
 */
function keepsDigits(number: number, text: string): boolean {
  const written = significant(text);
  return significant(String(number)) === written || significant(number.toPrecision(17)) === written;
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

/** Numbers that are remembered to find two texts of one. */
const MAX_NUMBERS = 200_000;

/**
 * One column of decimals of which some are written otherwise than a program prints them: numbers if each text is a
 * number of its own, text otherwise. `11320.1` and `11320.100` in one column are two codes, and so is each of `1.9` and
 * `1.10`: a zero at the end counts there, unless all fractions have as many digits.
 */
export class SpeltColumn implements ObservedColumn {
  readonly #texts = new Map<number, string>();
  #isText = false;
  #isPadded = false;
  /** Digits of the fractions, from the fewest to the most. */
  #least = Infinity;
  #most = 0;

  get kind(): number {
    return this.#isText ? KIND.text : KIND.anything;
  }

  get type(): FieldType {
    return this.#isText ? "string" : "float";
  }

  see(text: string): void {
    if (this.#isText || missingWord(text) !== undefined) return;
    const number = Number(text);
    const other = this.#texts.get(number);
    if (other === undefined && this.#texts.size < MAX_NUMBERS) this.#texts.set(number, text);
    const fraction = /\.([0-9]+)$/.exec(text)?.[1];
    if (fraction !== undefined) {
      // A program that prints 12.0 prints 12.25 too.
      this.#isPadded ||= fraction.length > 1 && fraction.endsWith("0");
      if (fraction !== "0") {
        this.#least = Math.min(this.#least, fraction.length);
        this.#most = Math.max(this.#most, fraction.length);
      }
    }
    this.#isText = (other !== undefined && other !== text) || (this.#isPadded && this.#least < this.#most);
    if (this.#isText) this.#texts.clear();
  }
}

/** A type that a column's name has and too few of its values. */
export interface UnfulfilledType {
  readonly type: FieldType;
  /** The first value that is not of the type. */
  readonly value: string;
}

/** Share of the values of a known column that must fit its type; missing values do not count. */
const LEAST_SHARE = 0.5;
/** Values by which a known column is judged: looking at each of millions takes as long as all else. */
const MAX_JUDGED = 20_000;

/**
 * One column whose name is known: it has that type if at least half of its first 20,000 values fit, whatever
 * the others are; they are listed as invalid. Otherwise its values alone decide.
 */
export class KnownNameColumn implements ObservedColumn {
  readonly #known: KnownColumn;
  readonly #otherwise: InferredColumn;
  #firstOther = "";
  readonly #read: Remembered<"missing" | "fits" | "other">;
  readonly #hasDecimalCommas: boolean;
  #fitting = 0;
  #others = 0;
  /** The first number with a point that may separate thousands. */
  #doubtful: string | undefined;

  /** @param hasDecimalCommas As that of {@linkcode InferredColumn}. */
  constructor(known: KnownColumn, hasDecimalCommas = false) {
    this.#known = known;
    this.#hasDecimalCommas = hasDecimalCommas && (known.type === "float" || known.type === "integer");
    this.#otherwise = new InferredColumn(hasDecimalCommas);
    this.#read = new Remembered((text) => {
      const { kind } = readValue(text, known);
      return kind === "missing" ? kind : kind === "value" || this.#isAmbiguousDate(text) ? "fits" : "other";
    });
  }

  get kind(): number {
    if (this.#known.type === "string" || this.#known.type === "list") return KIND.text;
    if (!this.#isJudged || this.#hasDecimalCommas && this.#doubtful === undefined) return KIND.anything;
    return this.isKnown ? KIND.text : this.#otherwise.kind;
  }

  get type(): FieldType {
    return this.isKnown ? this.#known.type : this.#otherwise.type;
  }

  /** Whether the type is that of the name. */
  get isKnown(): boolean {
    return this.#doubtful === undefined && this.#fitting >= LEAST_SHARE * (this.#fitting + this.#others);
  }

  /** The type of the name, where it is not that of the values, and the first value that is at odds with it. */
  get unfulfilled(): UnfulfilledType | undefined {
    return this.isKnown ? undefined : { type: this.#known.type, value: this.#doubtful ?? this.#firstOther };
  }

  /** As {@linkcode InferredColumn.isSpelt}. */
  get isSpelt(): boolean {
    return !this.isKnown && this.#otherwise.isSpelt;
  }

  get #isJudged(): boolean {
    return this.#fitting + this.#others >= MAX_JUDGED;
  }

  see(text: string): void {
    this.#otherwise.see(text);
    if (this.#hasDecimalCommas && this.#doubtful === undefined && POINT.test(text) && this.#read.of(text) === "fits") {
      this.#doubtful = text;
    }
    if (this.#isJudged) return;
    const read = this.#read.of(text);
    if (read === "fits") this.#fitting++;
    else if (read === "other" && this.#others++ === 0) this.#firstOther = text;
  }

  /** Whether a text would be a date if the order of day and month were known. */
  #isAmbiguousDate(text: string): boolean {
    return this.#known.type === "date" && DATE_ORDERS.some((order) => orderDate(text, order) !== undefined);
  }
}
