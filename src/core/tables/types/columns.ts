/** Text columns by field, and typed columns made of them. */
import { type Problem, quoteValue } from "../../contract/ledger.ts";
import type { FieldDefinition } from "../../contract/metadata.ts";
import { type CastDefinition, type CellValue, readPartialDate, readValue } from "../../contract/values/mod.ts";
import type { DateColumns, TableColumn } from "./table.ts";

/** Values of one field as they came; `null` for none. */
export type Texts = (string | null)[];

/** Texts by field, all of the same length. Fields may turn up late. */
export class TextColumns {
  readonly #columns = new Map<string, Texts>();
  #rows = 0;

  /** Begins with these fields, in this order. */
  constructor(fields: Iterable<string> = []) {
    for (const field of fields) this.#columns.set(field, []);
  }

  get rows(): number {
    return this.#rows;
  }

  /** The fields, in order. */
  get fields(): string[] {
    return [...this.#columns.keys()];
  }

  /** Texts of a field, if it is there. */
  get(field: string): Texts | undefined {
    return this.#columns.get(field);
  }

  /** Adds a row by field. New fields are added at the end. An empty text is null. */
  addRecord(record: Iterable<readonly [field: string, text: string | null]>): void {
    for (const [field, text] of record) {
      let texts = this.#columns.get(field);
      if (texts === undefined) {
        texts = new Array(this.#rows).fill(null);
        this.#columns.set(field, texts);
      }
      if (texts.length === this.#rows) texts.push(text === "" ? null : text);
      else texts[this.#rows] = text === "" ? null : text;
    }
    this.#rows++;
    for (const texts of this.#columns.values()) if (texts.length < this.#rows) texts.push(null);
  }

  /** Adds a row of cells: cell `positions[i]` belongs to field `i`. An empty text is null. */
  addCells(cells: readonly string[], targets: readonly Texts[], positions: readonly number[]): void {
    for (let index = 0; index < targets.length; index++) {
      const text = cells[positions[index]];
      targets[index].push(text === "" ? null : text);
    }
    this.#rows++;
  }

  /** Some of the rows, in the order given. */
  picked(rows: readonly number[]): TextColumns {
    const columns = new TextColumns();
    columns.#rows = rows.length;
    for (const [field, texts] of this.#columns) columns.#columns.set(field, rows.map((row) => texts[row]));
    return columns;
  }

  /** The same texts under other names; where two fields get the same, a row with both has them joined by `;`. */
  renamed(nameOf: (field: string) => string): TextColumns {
    const columns = new TextColumns();
    columns.#rows = this.#rows;
    for (const [field, texts] of this.#columns) {
      const name = nameOf(field);
      const before = columns.#columns.get(name);
      columns.#columns.set(name, before === undefined ? texts : before.map((text, row) => joinTexts(text, texts[row])));
    }
    return columns;
  }
}

function joinTexts(one: string | null, other: string | null): string | null {
  return one === null || other === null ? one ?? other : `${one};${other}`;
}

/** What a typed column of a frame is made of. */
export interface ColumnValues {
  readonly column: TableColumn;
  /** Its values; days since 1970-01-01 for a Date. */
  readonly values: (CellValue | null)[];
}

const TEXT: CastDefinition = { type: "string", unit: "" };

/** Takes the values that do not fit, while a column is typed. */
export type OnProblem = (problem: Problem) => void;

export interface TypeColumnOptions {
  /** Identifiers of the rows, for problems. */
  readonly ids: Texts | undefined;
  /** Whether a date has its three columns. */
  readonly dates: DateColumns;
  /** Takes each value that does not fit. */
  readonly onProblem: OnProblem;
  /** Takes each word that says that a value is missing. */
  readonly onMissing: (field: string, word: string) => void;
}

/** Makes the columns of one field; reports each value that does not fit, and each text for a missing one. */
export function typeColumn(
  field: string,
  texts: Texts,
  definition: FieldDefinition | undefined,
  options: TypeColumnOptions,
): ColumnValues[] {
  const rule = definition ?? TEXT;
  const problem = (index: number, reason: string, kept: boolean) =>
    options.onProblem({
      row: index + 1,
      ...options.ids?.[index] && { id: options.ids[index] },
      field,
      value: quoteValue(texts[index]!),
      reason,
      kept,
    });
  if (rule.type === "string") return [{ column: textColumn(field, "string"), values: texts }];
  const values: (CellValue | null)[] = new Array(texts.length);
  for (let index = 0; index < texts.length; index++) {
    const text = texts[index];
    if (text === null) {
      values[index] = null;
      continue;
    }
    const read = readValue(text, rule);
    // A date column is text: it has the values as received.
    values[index] = read.kind === "value" ? read.value : rule.type === "date" ? text : null;
    if (read.kind === "invalid") problem(index, read.reason, rule.type === "date");
    else if (read.kind === "missing") options.onMissing(field, read.word);
  }
  if (rule.type !== "date") {
    return [{ column: { name: field, field, type: rule.type, dtype: DTYPES[rule.type] }, values }];
  }
  const asText = { column: textColumn(field, "date"), values };
  return options.dates === "text" ? [asText] : [asText, ...dateColumns(field, texts)];
}

const DTYPES = { integer: "Int64", float: "Float64", boolean: "Bool", list: "List(String)" } as const;

function textColumn(field: string, type: "string" | "date"): TableColumn {
  return { name: field, field, type, dtype: "String" };
}

/** Names of the three columns that stand after a date column on request. */
export function dateColumnNames(field: string): readonly [earliest: string, latest: string, precision: string] {
  return [`${field} earliest`, `${field} latest`, `${field} precision`];
}

/** Refuses date columns whose names are those of fields. */
export function checkDateNames(field: string, taken: readonly string[]): void {
  const clash = dateColumnNames(field).find((name) => taken.includes(name));
  if (clash === undefined) return;
  throw new RangeError(
    `Cannot add the columns ${dateColumnNames(field).join(", ")}: there is a field ${
      JSON.stringify(clash)
    } already; use dates: "text"`,
  );
}

function dateColumns(field: string, texts: Texts): ColumnValues[] {
  const dates = texts.map((text) => text === null ? undefined : readPartialDate(text));
  const [earliest, latest, precision] = dateColumnNames(field);
  return [
    { column: { name: earliest, field, type: "date", dtype: "Date" }, values: dates.map((d) => d?.earliest ?? null) },
    { column: { name: latest, field, type: "date", dtype: "Date" }, values: dates.map((d) => d?.latest ?? null) },
    {
      column: { name: precision, field, type: "date", dtype: "String" },
      values: dates.map((d) => d?.precision ?? null),
    },
  ];
}
