/** FASTA: records against Biopython (or plain Python where it is absent), statistics against the records. */
import { fastaStats, readFasta } from "../../../src/core/fasta/mod.ts";
import { ParseError } from "../../../src/core/errors.ts";
import { difference, type FuzzRoom, inChunks, mutate, type Outcome, outcomeOf, pick, several } from "./_room.ts";
import { startOracle } from "./_python.ts";

const encoder = new TextEncoder();
const BASES = ["A", "C", "G", "T", "a", "n", "N", "-", "*", "R", "U", ".", "E"];
const HEADERS = ["a", "b c", "seq1 some words", "x|y|z", "", "  lead", "vj000000000001", "tab\there", ">>", "é"];
const WORDS = [">", "\n>", "\n", "\r\n", "\n\n", " ", "ACGT", "\t", "\n>x\n"];

type Records = { readonly records: [string, string][]; readonly bases: number; readonly count: number };

export default function open(): Promise<FuzzRoom> {
  const oracle = startOracle();
  return Promise.resolve({
    make(draw) {
      const end = pick(draw, ["\n", "\r\n"]);
      const line = () => several(draw, 90, () => pick(draw, BASES)).join("");
      const record = () => `>${pick(draw, HEADERS)}${end}${several(draw, 8, () => `${line()}${end}`).join("")}`;
      const bytes = encoder.encode(Array.from({ length: draw(20) + 1 }, record).join("")).slice(0, 100_000);
      return draw(2) === 0 ? bytes : mutate(draw, bytes, WORDS);
    },
    run: (input) =>
      outcomeOf(async (): Promise<Records> => {
        const records: [string, string][] = [];
        for await (const { header, sequence } of readFasta(inChunks(input))) records.push([header, sequence]);
        const stats = await fastaStats(inChunks(input));
        return { records, bases: stats.sum, count: stats.records };
      }),
    async judge(input, result) {
      const ours = result as Outcome<Records>;
      if ("error" in ours && !(ours.error instanceof ParseError)) return `threw ${ours.error.stack}`;
      const text = new TextDecoder("latin1").decode(input);
      // A comment line, other text before the first header and a lone CR are read by rules of our own.
      const isForeign = !text.startsWith(">") || /\n;|\r(?!\n)|[^\t\n\r -~]/.test(text);
      if (isForeign) return undefined;
      if ("error" in ours) return `refused: ${ours.error.message}`;
      const { records, bases, count } = ours.value;
      const sum = records.reduce((sum, [, sequence]) => sum + sequence.length, 0);
      if (bases !== sum || count !== records.length) return `statistics: ${count} records of ${bases}, expected ${sum}`;
      const theirs = await oracle.read("fasta", input);
      if ("error" in theirs) return `the oracle failed: ${theirs.error}`;
      const seen = records.map(([header, sequence]) => [header.trimEnd(), sequence]);
      if (!Array.isArray(theirs.value)) return "the oracle has no records";
      // Blanks before an id are part of no header.
      const expected = theirs.value.map(([header, sequence]) => [header.trimStart(), sequence.replace(/\s/g, "")]);
      return difference(seen, expected);
    },
    [Symbol.asyncDispose]: () => oracle[Symbol.asyncDispose](),
  });
}
