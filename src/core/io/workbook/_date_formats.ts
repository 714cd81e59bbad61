/**
 * Which cells hold dates and times, and their precision: a workbook stores them as numbers, and only the number format
 * of a cell shows that.
 *
 * Source: ECMA-376, part 1, 18.8.30 (`numFmt`) and 18.8.31 (`numFmts`, codes of sections and symbols).
 */

/** How a cell shows a serial number. */
export interface DateFormat {
  /** A date of this precision; a day with its time; a time of day alone; a duration, `[h]:mm`, of any length. */
  readonly kind: "day" | "month" | "year" | "date-time" | "time" | "duration";
  /** Whether fractions of seconds are shown. */
  readonly fractions: boolean;
}

const DAY: DateFormat = { kind: "day", fractions: false };
const DATE_TIME: DateFormat = { kind: "date-time", fractions: false };
const TIME: DateFormat = { kind: "time", fractions: false };

/** Formats that a workbook need not define. Those that differ between languages are read as days. */
const BUILT_IN: ReadonlyMap<number, DateFormat> = new Map([
  ...[14, 15, 16].map((id) => [id, DAY] as const),
  [17, { kind: "month", fractions: false }],
  ...[18, 19, 20, 21, 45].map((id) => [id, TIME] as const),
  [22, DATE_TIME],
  ...[27, 28, 29, 30, 31, 32, 33, 34, 35, 36].map((id) => [id, DAY] as const),
  [46, { kind: "duration", fractions: false }],
  [47, { kind: "time", fractions: true }],
  ...[50, 51, 52, 53, 54, 55, 56, 57, 58].map((id) => [id, DAY] as const),
  ...[71, 72, 73, 74, 75, 76, 77, 78, 79, 80, 81].map((id) => [id, DAY] as const),
]);

/** Returns the format with this number in every workbook; `undefined` if it shows no date. */
export function builtInDateFormat(id: number): DateFormat | undefined {
  return BUILT_IN.get(id);
}

/** Quoted text, escaped characters, padding, and brackets such as colours, except those of elapsed time. */
const LITERALS = /"[^"]*"?|\\.|_.|\*.|\[(?!(?:h+|m+|s+)\])[^\]]*\]/giu;

/**
 * Reads a number format.
 *
 * @param code The code, such as `yyyy\-mm\-dd hh:mm;@`; its first section counts.
 * @returns What the format shows; `undefined` if it shows no date and no time.
 */
export function readDateFormat(code: string): DateFormat | undefined {
  const [section] = code.replace(LITERALS, "").split(";");
  const symbols = section.toLowerCase();
  const isClock = /am\/pm|a\/p|[hs]/.test(symbols);
  // Between hours and seconds an m means minutes; three of them are the name of a month everywhere.
  const isDay = /[yd]|mmm/.test(symbols) || !isClock && !symbols.includes("[") && symbols.includes("m");
  const fractions = /s\.0/.test(symbols);
  if (isDay && isClock) return { kind: "date-time", fractions };
  if (isDay) return { kind: symbols.includes("d") ? "day" : symbols.includes("m") ? "month" : "year", fractions };
  if (symbols.includes("[")) return { kind: "duration", fractions };
  return isClock ? { kind: "time", fractions } : undefined;
}
