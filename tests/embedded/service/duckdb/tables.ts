/**
 * The tables that the oracle's queries run on: for each field its texts, and what they compare as.
 *
 * `t3` is the value of field 3 as it stands in the archives (`''` where there is none), `k3` the folded value, `p3`
 * whether it is not missing; `a3` and `z3` its first and last key, `l3` and `f3` its elements as `;a;b;` and the same
 * folded, for the types that have these. `row` is the place in the archives, `words` all words of the record. A table
 * of words tells how often each word stands in which row, so that one word is found without reading texts.
 */
import type { DuckDBAppender } from "@duckdb/node-api";
import { isMissing, splitList } from "../../../../src/core/contract/values/mod.ts";
import type { Field } from "../../../../src/core/query/fields.ts";
import { fold, wordsOf } from "../../../../src/core/query/fold.ts";
import { type KeyKind, keyKind, readKeys } from "../../../../src/core/query/keys.ts";

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
    `p${index} BOOLEAN NOT NULL`,
    ...keyColumns(index, keyKind(type)),
    ...(type === "list" ? [`l${index} VARCHAR NOT NULL`, `f${index} VARCHAR NOT NULL`] : []),
  ]);
  return `CREATE TABLE ${TABLE} (row INTEGER NOT NULL, ${columns.join(", ")}, words VARCHAR NOT NULL)`;
}

function keyColumns(index: number, kind: KeyKind | undefined): string[] {
  if (kind === undefined) return [];
  const type = kind === "integer" ? "BIGINT" : "DOUBLE";
  return [`a${index} ${type}`, `z${index} ${type}`];
}

/** What one value compares as. */
interface Derived {
  readonly folded: string;
  readonly words: string;
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
    for (const { index, type, unit } of fields) {
      const derived = derive(values[index], type);
      const kind = keyKind(type);
      const keys = readKeys(values[index], { type, unit });
      appender.appendVarchar(values[index]);
      appender.appendVarchar(derived.folded);
      appender.appendBoolean(!isMissing(values[index]));
      for (const key of kind === undefined ? [] : [keys?.start, keys?.end]) {
        if (key === undefined) appender.appendNull();
        else if (kind === "integer") appender.appendBigInt(BigInt(key));
        else appender.appendDouble(Number(key));
      }
      if (type === "list") {
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
  const elements = type === "list" ? splitList(value) : [];
  return {
    folded: fold(value),
    words: joinWords(wordsOf(value)),
    elements: `;${elements.join(";")};`,
    foldedElements: `;${elements.map(fold).join(";")};`,
  };
}

/** Writes words so that a word, or several in a row, can be found by a plain search for text: each between spaces. */
export function joinWords(words: readonly string[]): string {
  return words.map((word) => ` ${word} `).join("");
}
