/** Measures the values of a table's fields, each row once. */
import { fieldAlias } from "@seqreg/core/contract/field_alias";
import { formatDay, isMissing, MISSING_WORDS, readPartialDate, trimWhiteSpace } from "@seqreg/core/contract/values";
import { findRoleByName, ROLE_NAMES } from "@seqreg/analysis/source/roles";
import { findValueWords, mayBeValue, VALUE_KINDS, type WordField } from "@seqreg/core/contract/values/value_words";
import { type ScratchSql, sqlName, sqlText } from "@seqreg/core/engine/local/scratch_sql";
import { cut } from "@seqreg/core/io/display";
import { isList, withColumns } from "../columns.ts";
import { type DictionaryValues, readDictionaries } from "./_dictionary_values.ts";
import type { SideColumn, SideTable } from "../open_side.ts";
import type { FieldValues, SchemaField, SchemaTable } from "./fields.ts";

/** Distinct values up to which they are counted exactly, and looked through for words for missing. */
const FEW_VALUES = 10_000;

/** Distinct values above which an estimate cannot mean few: its error is about 2 %. */
const ESTIMATED_FEW = 1.2 * FEW_VALUES;

/** Words for missing in the spellings that a column of very many values is searched for. */
const COMMON_WORDS = [
  "",
  "?",
  "-",
  ".",
  "NA",
  "N/A",
  "n/a",
  "na",
  "nan",
  "NaN",
  "None",
  "none",
  "null",
  "NULL",
  "unknown",
  "Unknown",
  "missing",
  "not available",
  "not applicable",
  "not collected",
  "not provided",
];

const EXAMPLE_CHARACTERS = 60;
/** Characters of a value that are read for it: more than it has, and than a word for missing. */
const READ_CHARACTERS = 200;

export async function measureTable(sql: ScratchSql, side: SideTable): Promise<SchemaTable> {
  const table = await withColumns(sql, side);
  const source = await sql.parquet(table.files);
  const dictionaries = readDictionaries(table, ESTIMATED_FEW);
  const kinds = valueKinds(table.columns);
  const isKnown = ({ name }: SideColumn) => dictionaries.has(name);
  const [counts] = await sql.all(
    `SELECT count(*), ${
      table.columns.flatMap((column) => measures(column, isKnown(column))).join(", ") || "0"
    } FROM ${source}`,
  );
  const rows = Number(counts[0]);
  const fields: SchemaField[] = [];
  for (const [index, column] of table.columns.entries()) {
    const [present, distinct, least, most] = counts.slice(1 + 4 * index, 5 + 4 * index);
    const known = dictionaries.get(column.name);
    const measured = {
      rows,
      present: Number(present),
      // An estimate may exceed the number of values.
      distinct: known?.distinct ?? Math.min(Number(distinct), Number(present)),
      least,
      most,
      ...known && { known },
    };
    fields.push({
      name: column.name,
      alias: fieldAlias(column.name),
      type: column.type ?? "string",
      isDeclared: column.isDeclared === true,
      unit: column.unit ?? "",
      description: column.description ?? "",
      values: await measureField(sql, { table, source, column, kind: kinds.get(column.name) }, measured),
    });
  }
  return { table: table.name, rows, ...table.idField !== undefined && { idField: table.idField }, fields };
}

/** The columns in which a word for missing may be a value; texts alone could be, whatever their type. */
function valueKinds(columns: readonly SideColumn[]): Map<string, WordField> {
  return new Map(ROLE_NAMES.flatMap((role) => {
    const kind = VALUE_KINDS[role];
    if (kind === undefined) return [];
    const found = findRoleByName(columns.map(({ name }) => name), role);
    return found === undefined ? [] : [[found, kind] as const];
  }));
}

/** Four measures of each column in one pass; the second is not needed where the distinct values are known. */
function measures({ name, type, dtype }: SideColumn, isKnown: boolean): string[] {
  const column = sqlName(name);
  const isNumber = (type === "integer" || type === "float") && dtype !== "String" && dtype !== "VARCHAR";
  return [
    `count(${column})`,
    isKnown ? "NULL" : `approx_count_distinct(${column})`,
    isNumber ? `min(${column})::VARCHAR` : "NULL",
    isNumber ? `max(${column})::VARCHAR` : "NULL",
  ];
}

interface Measured {
  readonly rows: number;
  readonly present: number;
  readonly distinct: number;
  readonly least: unknown;
  readonly most: unknown;
  /** Its distinct values, where the files state them. */
  readonly known?: DictionaryValues;
}

interface FieldSource {
  readonly table: SideTable;
  readonly source: string;
  readonly column: SideColumn;
  /** What it holds, where a word for missing may be a value. */
  readonly kind: WordField | undefined;
}

