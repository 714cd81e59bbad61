/**
 * The query grammar of the embedded registry.
 *
 * The specification shows `field:value` clauses separated by spaces and nothing else. This is a strict superset of it,
 * and our choice throughout:
 *
 * | written | found are records |
 * |---|---|
 * | `country:Germany sequence_length:1000` | for which all clauses hold |
 * | `"Host Species":human`, `Host\ Species:human` | a field by its public name; a backslash takes any character as it is |
 * | `country\|host_country:Kenya` | for which one of the fields holds: names or quoted names, joined by a bar |
 * | `country:"Viet Nam"`, `country:'Viet Nam'` | whose value equals a quoted text; wildcards in quotes are characters |
 * | `country:Ger*`, `isolate:A?12` | whose whole value fits; `*` is any run of characters, `?` any one |
 * | `country:*`, `-country:*` | that have a value; whose value is missing |
 * | `country:""` | whose value is empty |
 * | `sequence_length:[1000 TO 2000]`, `{1000 TO *]` | in a range: `[` and `]` with, `{` and `}` without its end |
 * | `sequence_length:>=1000`, `>`, `<`, `<=` | in a range with one end |
 * | `collection_date:2013`, `[2013-06 TO 2014]` | whose date, as far as it is known, lies within |
 * | `-country:Germany`, `NOT country:Germany` | for which the clause does not hold, those without a value included |
 * | `country:(Germany OR France)` | for which one alternative holds; inside, clauses are values |
 * | `a OR b`, `(a b) OR c`, `a AND b` | as it says; `OR` binds less than a space, which is `AND` |
 * | `zika`, `"west nile"`, `corona*` | with the word, or the words in a row, in some value: every field is searched |
 * | `*`, an empty query | all of them |
 *
 * Equality ignores case and compares whole values; fields of numbers and booleans also compare by meaning (`1e3` and
 * `1000 bp` equal `1000`, `yes` equals `true`), a date field matches if the date lies within the queried one
 * (`2013-12-XX` within `2013`), and a `;`-joined list matches if any element is equal. Ranges of texts go by code
 * point, ignoring case. Values are read as in typed frames (`readValue` of `seqreg/contract`). A value is missing if it
 * is empty or a placeholder (`?`, `not collected`): it is in no range, it is sorted last, and only its own text finds
 * it. A word is a run of letters and digits: `SARS-CoV-2` is three words in a row.
 */
import type { Field, FieldLookup } from "./fields.ts";
import { fold } from "./fold.ts";
import { rangeNode, type WrittenRange } from "./_range_node.ts";
import { allOf, isWildcard, type PatternPart, type QueryNode } from "./query_ast.ts";
import { CriteriaError } from "./criteria_error.ts";
import { equalsNode, isQuote, isSpace, plainText, splitWords } from "./_query_terms.ts";

/** Longest query that is read, in UTF-16 units. */
export const MAX_QUERY_LENGTH = 32_768;
/** Most clauses of a query. */
export const MAX_QUERY_CLAUSES = 100;
/** Deepest nesting of parentheses and negations. */
export const MAX_QUERY_NESTING = 32;

/** Most words with wildcards, and rows of several words, among the free words. */
export const MAX_WORD_PATTERNS = 16;
/** Most wildcards in one value or word. */
export const MAX_WILDCARDS = 32;

/** A word or a quoted text. */
interface Term {
  readonly parts: readonly PatternPart[];
  readonly column: number;
}

/**
 * Reads a query.
 *
 * @throws {CriteriaError} With `loc` `["query"]` if the text breaks the grammar, names an unknown field, gives a range
 * an end that the field's type cannot have, or is longer, wider or deeper than the limits. The message says the column,
 * counted from 1, and what was expected.
 * @see Specification 4.4, query syntax; rule 4 leaves the rest open.
 */
export function parseQuery(text: string, lookup: FieldLookup): QueryNode {
  if (text.length > MAX_QUERY_LENGTH) {
    throw new CriteriaError(
      `expected a query of at most ${MAX_QUERY_LENGTH} characters, got ${text.length}; use filters for long lists`,
      ["query"],
    );
  }
  return new QueryParser(text.toWellFormed(), lookup).parse();
}

