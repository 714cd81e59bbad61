/**
 * Compiles a query to SQL over the table that an import builds.
 *
 * Columns are named by the field's place (`t3`), so no name of a user's ever stands in the SQL; every value is a bound
 * parameter. No expression is ever NULL, so that negation finds what it should. Patterns become regular expressions of
 * RE2, which take linear time, or plain searches where they can.
 */
import {
  isWildcard,
  type JoinNode,
  type PatternPart,
  type QueryNode,
  type RangeEnd,
} from "../../../../src/core/query/query_ast.ts";
import { type CastDefinition, trimWhiteSpace } from "../../../../src/core/contract/values/mod.ts";
import type { Key } from "../../../../src/core/query/keys.ts";
import { joinWords, VOCABULARY_TABLE, WORD_TABLE } from "./tables.ts";

/** Words that are looked up in the table of words; the planner takes minutes over hundreds. Others are read for. */
const MAX_LOOKUPS = 8;
/** Words of a row of words that are looked up before texts are read: a few leave few records. */
const MAX_ROW_LOOKUPS = 3;

/** A parameter: a text, a number, or several texts. Numbers are always doubles. */
export type SqlParameter = string | number | SqlListParameter;

/** Several values as one parameter. */
export type SqlListParameter = { readonly texts: readonly string[] };

/** A condition in SQL with its parameters. */
export interface CompiledQuery {
  /** A boolean expression, never NULL. */
  readonly where: string;
  /** Values of `$1`, `$2` and so on. */
  readonly parameters: readonly SqlParameter[];
}

/** Compiles a condition. */
export function compileQuery(node: QueryNode): CompiledQuery {
  const parameters: SqlParameter[] = [];
  const bind = (value: SqlParameter): string => `$${parameters.push(value)}`;
  return { where: compileNode(node, { bind, lookups: MAX_LOOKUPS }), parameters };
}

type Bind = (value: SqlParameter) => string;

/** What a compilation carries along. */
interface Context {
  /** Makes a parameter, and gives what stands for it. */
  readonly bind: Bind;
  /** Word conditions that may still be looked up in the table of words. */
  lookups: number;
}

