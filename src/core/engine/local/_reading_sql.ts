/**
 * Recognises read-only SQL by its first words, before DuckDB prepares it: preparing EXPORT already creates a folder,
 * and EXPLAIN ANALYZE runs the statement, including writes.
 */

/** Blanks and comments. A comment within a comment is left, and then refused as what no statement begins with. */
const BLANKS = String.raw`(?:\s|--[^\n]*(?:\n|$)|/\*(?:(?!/\*)[\s\S])*?\*/)*`;

const READING = new RegExp(
  `^(?:${BLANKS}\\()*${BLANKS}(?:select|with|from|describe|desc|summarize|show|values|table|pivot|unpivot)\\b`,
  "i",
);

const EXPLAIN = new RegExp(`^${BLANKS}explain\\b${BLANKS}(?:analy[sz]e\\b)?${BLANKS}(?:\\([^()]*\\))?`, "i");

/**
 * Refuses SQL that does not begin as a statement that reads.
 *
 * @returns The statement that an EXPLAIN explains, which has to be one that reads; `undefined` for all else.
 * @throws {TypeError} If it begins in another way.
 */
export function explainedBy(text: string): string | undefined {
  const explain = EXPLAIN.exec(text);
  const statement = explain === null ? text : text.slice(explain[0].length);
  if (READING.test(statement)) return explain === null ? undefined : statement;
  // Parentheses behind EXPLAIN may be those of the statement.
  if (explain?.[0].endsWith(")")) {
    const whole = text.slice(explain[0].lastIndexOf("("));
    if (READING.test(whole)) return whole;
  }
  throw notReading();
}

export function notReading(): TypeError {
  return new TypeError("Cannot run the SQL: a lake is only read; expected SELECT, WITH, FROM, DESCRIBE or EXPLAIN");
}

/** Whether a text that DuckDB takes for several statements is one with a PIVOT that finds its columns by itself. */
export function isPivot(text: string): boolean {
  return !text.includes(";") && /\bpivot\b/i.test(text);
}

/** Explains why a PIVOT that finds its columns by itself is not run: DuckDB makes a type for them first. */
export function openPivot(): TypeError {
  return new TypeError(
    "Cannot run the SQL: a PIVOT without its values has to write first, and a lake is only read; " +
      "name them: PIVOT … ON column IN ('a', 'b') USING …",
  );
}
