/**
 * Interpretation of values: text, integers, decimals, booleans, dates, lists, and missing values. Does no I/O.
 *
 * @module
 */
export { readBoolean } from "./booleans.ts";
export { type DatePrecision, formatDay, type PartialDate, readPartialDate } from "./dates.ts";
export type { DateOrder } from "./day_order.ts";
export { splitList } from "./lists.ts";
export { isMissing, MISSING_WORDS, missingWord } from "./missing.ts";
export { readDecimal, readInteger } from "./numbers.ts";
export { type Cast, type CastDefinition, castText, type CellValue, type ReadValue, readValue } from "./read_value.ts";
export { groupKey, trimWhiteSpace } from "./text.ts";
export { epiWeek, isoWeek } from "./weeks.ts";