function compileNode(node: QueryNode, context: Context): string {
  const { bind } = context;
  switch (node.kind) {
    case "all":
      return "true";
    case "and":
    case "or":
      return `(${compileJoin(node, context).join(node.kind === "and" ? " AND " : " OR ")})`;
    case "not":
      return `(NOT ${compileNode(node.node, context)})`;
    case "exists":
      return `p${node.field}`;
    case "equals": {
      const text = bind(node.text);
      const ways = [`k${node.field} = ${text}`];
      if (node.within !== undefined) {
        const [start, end] = [node.within.start, node.within.end].map((key) => bindKey(node.definition, key, bind));
        ways.push(isTrue(`a${node.field} >= ${start} AND z${node.field} <= ${end}`));
      }
      if (node.elements && isElement(node.text)) ways.push(`contains(f${node.field}, ${bind(`;${node.text};`)})`);
      return `(${ways.join(" OR ")})`;
    }
    case "exact": {
      const ways: string[] = [];
      if (node.texts.length === 1) ways.push(`t${node.field} = ${bind(node.texts[0])}`);
      else if (node.texts.length > 1) ways.push(`t${node.field} IN (SELECT unnest(${bind({ texts: node.texts })}))`);
      for (const key of node.keys) ways.push(isTrue(`a${node.field} = ${bindKey(node.definition, key, bind)}`));
      if (ways.length === 0) ways.push("false");
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
    case "key-range":
      return isTrue(
        compileEnds(`a${node.field}`, `z${node.field}`, node, (key: Key) => bindKey(node.definition, key, bind)),
      );
    case "text-range":
      return `(p${node.field} AND ${compileEnds(`k${node.field}`, `k${node.field}`, node, bind)})`;
    case "words":
      return compileWords(node.words, context);
  }
}

/** Turns NULL, which stands for a value that is no number or date, into false. */
function isTrue(condition: string): string {
  return `coalesce(${condition}, false)`;
}

/** Whether a text can be an element of a list as the import writes them. */
function isElement(text: string): boolean {
  return text !== "" && !text.includes(";") && trimWhiteSpace(text) === text;
}

/** Binds a key: an integer as the 64 bits that its column has. */
function bindKey({ type }: CastDefinition, key: Key, bind: Bind): string {
  return type === "integer" ? `${bind(String(BigInt(key)))}::BIGINT` : bind(Number(key));
}

function compileEnds<T>(
  start: string,
  end: string,
  range: { readonly from?: RangeEnd<T>; readonly to?: RangeEnd<T> },
  bind: (value: T) => string,
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

/** Compiles the parts of an `and` or `or`; single words, and single words that are negated, become one search each. */
function compileJoin({ kind, nodes }: JoinNode, context: Context): string[] {
  const conditions: string[] = [];
  const wanted = nodes.flatMap((node) => singleWord(node) ?? []);
  const unwanted = kind === "and"
    ? nodes.flatMap((node) => node.kind === "not" ? singleWord(node.node) ?? [] : [])
    : [];
  const joined = new Set<QueryNode>();
  const lookUp = (words: readonly string[], all: boolean, sign: string): void => {
    const distinct = new Set(words);
    if (distinct.size < 2 || context.lookups === 0) return;
    context.lookups--;
    const rows = all ? rowsOfAll([...distinct], context) : rowsOfAny([...distinct], context);
    conditions.push(`(${sign}row IN (${rows}))`);
    for (const node of nodes) {
      const word = singleWord(sign === "" ? node : node.kind === "not" ? node.node : node);
      if (word !== undefined && (sign === "") === (node.kind === "words")) joined.add(node);
    }
  };
  lookUp(wanted, kind === "and", "");
  lookUp(unwanted, false, "NOT ");
  for (const node of nodes) if (!joined.has(node)) conditions.push(compileNode(node, context));
  return conditions;
}

/** Rows that have any of some words. */
function rowsOfAny(words: readonly string[], { bind }: Context): string {
  return `SELECT row FROM ${WORD_TABLE} WHERE word IN (SELECT unnest(${bind({ texts: words })}))`;
}

/** Words that are looked up one inside the other; the planner takes its time over many. */
const MAX_NESTED_WORDS = 4;

/** Rows that have all of some words: one is looked up inside the other. */
function rowsOfAll(words: readonly string[], { bind }: Context): string {
  const within = (inner: string) => inner === "" ? "" : ` AND row IN (${inner})`;
  const nested = words.slice(0, MAX_NESTED_WORDS).reduce(
    (inner, word) => `SELECT row FROM ${WORD_TABLE} WHERE word = ${bind(word)}${within(inner)}`,
    "",
  );
  const others = words.slice(MAX_NESTED_WORDS);
  if (others.length === 0) return nested;
  return `SELECT row FROM ${WORD_TABLE} WHERE word IN (SELECT unnest(${bind({ texts: others })}))${within(nested)} ` +
    `GROUP BY row HAVING count(*) = ${others.length}`;
}

/** Gives the word of a condition that asks for one word without wildcards. */
function singleWord(node: QueryNode): string | undefined {
  if (node.kind !== "words" || node.words.length !== 1 || node.words[0].length !== 1) return undefined;
  const [part] = node.words[0];
  return typeof part === "string" ? part : undefined;
}

/**
 * Compiles words in a row. One word is looked up in the table of words; several are, too, and only records that have
 * all of them are read: there each word stands between two spaces, each value on a line.
 */
function compileWords(words: readonly (readonly PatternPart[])[], context: Context): string {
  const one = words.length === 1 ? lookUpWord(words[0], context) : undefined;
  if (one !== undefined) return one;
  const plain = words.filter((parts) => !parts.some(isWildcard)).map((parts) => parts.join(""));
  const inARow = plain.length === words.length
    ? `contains(words, ${context.bind(joinWords(plain))})`
    : `regexp_matches(words, ${context.bind(words.map(wordRegexOf).join(""))})`;
  if (words.length === 1) return inARow;
  const known = [...new Set(plain)].slice(0, MAX_ROW_LOOKUPS)
    .map((word) => lookUpWord([word], context)).filter((condition) => condition !== undefined);
  return known.length === 0 ? inARow : `(CASE WHEN ${known.join(" AND ")} THEN ${inARow} ELSE false END)`;
}

/** Compiles one word to a search in the table of words; `undefined` when there have been too many. */
function lookUpWord(parts: readonly PatternPart[], context: Context): string | undefined {
  if (context.lookups === 0) return undefined;
  context.lookups--;
  const { bind } = context;
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
