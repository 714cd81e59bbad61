/**
 * Compiles a query to SQL over the table that an import builds.
 *
 * Columns are named by the field's place (`t3`), so no name of a user's ever stands in the SQL; every value is a bound
 * parameter. No expression is ever NULL, so that negation finds what it should. Patterns become regular expressions of
 * RE2, which take linear time, or plain searches where they can.
 */
import { isWildcard, type PatternPart, type QueryNode, type RangeEnd, scoringWords } from "./query_ast.ts";
import { VOCABULARY_TABLE, WORD_TABLE } from "./_columns.ts";
import { joinWords } from "./_fold.ts";

/** A parameter: a text, a number, or several of one of them. Numbers are always doubles. */
export type SqlParameter = string | number | SqlListParameter;

/** Several values as one parameter. */
export type SqlListParameter =
  | { readonly texts: readonly string[] }
  | { readonly numbers: readonly number[] };

/** A condition in SQL with its parameters. */
export interface CompiledQuery {
  /** Joins behind the table's name, for the relevance. */
  readonly joins: string;
  /** A boolean expression, never NULL. */
  readonly where: string;
  /** An integer expression: relevance; `undefined` when it is 1 for every record. */
  readonly score: string | undefined;
  /** Values of `$1`, `$2` and so on, for all expressions. */
  readonly parameters: readonly SqlParameter[];
}

/**
 * Compiles a condition, and its relevance when that is wanted: every parameter that is bound must stand in the SQL.
 */
export function compileQuery(
  node: QueryNode,
  options: { readonly score: boolean },
): CompiledQuery {
  const parameters: SqlParameter[] = [];
  const bind = (value: SqlParameter): string => `$${parameters.push(value)}`;
  const where = compileNode(node, bind);
  const joins: string[] = [];
  const terms = (options.score ? scoringWords(node) : []).map((words, index) => {
    if (words.length === 1) {
      const hits = `SELECT row AS row${index}, hits AS hits${index} FROM ${WORD_TABLE} WHERE word = ${bind(words[0])}`;
      joins.push(` LEFT JOIN (${hits}) ON row${index} = row`);
      return `coalesce(hits${index}, 0)`;
    }
    const needle = bind(joinWords(words));
    return `(length(words) - length(replace(words, ${needle}, ''))) // length(${needle})`;
  });
  const score = terms.length === 0 ? undefined : `1 + ${terms.join(" + ")}`;
  return { joins: joins.join(""), where, score, parameters };
}

type Bind = (value: SqlParameter) => string;

function compileNode(node: QueryNode, bind: Bind): string {
  switch (node.kind) {
    case "all":
      return "true";
    case "and":
    case "or":
      return `(${node.nodes.map((child) => compileNode(child, bind)).join(node.kind === "and" ? " AND " : " OR ")})`;
    case "not":
      return `(NOT ${compileNode(node.node, bind)})`;
    case "exists":
      return `(t${node.field} <> '')`;
    case "equals": {
      const text = bind(node.text);
      const ways = [`k${node.field} = ${text}`];
      if (node.number !== undefined) ways.push(isTrue(`n${node.field} = ${bind(node.number)}`));
      if (node.date !== undefined) {
        ways.push(isTrue(
          `a${node.field} >= ${bind(node.date.start)} AND z${node.field} <= ${bind(node.date.end)}`,
        ));
      }
      if (node.elements && isElement(node.text)) ways.push(`contains(f${node.field}, ${bind(`;${node.text};`)})`);
      return `(${ways.join(" OR ")})`;
    }
    case "exact": {
      const ways: string[] = [];
      if (node.texts.length === 1) ways.push(`t${node.field} = ${bind(node.texts[0])}`);
      else if (node.texts.length > 1) ways.push(`t${node.field} IN (SELECT unnest(${bind({ texts: node.texts })}))`);
      if (node.numbers.length > 0) {
        ways.push(isTrue(`n${node.field} IN (SELECT unnest(${bind({ numbers: node.numbers })}))`));
      }
      const elements = node.elements ? node.texts.filter(isElement) : [];
      if (elements.length === 1) ways.push(`contains(l${node.field}, ${bind(`;${elements[0]};`)})`);
      else if (elements.length > 1) {
        ways.push(`list_has_any(string_split(l${node.field}, ';'), ${bind({ texts: elements })})`);
      }
      return `(${ways.join(" OR ")})`;
    }
    case "matches": {
      const whole = compilePattern(node.pattern, `k${node.field}`, bind);
      const inElement = node.elements && node.pattern.every((part) => isWildcard(part) || !part.includes(";"));
      if (!inElement) return whole;
      const regex = `;${regexOf(node.pattern, "[^;]")};`;
      return `(${whole} OR regexp_matches(f${node.field}, ${bind(regex)}))`;
    }
    case "number-range":
      return isTrue(compileEnds(`n${node.field}`, `n${node.field}`, node, bind));
    case "date-range":
      return isTrue(compileEnds(`a${node.field}`, `z${node.field}`, node, bind));
    case "text-range":
      return `(k${node.field} <> '' AND ${compileEnds(`k${node.field}`, `k${node.field}`, node, bind)})`;
    case "words":
      return compileWords(node.words, bind);
  }
}

