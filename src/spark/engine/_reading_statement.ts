/** Statements of Spark's SQL that only read. */

const BLANKS = String.raw`(?:\s|--[^\n]*(?:\n|$)|/\*(?:(?!/\*)[\s\S])*?\*/)*`;
const first = (words: string) => new RegExp(`^(?:${BLANKS}\\()*${BLANKS}(?:${words})\\b`, "i");

const READS = first("select|values|table|describe|desc|show|explain");
/** What begins so may also write: `WITH … INSERT`, `FROM … INSERT`. */
const MAY_WRITE = first("with|from");

/**
 * Refuses what does not begin as a statement that reads.
 *
 * @returns A statement that Spark can parse only if the text reads, and that reads no rows; `undefined` where the first
 * word is enough.
 * @throws {TypeError} If it begins in another way.
 */
export function probeOf(text: string): string | undefined {
  if (READS.test(text)) return undefined;
  if (MAY_WRITE.test(text)) return `SELECT * FROM (${text.replace(/[;\s]+$/, "")}\n) LIMIT 0`;
  throw new TypeError("Cannot run the SQL: a lake is only read; expected SELECT, WITH, FROM, VALUES, DESCRIBE or SHOW");
}
