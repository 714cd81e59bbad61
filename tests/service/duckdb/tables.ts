/**
 * The tables that the oracle's queries run on: for each field its texts, and what they compare as.
 *
 * `t3` is the value of field 3 as it stands in the archives (`''` where there is none), `k3` the folded value; `n3` its
 * number, `a3` and `z3` its first and last day, `l3` and `f3` its elements as `;a;b;` and the same folded, for the types
 * that have these. `row` is the place in the archives, `words`
 * all words of the record. A table of words tells how often each word stands in which row, so that one word is found
 * without reading texts.
 */
import type { DuckDBAppender } from "@duckdb/node-api";
import { readDateInterval } from "../../../src/service/store/date_interval.ts";
import { type Field, isNumeric } from "../../../src/service/store/fields.ts";
import { elementsOf, fold, joinWords, readNumber, wordsOf } from "../../../src/service/store/fold.ts";

/** Name of the table. */
export const TABLE = "record";
/** Name of the table of words: `word`, `row`, `hits`. */
export const WORD_TABLE = "word";
/** Name of the table of all words, each once, with the number of records that have it: `word`, `rows`. */
export const VOCABULARY_TABLE = "vocabulary";

/** Records whose words are ordered at once: all of many millions would not fit in memory. */
const WORD_BATCH = 100_000;

/**
 * Writes the statements that make the tables of words from a table of so many records.
 *
 * The words of each hundred thousand records are in order, so that a word is looked up in few places of each.
 */
export function wordTablesSql(records: number): string[] {
  const parts: string[] = [];
  for (let start = 0; start < records; start += WORD_BATCH) {
    parts.push(
      `INSERT INTO ${WORD_TABLE} SELECT word, row, count(*)::INTEGER FROM (
         SELECT row, unnest(string_split(replace(words, chr(10), ' '), ' ')) AS word FROM ${TABLE}
         WHERE row >= ${start} AND row < ${start + WORD_BATCH}
       ) WHERE word <> '' GROUP BY word, row ORDER BY word, row`,
    );
  }
  return [
    `CREATE TABLE ${WORD_TABLE} (word VARCHAR NOT NULL, row INTEGER NOT NULL, hits INTEGER NOT NULL)`,
    ...parts,
    `CREATE TABLE ${VOCABULARY_TABLE} AS SELECT word, count(*)::INTEGER AS rows FROM ${WORD_TABLE} GROUP BY word ORDER BY word`,
  ];
}

/** Writes the statement that makes the table. */
export function createTableSql(fields: readonly Field[]): string {
  const columns = fields.flatMap(({ index, type }) => [
    `t${index} VARCHAR NOT NULL`,
    `k${index} VARCHAR NOT NULL`,
    ...(isNumeric(type) ? [`n${index} DOUBLE`] : []),
    ...(type === "date" ? [`a${index} INTEGER`, `z${index} INTEGER`] : []),
    ...(type === "list" ? [`l${index} VARCHAR NOT NULL`, `f${index} VARCHAR NOT NULL`] : []),
  ]);
  return `CREATE TABLE ${TABLE} (row INTEGER NOT NULL, ${columns.join(", ")}, words VARCHAR NOT NULL)`;
}

/** What one value compares as. */
interface Derived {
  readonly folded: string;
  readonly words: string;
  readonly number: number | undefined;
  readonly start: number | undefined;
  readonly end: number | undefined;
  readonly elements: string;
  readonly foldedElements: string;
}

/** Makes a function that appends one record to the table. */
export function rowAppender(
  appender: DuckDBAppender,
  fields: readonly Field[],
): (row: number, values: readonly string[]) => void {
  return (row, values) => {
    appender.appendInteger(row);
    const lines: string[] = [];
    for (const { index, type } of fields) {
      const derived = derive(values[index], type);
      appender.appendVarchar(values[index]);
      appender.appendVarchar(derived.folded);
      if (isNumeric(type)) {
        if (derived.number === undefined) appender.appendNull();
        else appender.appendDouble(derived.number);
      } else if (type === "date") {
        if (derived.start === undefined || derived.end === undefined) {
          appender.appendNull();
          appender.appendNull();
        } else {
          appender.appendInteger(derived.start);
          appender.appendInteger(derived.end);
        }
      } else if (type === "list") {
        appender.appendVarchar(derived.elements);
        appender.appendVarchar(derived.foldedElements);
      }
      if (derived.words !== "") lines.push(derived.words);
    }
    appender.appendVarchar(lines.join("\n"));
    appender.endRow();
  };
}

function derive(value: string, type: Field["type"]): Derived {
  const date = type === "date" ? readDateInterval(value) : undefined;
  const elements = type === "list" ? elementsOf(value) : [];
  return {
    folded: fold(value),
    words: joinWords(wordsOf(value)),
    number: isNumeric(type) ? readNumber(value) : undefined,
    start: date?.start,
    end: date?.end,
    elements: `;${elements.join(";")};`,
    foldedElements: `;${elements.map(fold).join(";")};`,
  };
}
