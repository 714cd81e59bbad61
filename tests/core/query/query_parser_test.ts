import { assertEquals, assertThrows } from "@std/assert";
import { lookupFields } from "../../../src/core/query/fields.ts";
import { evaluateQuery } from "../../../src/core/query/query_evaluate.ts";
import { scoreRecord } from "./_score_record.ts";
import {
  MAX_QUERY_CLAUSES,
  MAX_QUERY_LENGTH,
  MAX_QUERY_NESTING,
  MAX_WILDCARDS,
  MAX_WORD_PATTERNS,
  parseQuery,
} from "../../../src/core/query/query_parser.ts";
import { QUERY_GRAMMAR } from "../../../src/core/query/grammar.ts";
import { CriteriaError } from "../../../src/core/query/criteria_error.ts";
import { definitionsOf } from "../../embedded/service/_archives.ts";
import { GRAMMAR, GRAMMAR_RECORDS, GRAMMAR_TYPES } from "../../embedded/service/_grammar.ts";

const LOOKUP = lookupFields(definitionsOf({ columns: Object.keys(GRAMMAR_TYPES), rows: [], types: GRAMMAR_TYPES }));

Deno.test("parseQuery() reads the grammar as documented", async (t) => {
  for (const [query, found] of Object.entries(GRAMMAR)) {
    await t.step(JSON.stringify(query), () => {
      const node = parseQuery(query, LOOKUP);
      const rows = GRAMMAR_RECORDS.flatMap((values, index) => evaluateQuery(node, values) ? [index + 1] : []);
      assertEquals(rows, found);
    });
  }
});

Deno.test("parseQuery() refuses what it cannot follow, with the column and what was expected", async (t) => {
  const refusals: Record<string, string> = {
    "contry:x": 'column 1: no field is called "contry"; did you mean "country"?',
    "a host:x": "column 3: no field is called",
    "http://x": 'no field is called "http"',
    "__proto__:x": "no field is called",
    "country:": 'column 9: expected a value directly after "country:"',
    "country: x": "column 9: expected a value directly",
    "(country:)": "column 10: expected a value directly",
    ":x": "column 1: expected a field",
    'country:"x': "column 9: expected a quote that closes",
    'country:"x"y': "column 12: expected a space after the closing quote",
    'a"b': "column 2: a quote in the middle of a word",
    "a\\": 'column 2: expected a character after "\\"',
    "country:'x": "column 9: expected a quote that closes",
    "country:'x'y": "column 12: expected a space after the closing quote",
    "country|contry:x": 'column 9: no field is called "contry"',
    "|country:x": 'column 1: expected a field before ":"',
    "country|:x": 'column 9: expected a field before ":"',
    "(a": 'column 1: expected a ")"',
    "a)": 'column 2: this ")" closes nothing',
    "()": "column 2: expected a clause",
    "OR a": "column 1: expected a clause",
    "a OR": "column 5: expected a clause",
    "a AND OR b": "column 7: expected a clause",
    "NOT": "column 4: expected a clause",
    "-": 'column 1: expected a clause directly after "-"',
    "a - b": 'column 3: expected a clause directly after "-"',
    "sequence_length:[1 TO": "column 17: expected a range",
    "sequence_length:[1 2]": "column 17: expected a range",
    "sequence_length:[1 TO 2": "column 17: expected a range",
    "sequence_length:[a TO 2]": '"Sequence Length" is of type integer: expected a number as an end, got "a"',
    "sequence_length:>x": "column 18: ",
    "sequence_length:>": 'column 18: expected a value directly after ">"',
    "sequence_length:>1*": "column 18: expected a value without wildcards",
    "sequence_length:[1* TO 2]": "column 18: expected an end of a range without wildcards",
    "collection_date:>soon": "expected a date such as 2013, 2013-12 or 2013-12-05",
    "%%%": "column 1: expected a word with a letter or digit",
    [`country:${"a*".repeat(MAX_WILDCARDS + 1)}`]: `expected at most ${MAX_WILDCARDS} wildcards`,
    ["a* ".repeat(MAX_WORD_PATTERNS + 1)]: `expected at most ${MAX_WORD_PATTERNS} words with wildcards`,
    ["a-b ".repeat(MAX_WORD_PATTERNS + 1)]: `expected at most ${MAX_WORD_PATTERNS} words with wildcards`,
    ["a ".repeat(MAX_QUERY_CLAUSES + 1)]: `expected at most ${MAX_QUERY_CLAUSES} clauses`,
    [`${"(".repeat(MAX_QUERY_NESTING + 1)}a`]: `expected at most ${MAX_QUERY_NESTING} levels`,
    [`${"-".repeat(MAX_QUERY_NESTING + 1)}a`]: `expected at most ${MAX_QUERY_NESTING} levels`,
    ["x".repeat(MAX_QUERY_LENGTH + 1)]: `expected a query of at most ${MAX_QUERY_LENGTH} characters`,
  };
  for (const [query, says] of Object.entries(refusals)) {
    await t.step(JSON.stringify(query.slice(0, 40)), () => {
      const error = assertThrows(() => parseQuery(query, LOOKUP), CriteriaError, says);
      assertEquals(error.loc, ["query"]);
    });
  }
});

Deno.test("scoreRecord() counts where plain words stand", async (t) => {
  const scores: Record<string, readonly number[]> = {
    "": [1, 1, 1, 1],
    "country:Germany": [1, 1, 1, 1],
    zika: [1, 1, 2, 3],
    "zika zika": [1, 1, 2, 3],
    "zika OR homo": [2, 1, 2, 4],
    "zik*": [1, 1, 1, 1],
    "-zika": [1, 1, 1, 1],
    '"cov 2"': [1, 1, 1, 2],
  };
  for (const [query, expected] of Object.entries(scores)) {
    await t.step(JSON.stringify(query), () => {
      const node = parseQuery(query, LOOKUP);
      assertEquals(GRAMMAR_RECORDS.map((values) => scoreRecord(node, values)), expected);
    });
  }
});

Deno.test("the grammar that users are shown is the grammar that is read", async (t) => {
  const types = { ...GRAMMAR_TYPES, "Host Country": "string" } as const;
  const lookup = lookupFields(definitionsOf({ columns: Object.keys(types), rows: [], types }));
  for (const query of QUERY_GRAMMAR.flatMap(({ written }) => written)) {
    await t.step(query, () => assertEquals(typeof parseQuery(query, lookup).kind, "string"));
  }
});