/** Turns NULL, which stands for a value that is no number or date, into false. */
function isTrue(condition: string): string {
  return `coalesce(${condition}, false)`;
}

/** Whether a text can be an element of a list as the import writes them. */
function isElement(text: string): boolean {
  return text !== "" && !text.includes(";") && text.trim() === text;
}

function compileEnds<T extends string | number>(
  start: string,
  end: string,
  range: { readonly from?: RangeEnd<T>; readonly to?: RangeEnd<T> },
  bind: Bind,
): string {
  const ends: string[] = [];
  if (range.from) ends.push(`${start} ${range.from.inclusive ? ">=" : ">"} ${bind(range.from.value)}`);
  if (range.to) ends.push(`${end} ${range.to.inclusive ? "<=" : "<"} ${bind(range.to.value)}`);
  return ends.join(" AND ");
}

/** Compiles a pattern that the whole of a column must fit. */
function compilePattern(pattern: readonly PatternPart[], column: string, bind: Bind): string {
  const [first, second, third] = pattern;
  const isRun = (part: PatternPart | undefined) => part !== undefined && isWildcard(part) && part.wildcard === "*";
  if (pattern.length === 2 && typeof first === "string" && isRun(second)) {
    return `starts_with(${column}, ${bind(first)})`;
  }
  if (pattern.length === 2 && isRun(first) && typeof second === "string") return `suffix(${column}, ${bind(second)})`;
  if (pattern.length === 3 && isRun(first) && typeof second === "string" && isRun(third)) {
    return `contains(${column}, ${bind(second)})`;
  }
  return `regexp_full_match(${column}, ${bind(`(?s)${regexOf(pattern, ".")}`)})`;
}

/**
 * Compiles words in a row. One word is looked up in the table of words; several are, too, and only records that have all
 * of them are read: there each word stands between two spaces, each value on a line.
 */
function compileWords(words: readonly (readonly PatternPart[])[], bind: Bind): string {
  if (words.length === 1) return compileWord(words[0], bind);
  const known = words.filter((parts) => !parts.some(isWildcard)).map((parts) => compileWord(parts, bind));
  const inARow = known.length === words.length
    ? `contains(words, ${bind(joinWords(words.map((parts) => parts.join(""))))})`
    : `regexp_matches(words, ${bind(words.map(wordRegexOf).join(""))})`;
  return known.length === 0 ? inARow : `(CASE WHEN ${known.join(" AND ")} THEN ${inARow} ELSE false END)`;
}

function compileWord(parts: readonly PatternPart[], bind: Bind): string {
  const [first, second] = parts;
  const rows = (condition: string) => `(row IN (SELECT row FROM ${WORD_TABLE} WHERE ${condition}))`;
  if (typeof first === "string" && parts.length === 1) return rows(`word = ${bind(first)}`);
  if (typeof first === "string" && parts.length === 2 && isWildcard(second) && second.wildcard === "*") {
    // No word has the last code point: every longer word sorts before it.
    return rows(`word >= ${bind(first)} AND word < ${bind(`${first}\u{10ffff}`)}`);
  }
  const regex = bind(`(?s)${regexOf(parts, ".")}`);
  return rows(`word IN (SELECT word FROM ${VOCABULARY_TABLE} WHERE regexp_full_match(word, ${regex}))`);
}

function wordRegexOf(parts: readonly PatternPart[]): string {
  const any = parts.every((part) => isWildcard(part) && part.wildcard === "*");
  return any ? " [^ \n]+ " : ` ${regexOf(parts, "[^ \n]")} `;
}

/** Writes a pattern as a regular expression of RE2, in which `letter` stands for any one letter. */
function regexOf(pattern: readonly PatternPart[], letter: string): string {
  return pattern.map((part) =>
    isWildcard(part) ? `${letter}${part.wildcard === "*" ? "*" : ""}` : part.replace(/[\\^$.|?*+()[\]{}]/g, "\\$&")
  ).join("");
}
