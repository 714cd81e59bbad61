/** `.fai` and `.gzi`: indexes against Python's, bases by place against slices, damaged indexes against whole ones. */
import { buildFastaIndex, openFasta, parseFastaIndex } from "../../../src/core/fasta/mod.ts";
import { RegistryError } from "../../../src/core/errors.ts";
import { ParseError } from "../../../src/core/errors.ts";
import { blocks, joined } from "../../core/fasta/_blocks.ts";
import { difference, drawFrom, type FuzzRoom, mutate, type Outcome, outcomeOf, pick, several } from "./_room.ts";
import { startOracle } from "./_python.ts";

const encoder = new TextEncoder();
const BASES = ["A", "C", "G", "T", "a", "n"];
const WORDS = ["\t", "\n", "0", "9", "-1", "1e9", "999999999999"];

interface Read {
  readonly entries: readonly (readonly [string, number, number, number, number])[];
  readonly bases: readonly [id: string, from: number, to: number, text: string][];
  readonly damaged: string | undefined;
}

export default async function open(): Promise<FuzzRoom> {
  const oracle = startOracle();
  const folder = await Deno.makeTempDir();
  const path = `${folder}/a.fasta`;

  /** Fetches bases; what refuses must do so in words of ours. */
  const fetch = async (ids: readonly string[], draw: (below: number) => number): Promise<Read["bases"]> => {
    await using fasta = await openFasta(path);
    const found: [string, number, number, string][] = [];
    for (const id of ids) {
      const length = fasta.entries.get(id)?.length ?? 0;
      const from = draw(length + 1) + 1;
      const to = from - 1 + draw(length - from + 2);
      if (to < from) continue;
      found.push([id, from, to, await fasta.get(id, from - 1, to) ?? ""]);
    }
    return found;
  };

  return {
    make(draw) {
      const end = pick(draw, ["\n", "\r\n"]);
      const records = Array.from({ length: draw(12) + 1 }, (_, number) => {
        const width = draw(70) + 1;
        const bases = several(draw, 600, () => pick(draw, BASES)).join("") || "A";
        const lines = bases.match(new RegExp(`.{1,${width}}`, "g")) ?? [];
        return `>r${number} of ${draw(9)}${end}${lines.map((line) => `${line}${end}`).join("")}`;
      });
      return encoder.encode(records.join(""));
    },
    run: (input) =>
      outcomeOf(async (): Promise<Read> => {
        const draw = drawFrom(input.length);
        const index = await buildFastaIndex(input);
        const entries = [...index.entries].map(({ id, length, offset, lineLetters, lineBytes }) =>
          [id, length, offset, lineLetters, lineBytes] as const
        );
        for (const ending of ["", ".fai", ".gzi"]) await Deno.remove(path + ending).catch(() => {});
        const isCompressed = draw(2) === 0;
        const cuts = several(draw, 5, () => draw(input.length));
        await Deno.writeFile(
          path,
          isCompressed ? joined([...blocks(input, cuts), ...blocks(new Uint8Array(0), [])]) : input,
        );
        const bases = await fetch(entries.map(([id]) => id), draw);
        // Damaged indexes: what is read of them is right, or refused, or made anew.
        let damaged: string | undefined;
        for (const ending of isCompressed ? [".fai", ".gzi"] : [".fai"]) {
          const whole = await Deno.readFile(path + ending);
          const broken = mutate(draw, whole, WORDS);
          await Deno.writeFile(path + ending, broken);
          if (ending === ".fai") parseFastaIndex(new TextDecoder().decode(broken), input.length);
          const again = await outcomeOf(() => fetch(entries.map(([id]) => id), drawFrom(1)));
          if ("error" in again && !(again.error instanceof ParseError) && !(again.error instanceof RegistryError)) {
            damaged = `a damaged ${ending}: ${again.error.stack}`;
          }
          await Deno.writeFile(path + ending, whole);
        }
        return { entries, bases, damaged };
      }),
    async judge(input, result) {
      const ours = result as Outcome<Read>;
      const text = new TextDecoder("latin1").decode(input);
      if ("error" in ours) {
        return ours.error instanceof ParseError || ours.error instanceof RegistryError
          ? (/^(>r[0-9]+ of [0-9]\r?\n([ACGTan]+\r?\n)+)+$/.test(text) ? `refused: ${ours.error.message}` : undefined)
          : `threw ${ours.error.stack}`;
      }
      const { entries, bases, damaged } = ours.value;
      if (damaged !== undefined) return damaged;
      const theirs = await oracle.read("index", input);
      if ("error" in theirs) return undefined;
      const differs = difference(entries, theirs.value);
      if (differs !== undefined && /^(>r[0-9]+ of [0-9]\r?\n([ACGTan]+\r?\n)+)+$/.test(text)) return differs;
      const sequences = new Map(
        text.split(/^>/m).slice(1).map((record) => {
          const [header, ...lines] = record.split(/\r?\n/);
          return [header.split(" ")[0], lines.join("")];
        }),
      );
      if (sequences.size < entries.length || differs !== undefined) return undefined;
      return difference(bases, bases.map(([id, from, to]) => [id, from, to, sequences.get(id)?.slice(from - 1, to)]));
    },
    async [Symbol.asyncDispose]() {
      await oracle[Symbol.asyncDispose]();
      await Deno.remove(folder, { recursive: true });
    },
  };
}
