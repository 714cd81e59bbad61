/**
 * The registry's query grammar over the columns of a table: a condition in DuckDB's SQL that holds for exactly the rows
 * that the grammar finds, or an error that says what cannot be translated.
 *
 * A value is what the table holds; one that is missing has no word, whatever the archive wrote there.
 */
import type { FieldDefinition, FieldType } from "@seqreg/core/contract";
import { isMissing, MISSING_WORDS } from "@seqreg/core/contract/values";
import { findValueWords, valueKindOf } from "@seqreg/core/contract/values/value_words";
import {
  CriteriaError,
  evaluateQuery,
  isWildcard,
  type Key,
  lookupFields,
  parseQuery,
  type PatternPart,
  type QueryNode,
  type RangeEnd,
} from "@seqreg/core/query";
import { quoteText, type SqlColumn, textSql } from "./column_sql.ts";
import { dateSql, daySql } from "./date_sql.ts";
import type { SqlCondition } from "./filter_sql.ts";
import type { QueryColumn } from "./query_column.ts";
import { compileWords, foldSql, NOT_COMPARED, regexLiteral, regexOf } from "./word_sql.ts";

/** Reads the different texts of a column: of dates those that are not plain (see `date_sql.ts`), or all, if few. */
export type ReadDistinct = (field: number, which: "not plain" | "all") => Promise<readonly string[]>;

export class UntranslatedError extends CriteriaError {
  constructor(what: string) {
    super(`query: there is no exact translation of ${what}`, ["query"]);
  }
}

/**
 * Compiles a query to a condition.
 *
 * @throws {CriteriaError} If the text breaks the grammar or names no column.
 * @throws {UntranslatedError} If a part of it has no exact translation.
 */
export async function compileQuery(
  text: string,
  columns: readonly QueryColumn[],
  readDistinct: ReadDistinct,
): Promise<SqlCondition> {
  const compiler = new QueryCompiler(columns, readDistinct);
  return await compiler.compile(parseQuery(text, lookupFields(fieldsOf(columns))));
}

export function fieldsOf(columns: readonly QueryColumn[]): FieldDefinition[] {
  return columns.map(({ column, alias, type = "string" }) => ({
    name: column.name,
    alias,
    type,
    unit: column.unit,
    example: "",
    description: "",
  }));
}

class QueryCompiler {
  readonly #columns: readonly QueryColumn[];
  readonly #readDistinct: ReadDistinct;
  readonly #valueWords = new Map<number, ReadonlySet<string>>();
  readonly #values: string[] = [];

  constructor(columns: readonly QueryColumn[], readDistinct: ReadDistinct) {
    this.#columns = columns;
    this.#readDistinct = readDistinct;
  }

