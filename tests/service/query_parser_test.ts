import { assertEquals, assertThrows } from "@std/assert";
import { lookupFields } from "../../src/service/_fields.ts";
import { evaluateQuery, scoreRecord } from "../../src/service/query_evaluate.ts";
import {
  MAX_QUERY_CLAUSES,
  MAX_QUERY_LENGTH,
  MAX_QUERY_NESTING,
  MAX_WILDCARDS,
  MAX_WORD_PATTERNS,
  parseQuery,
} from "../../src/service/query_parser.ts";
import { CriteriaError } from "../../src/service/store.ts";
import { definitionsOf } from "./_archives.ts";

const LOOKUP = lookupFields(definitionsOf({
  columns: ["Country", "Host Species", "Sequence Length", "Collection Date", "Isolate", "Tags", "Temperature"],
  rows: [],
  types: { "Sequence Length": "integer", "Collection Date": "date", Tags: "list", Temperature: "float" },
}));

const RECORDS: readonly (readonly string[])[] = [
  ["vj000000000001", "Germany", "Homo sapiens", "1000", "2013-12-XX", "A(H1N1)", "blood; urine", "-5"],
  ["vj000000000002", "Viet Nam", "Aedes aegypti", "1500", "2014", "hCoV-19/Wuhan:2019", "serum", "37.5"],
  ["vj000000000003", "germany", "", "12.0x", "2013-06-05", 'say "hi" * zika', "", ""],
  ["vj000000000004", "Co\u0302te d'Ivoire", "homo", "10807", "", "SARS-CoV-2 zika Zika", "Blood", "3.75e1"],
];

Deno.test("parseQuery() reads the grammar as documented", async (t) => {
  const finds: Record<string, readonly number[]> = {
    "": [1, 2, 3, 4],
    "  ": [1, 2, 3, 4],
    "*": [1, 2, 3, 4],
    "country:Germany": [1, 3],
    "Country:Germany": [1, 3],
    "country:Germany sequence_length:1000": [1],
    "country:Germany AND sequence_length:1000": [1],
    '"Host Species":homo': [4],
    "Host\\ Species:homo": [4],
    '"Host Species":"homo SAPIENS"': [1],
    "host_species:homo\\ sapiens": [1],
    "host_species:homo*": [1, 4],
    "host_species:homo?*": [1],
    "host_species:*AEGYPTI": [2],
    "host_species:*o*": [1, 4],
    'host_species:"homo*"': [],
    "host_species:*": [1, 2, 4],
    "host_species:**": [1, 2, 4],
    "-host_species:*": [3],
    'host_species:""': [3],
    "isolate:A(H1N1)": [1],
    "isolate:hCoV-19/Wuhan:2019": [2],
    'isolate:"say \\"hi\\" * zika"': [3],
    "isolate:*\\**": [3],
    "sequence_length:1e3": [1],
    "sequence_length:12.0X": [3],
    "sequence_length:[1000 TO 1500]": [1, 2],
    "sequence_length:{1000 TO 1500]": [2],
    "sequence_length:[1000 TO 1500}": [1],
    "sequence_length:[ 1000  TO * ]": [1, 2, 4],
    "sequence_length:[* TO 1000]": [1],
    "sequence_length:[* TO *]": [1, 2, 3, 4],
    "sequence_length:>=1500": [2, 4],
    "sequence_length:>1500": [4],
    "sequence_length:<1500": [1],
    "sequence_length:<=1500": [1, 2],
    "-sequence_length:<=1500": [3, 4],
    "temperature:-5": [1],
    "temperature:<0": [1],
    "temperature:37.50": [2, 4],
    "temperature:[-10 TO -1]": [1],
    "collection_date:2013": [1, 3],
    "collection_date:2013-12": [1],
    "collection_date:2013-12-01": [],
    "collection_date:2013-12-xx": [1],
    "collection_date:[2013-06 TO 2014]": [1, 2, 3],
    "collection_date:>2013": [2],
    "collection_date:>=2013-12": [1, 2],
    "collection_date:<2013-12": [3],
    "collection_date:<=2013-12": [1, 3],
    "tags:blood": [1, 4],
    "tags:URINE": [1],
    'tags:"blood; urine"': [1],
    "tags:bl*": [1, 4],
    "tags:?????": [1, 2, 4],
    "registry_accession:[vj000000000002 TO vj000000000003]": [2, 3],
    "country:(Germany OR Viet\\ Nam)": [1, 2, 3],
    "country:(g* -germany)": [],
    "sequence_length:(>=1000 AND <=1500)": [1, 2],
    "sequence_length:(<1500 OR [10000 TO *])": [1, 4],
    "-country:Germany": [2, 4],
    "NOT country:Germany": [2, 4],
    "--country:Germany": [1, 3],
    "-(country:Germany OR zika)": [2],
    "country:Germany OR zika": [1, 3, 4],
    "country:Germany zika OR serum": [2, 3],
    "(serum OR zika) -country:Germany": [2, 4],
    zika: [3, 4],
    ZIKA: [3, 4],
    "sars-cov-2": [4],
    '"cov 2"': [4],
    '"cov 2 zika"': [4],
    "cov*": [4],
    "hcov*": [2],
    "h?mo": [1, 4],
    "*sapiens": [1],
    "sars-*-2": [4],
    "sars-?": [],
    "vj000000000002": [2],
    "Wuhan\\:2019": [2],
    "country:côte*": [4],
    "CÔTE": [4],
    "ivoire\u0302": [],
    "and or not": [],
    "OReilly": [],
  };
  for (const [query, found] of Object.entries(finds)) {
    await t.step(JSON.stringify(query), () => {
      const node = parseQuery(query, LOOKUP);
      const rows = RECORDS.flatMap((values, index) => evaluateQuery(node, values) ? [index + 1] : []);
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
    "a\\": 'column 2: expected a letter after "\\"',
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
    ["x".repeat(MAX_QUERY_LENGTH + 1)]: `expected a query of at most ${MAX_QUERY_LENGTH} letters`,
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
      assertEquals(RECORDS.map((values) => scoreRecord(node, values)), expected);
    });
  }
});