class QueryParser {
  #at = 0;
  #clauses = 0;
  #wordPatterns = 0;
  readonly #text: string;
  readonly #lookup: FieldLookup;

  constructor(text: string, lookup: FieldLookup) {
    this.#text = text;
    this.#lookup = lookup;
  }

  parse(): QueryNode {
    this.#skipSpaces();
    if (this.#at === this.#text.length) return { kind: "all" };
    const node = this.#parseOr(undefined, 0);
    if (this.#at < this.#text.length) this.#fail(this.#at, 'this ")" closes nothing; quote it to look for it');
    return node;
  }

  #parseOr(field: Field | undefined, depth: number): QueryNode {
    const nodes = [this.#parseAnd(field, depth)];
    while (this.#takeKeyword("OR")) nodes.push(this.#parseAnd(field, depth));
    return nodes.length === 1 ? nodes[0] : { kind: "or", nodes };
  }

  #parseAnd(field: Field | undefined, depth: number): QueryNode {
    const nodes = [this.#parseNot(field, depth)];
    for (;;) {
      this.#skipSpaces();
      const here = this.#text[this.#at];
      if (here === undefined || here === ")" || this.#atKeyword("OR")) return allOf(nodes);
      this.#takeKeyword("AND");
      nodes.push(this.#parseNot(field, depth));
    }
  }

  #parseNot(field: Field | undefined, depth: number): QueryNode {
    this.#skipSpaces();
    this.#checkDepth(depth);
    const start = this.#at;
    if (this.#text[start] === "-") {
      this.#at++;
      const next = this.#text[this.#at];
      if (next === undefined || isSpace(next)) this.#fail(start, 'expected a clause directly after "-"');
      return { kind: "not", node: this.#parseNot(field, depth + 1) };
    }
    if (this.#takeKeyword("NOT")) return { kind: "not", node: this.#parseNot(field, depth + 1) };
    return this.#parsePrimary(field, depth);
  }

  #parsePrimary(field: Field | undefined, depth: number): QueryNode {
    const here = this.#text[this.#at];
    if (here === undefined || here === ")" || this.#atKeyword("OR") || this.#atKeyword("AND")) {
      this.#fail(this.#at, "expected a clause, such as country:Germany, or a word");
    }
    if (here === "(") return this.#parseGroup(field, depth);
    this.#countClause();
    if (field !== undefined) return this.#parseValue(field, depth);
    const start = this.#at;
    const terms = [this.#readTerm(":|")];
    while (this.#text[this.#at] === "|") {
      this.#at++;
      terms.push(this.#readTerm(":|"));
    }
    if (this.#text[this.#at] !== ":") {
      // Without a colon behind it a bar is a character of the words.
      this.#at = start;
      return this.#wordsNode(this.#readTerm(":"));
    }
    const fields = terms.map((term) => this.#findField(term));
    this.#at++;
    return this.#parseFieldValues(fields, depth);
  }

  /** Reads the value behind `field:`, once for each field of a list joined by bars. */
  #parseFieldValues(fields: readonly Field[], depth: number): QueryNode {
    const start = this.#at;
    const next = this.#text[start];
    if (next === undefined || isSpace(next) || next === ")") {
      const { alias } = fields[0];
      this.#fail(start, `expected a value directly after "${alias}:", such as ${alias}:* for any`);
    }
    const nodes = fields.map((field, index) => {
      if (index > 0) this.#countClause();
      this.#at = start;
      return next === "(" ? this.#parseGroup(field, depth) : this.#parseValue(field, depth);
    });
    return nodes.length === 1 ? nodes[0] : { kind: "or", nodes };
  }

  #countClause(): void {
    if (++this.#clauses <= MAX_QUERY_CLAUSES) return;
    this.#fail(this.#at, `expected at most ${MAX_QUERY_CLAUSES} clauses; use filters for long lists`);
  }

  #parseGroup(field: Field | undefined, depth: number): QueryNode {
    const start = this.#at++;
    const node = this.#parseOr(field, depth + 1);
    if (this.#text[this.#at] !== ")") this.#fail(start, 'expected a ")" that closes this "("');
    this.#at++;
    return node;
  }

  #parseValue(field: Field, depth: number): QueryNode {
    const here = this.#text[this.#at];
    if (isQuote(here)) return equalsNode(field, plainText(this.#readQuoted().parts));
    if (here === "[" || here === "{") return this.#parseRange(field);
    if (here === ">" || here === "<") return this.#parseComparison(field);
    if (here === "(") return this.#parseGroup(field, depth);
    const { parts } = this.#readBare("");
    if (!parts.some(isWildcard)) return equalsNode(field, plainText(parts));
    if (parts.every((part) => isWildcard(part) && part.wildcard === "*")) return { kind: "exists", field: field.index };
    const pattern = parts.map((part) => typeof part === "string" ? fold(part) : part);
    return { kind: "matches", field: field.index, pattern, elements: field.type === "list" };
  }

  #parseRange(field: Field): QueryNode {
    const start = this.#at;
    const expected = `expected a range such as [1 TO 9], [1 TO *] or {1 TO 9}; quote the value if it is a text`;
    const fromInclusive = this.#text[this.#at++] === "[";
    const from = this.#readRangeEnd(start, expected);
    this.#skipSpaces();
    if (!this.#takeKeyword("TO")) this.#fail(start, expected);
    const to = this.#readRangeEnd(start, expected);
    this.#skipSpaces();
    const close = this.#text[this.#at++];
    if (close !== "]" && close !== "}") this.#fail(start, expected);
    return this.#rangeNode(field, {
      from: from === undefined ? undefined : { value: from, inclusive: fromInclusive },
      to: to === undefined ? undefined : { value: to, inclusive: close === "]" },
    }, start);
  }

  #readRangeEnd(start: number, expected: string): string | undefined {
    this.#skipSpaces();
    const here = this.#text[this.#at];
    if (here === undefined || here === "]" || here === "}") this.#fail(start, expected);
    if (isQuote(here)) return plainText(this.#readQuoted().parts);
    const { parts, column } = this.#readBare("]}");
    if (parts.length === 1 && isWildcard(parts[0]) && parts[0].wildcard === "*") return undefined;
    if (parts.some(isWildcard)) this.#fail(column, "expected an end of a range without wildcards, or * alone");
    return plainText(parts);
  }

  #parseComparison(field: Field): QueryNode {
    const start = this.#at;
    const less = this.#text[this.#at++] === "<";
    const inclusive = this.#text[this.#at] === "=";
    if (inclusive) this.#at++;
    const here = this.#text[this.#at];
    if (here === undefined || isSpace(here) || here === ")" || here === "(") {
      this.#fail(this.#at, `expected a value directly after "${this.#text.slice(start, this.#at)}"`);
    }
    const { parts, column } = this.#readTerm("");
    if (parts.some(isWildcard)) this.#fail(column, "expected a value without wildcards in a comparison");
    const end = { value: plainText(parts), inclusive };
    return this.#rangeNode(field, less ? { to: end } : { from: end }, column);
  }

  #rangeNode(field: Field, range: WrittenRange, at: number): QueryNode {
    return rangeNode(field, range, (text, expected) => {
      const shown = JSON.stringify(text.slice(0, 100));
      return this.#fail(at, `"${field.name}" is of type ${field.type}: expected ${expected} as an end, got ${shown}`);
    });
  }

  #wordsNode({ parts, column }: Term): QueryNode {
    if (parts.length > 0 && parts.every((part) => isWildcard(part) && part.wildcard === "*")) return { kind: "all" };
    const words = splitWords(parts);
    if (words.length === 0) {
      this.#fail(column, "expected a word with a letter or digit; to search for other characters, name a field");
    }
    if (words.length > 1 || words[0].length > 1 || isWildcard(words[0][0])) this.#wordPatterns++;
    if (this.#wordPatterns > MAX_WORD_PATTERNS) {
      this.#fail(column, `expected at most ${MAX_WORD_PATTERNS} words with wildcards or rows of words; name fields`);
    }
    return { kind: "words", words };
  }

  #findField({ parts, column }: Term): Field {
    const name = parts.map((part) => typeof part === "string" ? part : part.wildcard).join("");
    if (name === "") this.#fail(column, 'expected a field before ":"; quote the text to look for it');
    const field = this.#lookup.find(name);
    if (field !== undefined) return field;
    return this.#fail(column, `${this.#lookup.describeUnknown(name)} Quote the text to look for it in all fields`);
  }

  /** Reads a quoted text or a bare word; a quote opens a text only at its beginning. */
  #readTerm(stops: string): Term {
    return isQuote(this.#text[this.#at]) ? this.#readQuoted() : this.#readBare(stops);
  }

  /** Reads a quoted text; the position is at its opening quote, double or single. */
  #readQuoted(): Term {
    const column = this.#at++;
    const quote = this.#text[column];
    const characters: string[] = [];
    for (;;) {
      const character = this.#text[this.#at++];
      if (character === undefined) this.#fail(column, "expected a quote that closes the one here");
      if (character === quote) break;
      characters.push(character === "\\" ? this.#readEscaped() : character);
    }
    const next = this.#text[this.#at];
    if (next !== undefined && !isSpace(next) && !":|)]}".includes(next)) {
      this.#fail(this.#at, `expected a space after the closing quote; write \\${quote} for a quote in a text`);
    }
    return { parts: characters.length === 0 ? [] : [characters.join("")], column };
  }

  /** Reads up to a space, an unbalanced parenthesis or one of the characters that stop it. */
  #readBare(stops: string): Term {
    const column = this.#at;
    const parts: PatternPart[] = [];
    let characters: string[] = [];
    let open = 0;
    const flush = () => {
      if (characters.length > 0) parts.push(characters.join(""));
      characters = [];
    };
    for (; this.#at < this.#text.length;) {
      const character = this.#text[this.#at];
      if (isSpace(character) || stops.includes(character) || (character === ")" && open === 0)) break;
      if (character === '"') {
        this.#fail(this.#at, 'a quote in the middle of a word: write \\" for the character itself');
      }
      this.#at++;
      if (character === "(") open++;
      if (character === ")") open--;
      if (character === "\\") characters.push(this.#readEscaped());
      else if (character === "*" || character === "?") {
        flush();
        parts.push({ wildcard: character });
      } else characters.push(character);
    }
    flush();
    if (parts.filter(isWildcard).length > MAX_WILDCARDS) {
      this.#fail(column, `expected at most ${MAX_WILDCARDS} wildcards in a value`);
    }
    return { parts, column };
  }

  #readEscaped(): string {
    return this.#text[this.#at++] ?? this.#fail(this.#at - 2, 'expected a character after "\\"');
  }

  #skipSpaces(): void {
    while (this.#at < this.#text.length && isSpace(this.#text[this.#at])) this.#at++;
  }

  #atKeyword(word: "AND" | "OR" | "NOT" | "TO"): boolean {
    if (!this.#text.startsWith(word, this.#at)) return false;
    const next = this.#text[this.#at + word.length];
    return next === undefined || isSpace(next) || next === "(" || next === ")";
  }

  #takeKeyword(word: "AND" | "OR" | "NOT" | "TO"): boolean {
    this.#skipSpaces();
    if (!this.#atKeyword(word)) return false;
    this.#at += word.length;
    return true;
  }

  #checkDepth(depth: number): void {
    if (depth <= MAX_QUERY_NESTING) return;
    this.#fail(this.#at, `expected at most ${MAX_QUERY_NESTING} levels of parentheses and negations`);
  }

  #fail(at: number, what: string): never {
    throw new CriteriaError(`query, column ${at + 1}: ${what}`, ["query"]);
  }
}
