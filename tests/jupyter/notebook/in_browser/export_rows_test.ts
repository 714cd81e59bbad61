import { assertEquals } from "@std/assert";
import type { SentCell } from "../../../../src/jupyter/notebook/in_browser/cells.ts";
import {
  describeExport,
  fileName,
  type RowsToWrite,
  writeRows,
} from "../../../../src/jupyter/notebook/in_browser/export_rows.ts";
import type { TableFacts } from "../../../../src/jupyter/notebook/in_browser/find_rows.ts";

const COLUMNS: SentCell[][] = [
  ["vj1", "vj2", "=1+1"],
  [0.1 + 0.2, null, "9007199254740993"],
  ['a "b", c', ["x".repeat(5), 3000], "tab\there\r\n\x1b"],
  [["00", "2 bases", "GC"], null, null],
];

function contentOf(facts: Partial<TableFacts> = {}, rows = [0, 1, 2], shown = [0, 1, 2, 3]): RowsToWrite {
  return {
    columns: COLUMNS,
    rows,
    shown,
    facts: {
      caption: "search",
      names: ["Registry Accession", "GC, %", "Comment", "sequence"],
      kinds: ["text", "number", "text", "sequence"],
      count: 3,
      total: 3,
      limits: "",
      complete: "toCSV() writes all of it",
      page: 20,
      shown: 64,
      pinned: 0,
      tools: true,
      marks: "",
      colours: [],
      ...facts,
    },
  };
}

Deno.test("a file holds whole numbers and raw texts, quoted as the toolkit's own CSV", () => {
  assertEquals(
    writeRows(contentOf(), "csv"),
    'Registry Accession,"GC, %",Comment\n' +
      'vj1,0.30000000000000004,"a ""b"", c"\n' +
      'vj2,,"xxxxx… (3,000 characters)"\n' +
      '=1+1,9007199254740993,"tab\there\r\n\x1b"\n',
  );
  assertEquals(
    writeRows(contentOf({}, [2, 0], [2, 0]), "tsv"),
    'Comment\tRegistry Accession\ntab\\there\\r\\n\x1b\t=1+1\na "b", c\tvj1\n',
  );
});

Deno.test("a file is named after the table, and an excerpt says so", () => {
  assertEquals(fileName(contentOf()), "search.csv");
  assertEquals(fileName(contentOf({}, [1])), "search-1-of-3.csv");
  assertEquals(fileName(contentOf({ total: 30_000 })), "search-first-3-of-30000.csv");
  assertEquals(fileName(contentOf({ total: null }, [1])), "search-1-of-first-3.csv");
  assertEquals(fileName(contentOf({ caption: "../<b>" })), "b.csv");
  assertEquals(fileName(contentOf({ caption: "…" })), "table.csv");
});

Deno.test("a file reports what it leaves out", () => {
  assertEquals(describeExport(contentOf({}, [0], [0, 1])), "1 row of 3 × 2 columns");
  assertEquals(
    describeExport(contentOf({ total: 30_000 })),
    "3 rows × 3 columns; the table holds the first 3 of 30,000 rows; long values are cut in Comment; " +
      "sequence is left out; toCSV() writes all of it",
  );
});