async function measureField(sql: ScratchSql, field: FieldSource, measured: Measured): Promise<FieldValues> {
  const { table, column } = field;
  const { misfits: counted = {} } = table;
  const misfits = Object.hasOwn(counted, column.name) ? counted[column.name] : 0;
  const isDate = column.type === "date";
  // Dates of a Parquet file have a type of their own; those of a lake are texts, since they may be partial.
  const isText = isDate || !isList(column.dtype) && ["String", "VARCHAR"].includes(column.dtype ?? "VARCHAR");
  const example = await findExample(sql, field);
  if (!isText) {
    return {
      // A value that does not fit stands in the table as null.
      filled: measured.present + misfits,
      missing: measured.rows - measured.present - misfits,
      misfits,
      ...await countDistinct(sql, field, measured),
      ...typeof measured.least === "string" && { range: [boundOf(measured.least), boundOf(measured.most)] as const },
      ...example !== undefined && { example },
    };
  }
  const { known } = measured;
  // A text that no record has needs no count.
  const isPlain = known?.texts !== undefined && !isDate && ![...known.texts].some(isMissing);
  const words: TextFacts = isPlain
    ? { missing: 0, misfits: 0, distinct: known.distinct, isExact: true, precision: {} }
    : isDate || measured.distinct <= ESTIMATED_FEW
    ? await readValues(sql, field, isDate)
    : await countCommonWords(sql, field, measured);
  return {
    filled: measured.present - words.missing,
    missing: measured.rows - measured.present + words.missing,
    misfits: isDate ? words.misfits : misfits,
    distinct: words.distinct,
    isExact: words.isExact,
    ...words.range && { range: words.range },
    ...isDate && { precision: words.precision },
    ...example !== undefined && { example },
  };
}

/** The number of a text, or the text of a whole number that no number of JavaScript is. */
function boundOf(text: unknown): number | string {
  const number = Number(text);
  return /^-?\d+$/.test(String(text)) && !Number.isSafeInteger(number) ? String(text) : number;
}

interface TextFacts {
  missing: number;
  misfits: number;
  distinct: number;
  isExact: boolean;
  range?: readonly [string, string];
  precision: Record<string, number>;
}

/** Reads each distinct value of a column of text. */
async function readValues(
  sql: ScratchSql,
  { source, column, kind }: FieldSource,
  isDate: boolean,
): Promise<TextFacts> {
  const facts: TextFacts = { missing: 0, misfits: 0, distinct: 0, isExact: true, precision: {} };
  let [earliest, latest] = [Infinity, -Infinity];
  /** The texts of a column in which words for missing may be values, and the rows that have such a word. */
  const texts: string[] = [];
  const unsure = new Map<string, number>();
  const name = sqlName(column.name);
  const query = `SELECT ${name}::VARCHAR, count(*) FROM ${source} WHERE ${name} IS NOT NULL GROUP BY 1`;
  for await (const batch of sql.stream(query)) {
    const [values, counts] = [batch.column(0), batch.column(1)];
    for (let row = 0; row < batch.rows; row++) {
      const [text, count] = [String(values[row]), Number(counts[row])];
      facts.distinct++;
      if (kind !== undefined) texts.push(text);
      if (kind !== undefined && mayBeValue(text)) unsure.set(text, count);
      else if (isMissing(text)) facts.missing += count;
      else if (isDate) {
        const date = readPartialDate(text);
        if (date === undefined) facts.misfits += count;
        else {
          facts.precision[date.precision] = (facts.precision[date.precision] ?? 0) + count;
          [earliest, latest] = [Math.min(earliest, date.earliest), Math.max(latest, date.latest)];
        }
      }
    }
  }
  const words: ReadonlySet<string> = kind === undefined || unsure.size === 0 ? new Set() : findValueWords(kind, texts);
  for (const [text, count] of unsure) if (!words.has(trimWhiteSpace(text))) facts.missing += count;
  return earliest === Infinity ? facts : { ...facts, range: [formatDay(earliest), formatDay(latest)] };
}

async function countCommonWords(
  sql: ScratchSql,
  { source, column }: FieldSource,
  { distinct }: Measured,
): Promise<TextFacts> {
  const words = COMMON_WORDS.map(sqlText).join(", ");
  const [[missing]] = await sql.all(`SELECT count(*) FROM ${source} WHERE ${sqlName(column.name)} IN (${words})`);
  return { missing: Number(missing), misfits: 0, distinct, isExact: false, precision: {} };
}

async function countDistinct(
  sql: ScratchSql,
  { source, column }: FieldSource,
  { distinct, known }: Measured,
): Promise<Pick<FieldValues, "distinct" | "isExact">> {
  if (known !== undefined) return { distinct, isExact: true };
  if (distinct > ESTIMATED_FEW) return { distinct, isExact: false };
  const [[exact]] = await sql.all(`SELECT count(DISTINCT ${sqlName(column.name)}) FROM ${source}`);
  return { distinct: Number(exact), isExact: true };
}

async function findExample(sql: ScratchSql, { source, column }: FieldSource): Promise<string | undefined> {
  const name = sqlName(column.name);
  const whole = isList(column.dtype) ? `array_to_string(${name}, ';')` : `${name}::VARCHAR`;
  const text = `left(${whole}, ${READ_CHARACTERS})`;
  const words = ["", ...MISSING_WORDS].map(sqlText).join(", ");
  const rows = await sql.all(
    `SELECT ${text} FROM ${source} WHERE ${name} IS NOT NULL AND lower(trim(${text})) NOT IN (${words}) LIMIT 20`,
  );
  const value = rows.map(([value]) => String(value)).find((value) => !isMissing(value));
  return value === undefined ? undefined : cut(value, EXAMPLE_CHARACTERS);
}
