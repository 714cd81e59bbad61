/**
 * What values can be: what lies outside is left out of figures, counted and named.
 *
 * | value | plausible | why |
 * |---|---|---|
 * | length | 1 to 5,000,000 bp | the largest known viral genomes are near 2.8 Mb |
 * | date | 1900-01-01 to the day of the data, else the day on which it came, else 2100-12-31 | a record of tomorrow is a slip |
 * | GC content | 0 to 100 % | a share or a percentage is decided for the column as a whole |
 * | ambiguous bases | up to all bases of the sequence | more than there are is a slip |
 *
 * Not shown in the specification: chosen because such values stretch axes and bins until nothing else is seen.
 */
import { listSome } from "@seqreg/core/contract/ledger";
import type { OptionFault, OptionRule, OptionRules } from "@seqreg/core/options/option_rule";
import { formatDay, readPartialDate } from "@seqreg/core/contract/values";
import { amount, counted, does, label } from "../chart/words.ts";

/** Ranges of plausible values; both ends are in them. */
export interface PlausibleRanges {
  /** Lengths of sequences in bp; `[1, 5_000_000]` by default. */
  readonly length?: readonly [least: number, most: number];
  /**
   * Dates as `YYYY`, `YYYY-MM` or `YYYY-MM-DD`; by default from `1900` to the day of the data (option `snapshot`), else
   * the day on which the data came, else `2100`.
   */
  readonly date?: readonly [first: string, last: string];
  /** GC contents in %; `[0, 100]` by default. */
  readonly gc?: readonly [least: number, most: number];
  /** Ambiguous bases as a share of the bases of the sequence; `[0, 1]` by default. */
  readonly ambiguous?: readonly [least: number, most: number];
}

const isPair = (value: unknown, isEnd: (end: unknown) => boolean): value is readonly unknown[] =>
  Array.isArray(value) && value.length === 2 && value.every(isEnd);

function range(expected: string): OptionRule<readonly [least: number, most: number]> {
  return {
    expected,
    isRequired: false,
    fault: (value, path): OptionFault | undefined =>
      !isPair(value, (end) => typeof end === "number" && !Number.isNaN(end))
        ? { path, expected, value }
        : Number(value[0]) <= Number(value[1])
        ? undefined
        : { path, expected, value, isRange: true },
  };
}

const DATE_RANGE = 'a range of dates, such as ["1900", "2026-01-31"], the first not after the last';

export const PLAUSIBLE_RULES = {
  length: range("a range of lengths in bp, such as [1, 5_000_000], the least first"),
  date: {
    expected: DATE_RANGE,
    isRequired: false,
    fault: (value, path): OptionFault | undefined => {
      if (!isPair(value, (end) => typeof end === "string")) return { path, expected: DATE_RANGE, value };
      const [first, last] = value.map((end) => readPartialDate(String(end)));
      if (first !== undefined && last !== undefined && first.earliest <= last.latest) return undefined;
      return { path, expected: DATE_RANGE, value, isRange: true };
    },
  } satisfies OptionRule<readonly [first: string, last: string]>,
  gc: range("a range in %, such as [0, 100], the least first"),
  ambiguous: range("a range of shares, such as [0, 1], the least first"),
} satisfies OptionRules<PlausibleRanges>;

/** Lengths of sequences in bp that are plausible by default. */
const LENGTHS: readonly [least: number, most: number] = [1, 5_000_000];
/** Years of dates that are plausible by default, where nothing says of which day the data is. */
const [FIRST_YEAR, LAST_YEAR] = ["1900", "2100"];
/** Values that a note names. */
const NAMED = 5;

/** The range of a number, and of what. */
export function rangeOf(
  plausible: PlausibleRanges | undefined,
  of: "length" | "gc" | "ambiguous",
): readonly [least: number, most: number] {
  return plausible?.[of] ?? (of === "length" ? LENGTHS : of === "gc" ? [0, 100] : [0, 1]);
}

/** The days that a date can have, in days since 1970-01-01, and in words what the last one is. */
export interface DayRange {
  readonly first: number;
  readonly last: number;
  /** What dates after it are after: `the day of the data, 2026-01-31`. */
  readonly lastWords: string;
}

/** The days that a date of the data can have. */
export function daysOf(
  { options: { plausible, snapshot }, source: { came } }: {
    readonly options: { readonly plausible?: PlausibleRanges; readonly snapshot?: string };
    readonly source: { readonly came?: string };
  },
): DayRange {
  const [first, last] = plausible?.date ?? [FIRST_YEAR, snapshot ?? came ?? LAST_YEAR];
  const lastWords = plausible?.date !== undefined
    ? last
    : snapshot !== undefined
    ? `the day of the data, ${snapshot}`
    : came !== undefined
    ? `the day on which the data came, ${came}`
    : LAST_YEAR;
  return {
    first: readPartialDate(first)?.earliest ?? -Infinity,
    last: readPartialDate(last)?.latest ?? Infinity,
    lastWords,
  };
}

/** The first day of a range as text: `1900-01-01`. */
export function firstDay({ first }: DayRange): string {
  return formatDay(first);
}

/** What lies outside a range, by value. */
export class Outliers {
  readonly #values = new Map<string, number>();

  /** Counts a value that was left out. */
  add(value: unknown, records: number): void {
    const text = typeof value === "number"
      ? amount(value, 3)
      : typeof value === "bigint"
      ? String(value)
      : label(value);
    this.#values.set(text, (this.#values.get(text) ?? 0) + records);
  }

  /** How many records have one. */
  get records(): number {
    return [...this.#values.values()].reduce((sum, records) => sum + records, 0);
  }

  /** Reports their number and lists the most frequent; `undefined` if the list is empty. */
  note(what: string): string | undefined {
    const { records } = this;
    if (records === 0) return undefined;
    return `${counted(records, "records")} ${does(records, "have")} ${what}: not shown, look at ${
      records === 1 ? "it" : "them"
    } (${this.list()})`;
  }

  /** Lists the most frequent. */
  list(): string {
    const names = [...this.#values].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1)).map(([text]) => text);
    return listSome(names, NAMED);
  }
}

/** What a range of numbers is in words: `outside 1 to 5,000,000 bp`. */
export function outside([least, most]: readonly [least: number, most: number], unit: string): string {
  return `outside ${words(least)} to ${words(most)}${unit === "" ? "" : ` ${unit}`}`;
}

function words(end: number): string {
  return Number.isFinite(end) ? amount(end, 3) : String(end);
}
