/** CSV: the one splitter, in rows and in cells, against Python's csv. */
import { ParseError } from "../../../src/core/errors.ts";
import { readCsvCells } from "../../../src/core/io/csv/csv_cells.ts";
import { readCsvRows } from "../../../src/core/io/csv/csv_rows.ts";
import { difference, type FuzzRoom, inChunks, mutate, type Outcome, outcomeOf, pick, several } from "./_room.ts";
import { startOracle } from "./_python.ts";

const encoder = new TextEncoder();
const TEXTS = [
  "",
  "a",
  "Kenya",
  '5" pipe',
  "a,b",
  "line\nbreak",
  "cr\r\nlf",
  'said ""',
  "'",
  " ",
  "Côte",
  "😀",
  "\t",
  "\0",
  ";",
];
const WORDS = ['"', '""', ",", "\n", "\r\n", '","', '"\n"', "\ufeff", "é", "\xff"];

type Rows = { readonly rows: string[][]; readonly cells: string[][] };

export default function open(): Promise<FuzzRoom> {
  const oracle = startOracle();
  return Promise.resolve({
    make(draw) {
      const cell = (): string => {
        const text = pick(draw, TEXTS).repeat(draw(50) === 0 ? 500 : 1);
        const isPlain = !/[",\r\n]/.test(text) || (/^[^",\r\n][^,\r\n]*$/.test(text) && draw(2) === 0);
        return isPlain && draw(4) > 0 ? text : `"${text.replaceAll('"', '""')}"`;
      };
      const width = draw(5) + 1;
      const lines = several(draw, 30, () => Array.from({ length: width }, cell).join(","));
      const end = pick(draw, ["\n", "\r\n"]);
      const text = lines.map((line) => `${line}${end}`).join("") +
        (draw(3) === 0 ? Array(width).fill("z").join(",") : "");
      const bytes = encoder.encode((draw(10) === 0 ? "\ufeff" : "") + text);
      return draw(2) === 0 ? bytes : mutate(draw, bytes, WORDS);
    },
    run: (input) =>
      outcomeOf(async (): Promise<Rows> => {
        const rows: string[][] = [];
        for await (const batch of readCsvRows(inChunks(input))) for (const { cells } of batch) rows.push([...cells]);
        const cells: string[][] = [];
        for await (const batch of readCsvCells(inChunks(input))) {
          for (const row of batch.rows()) cells.push([...row.cells]);
        }
        return { rows, cells };
      }),
    async judge(input, result) {
      const ours = result as Outcome<Rows>;
      if ("error" in ours && !(ours.error instanceof ParseError)) return `threw ${ours.error.stack}`;
      if ("value" in ours) {
        const both = difference(ours.value.rows, ours.value.cells);
        if (both !== undefined) return `rows and cells differ: ${both}`;
      }
      // Python takes a lone CR for the end of a line: RFC 4180 and we do not.
      if (/\r(?!\n)/.test(new TextDecoder("latin1").decode(input))) return undefined;
      const theirs = await oracle.read("csv", input);
      if ("error" in theirs) return "error" in ours ? undefined : `accepted what the oracle refuses: ${theirs.error}`;
      if ("error" in ours) return `refused what the oracle reads: ${ours.error.message}`;
      return difference(ours.value.rows, theirs.value);
    },
    [Symbol.asyncDispose]: () => oracle[Symbol.asyncDispose](),
  });
}