  async compile(node: QueryNode): Promise<SqlCondition> {
    const sql = await this.#compile(node);
    return { sql, values: this.#values };
  }

  /** A condition that is never NULL, so that `NOT` finds the rest. */
  async #compile(node: QueryNode): Promise<string> {
    switch (node.kind) {
      case "all":
        return "true";
      case "and":
      case "or": {
        const parts: string[] = [];
        // One after the other: values are bound in the order in which they stand.
        for (const one of node.nodes) parts.push(await this.#compile(one));
        return `(${parts.join(node.kind === "and" ? " AND " : " OR ")})`;
      }
      case "not":
        return `(NOT ${await this.#compile(node.node)})`;
      case "words":
        return compileWords(node.words, this.#columns, untranslated);
      case "exists":
        return await this.#present(node.field);
      case "equals":
        return await this.#equals(node);
      case "matches":
        return this.#matches(node);
      case "key-range":
        return await this.#within(node, node);
      case "text-range": {
        const { column } = this.#texts(node.field, ["string"], "a range of texts");
        const folded = foldSql(textSql(column));
        const ends = endsOf(node, { start: folded, end: folded }, (value: string) => this.#bind(foldable(value)));
        return `(${await this.#present(node.field)} AND coalesce(${ends}, false))`;
      }
      case "exact":
        throw untranslated("a filter");
    }
  }

  async #equals(node: QueryNode & { readonly kind: "equals" }): Promise<string> {
    const { column, type } = this.#typed(node.field);
    const shown = JSON.stringify(node.text);
    const isValue = [...await this.#wordsOf(node.field)].some((word) => word.toLowerCase() === node.text.toLowerCase());
    if (isMissing(node.text) && !isValue) {
      const missing = `-${this.#typed(node.field).alias}:*`;
      throw untranslated(`the value ${shown}: a table keeps no word for a missing value; write ${missing}`);
    }
    if (type === "string") return `coalesce(${foldSql(textSql(column))} = ${this.#bind(foldable(node.text))}, false)`;
    if (type === "list") {
      if (/[;[\]"]/.test(node.text)) throw untranslated(`${shown}: a list is compared element by element`);
      return this.#anyElement(column, (element) => `${foldSql(element)} = ${this.#bind(foldable(node.text))}`);
    }
    if (node.within === undefined) {
      throw untranslated(`the value ${shown}: ${JSON.stringify(column.name)} holds values of type ${type} alone`);
    }
    const { start, end } = node.within;
    return await this.#within(node, {
      from: { value: start, inclusive: true },
      to: { value: end, inclusive: true },
    });
  }

  /** Values whose keys lie within a range. */
  async #within(
    node: QueryNode & { readonly field: number },
    range: { readonly from?: RangeEnd<Key>; readonly to?: RangeEnd<Key> },
  ): Promise<string> {
    const { column, type } = this.#typed(node.field);
    if (type !== "date") {
      // As its own type, no value of the column is converted, and row groups that cannot match are skipped.
      const cast = type === "integer" ? "HUGEINT" : "DOUBLE";
      const sql = type === "boolean" ? `${column.sql}::INTEGER` : column.sql;
      const finite = type === "float" ? ` AND isfinite(${sql})` : "";
      const bind = (key: Key) => `${this.#bind(type === "integer" ? String(BigInt(key)) : String(key))}::${cast}`;
      return `coalesce(${endsOf(range, { start: sql, end: sql }, bind)}${finite}, false)`;
    }
    const { start, end, isPlain } = dateSql(column);
    const others: string[] = [];
    if (isPlain !== undefined) {
      const asked = Array.from(this.#columns, () => "");
      for (const text of await this.#readDistinct(node.field, "not plain")) {
        asked[node.field] = text;
        if (evaluateQuery(node, asked)) others.push(text);
      }
    }
    const bounds = endsOf(range, { start, end }, (key: Key) => `${this.#bind(daySql(key))}::DATE`);
    const written = others.map((text) => this.#bind(text));
    const listed = written.length === 0 ? "" : ` OR coalesce(${column.sql} IN (${written.join(", ")}), false)`;
    return `(coalesce(${bounds}, false)${listed})`;
  }

  #matches({ field, pattern }: QueryNode & { readonly kind: "matches" }): string {
    const { column, type } = this.#texts(field, ["string", "list"], "a value with wildcards");
    for (const part of pattern) if (!isWildcard(part)) foldable(part);
    const fits = (text: string) =>
      `regexp_full_match(${foldSql(text)}, ${regexLiteral(`(?s)${regexOf(pattern, ".")}`)})`;
    if (type === "string") return `coalesce(${fits(textSql(column))}, false)`;
    if (!isOneElement(pattern)) {
      throw untranslated(
        `wildcards within an element of the list ${JSON.stringify(column.name)}: write begin*, *end or *within*`,
      );
    }
    return this.#anyElement(column, fits);
  }

  #anyElement({ sql }: SqlColumn, condition: (element: string) => string): string {
    return `coalesce(len(list_filter(${sql}, lambda e: ${condition("e")})) > 0, false)`;
  }

  async #present(field: number): Promise<string> {
    const { column, type } = this.#typed(field);
    if (type === "float") return `coalesce(NOT isnan(${column.sql}), false)`;
    if (type !== "list" && column.sqlType !== "VARCHAR") return `(${column.sql} IS NOT NULL)`;
    const text = `trim(${type === "list" ? `array_to_string(${column.sql}, ';')` : column.sql}, ${
      quoteText(WHITE_SPACE)
    })`;
    const words = ["", ...MISSING_WORDS].map(quoteText).join();
    const present = `coalesce(lower(${text}) NOT IN (${words}), false)`;
    const values = [...await this.#wordsOf(field)].map(quoteText);
    return values.length === 0 ? present : `(${present} OR coalesce(${text} IN (${values.join()}), false))`;
  }

  /** Words for missing that are values in a column, such as the segment NA. */
  async #wordsOf(field: number): Promise<ReadonlySet<string>> {
    const { column, type } = this.#typed(field);
    const kind = type === "string" ? valueKindOf(column.name) : undefined;
    if (kind === undefined) return new Set();
    const known = this.#valueWords.get(field) ?? findValueWords(kind, await this.#readDistinct(field, "all"));
    this.#valueWords.set(field, known);
    return known;
  }

  #typed(field: number): QueryColumn & { readonly type: FieldType } {
    const found = this.#columns[field];
    const { column, type } = found;
    if (type !== undefined) return { ...found, type };
    throw untranslated(`a condition on ${JSON.stringify(column.name)}: queries have no values of type ${column.type}`);
  }

  #texts(field: number, types: readonly FieldType[], what: string): QueryColumn & { readonly type: FieldType } {
    const found = this.#typed(field);
    if (types.includes(found.type)) return found;
    const { column, type } = found;
    throw untranslated(`${what} of ${JSON.stringify(column.name)}: the table keeps ${type} values, not their texts`);
  }

  #bind(value: string): string {
    this.#values.push(value);
    return "?";
  }
}

/** All that `contract/values` takes for white space. */
const WHITE_SPACE = " \t\n\v\f\r\u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a" +
  "\u2028\u2029\u202f\u205f\u3000";

/** Both ends of a range as a condition. */
function endsOf<T>(
  { from, to }: { readonly from?: RangeEnd<T>; readonly to?: RangeEnd<T> },
  { start, end }: { readonly start: string; readonly end: string },
  bind: (value: T) => string,
): string {
  return [
    ...from === undefined ? [] : [`${start} ${from.inclusive ? ">=" : ">"} ${bind(from.value)}`],
    ...to === undefined ? [] : [`${end} ${to.inclusive ? "<=" : "<"} ${bind(to.value)}`],
  ].join(" AND ");
}

/** Whether a pattern that fits a whole list, joined by `;`, fits one of its elements too, and the other way round. */
function isOneElement(pattern: readonly PatternPart[]): boolean {
  const kinds = pattern.map((part) => isWildcard(part) ? part.wildcard : "t").join("");
  const [text] = pattern.filter((part) => typeof part === "string");
  return ["t*", "*t", "*t*"].includes(kinds) && !/[;[\]"\s]/.test(String(text));
}

/** A text of a query that both sides fold alike. */
function foldable(text: string): string {
  if (!NOT_COMPARED.test(text)) return text;
  throw untranslated(`the text ${JSON.stringify(text)}: the Greek sigma and U+0000 are not compared alike`);
}

function untranslated(what: string): UntranslatedError {
  return new UntranslatedError(what);
}
