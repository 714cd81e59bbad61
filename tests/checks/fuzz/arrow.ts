/** Arrow streams of a Spark server: rows counted from their framing, against pyarrow. */
import pl from "nodejs-polars";
import { countArrowRows } from "../../../src/spark/connect/_arrow_stream.ts";
import { type FuzzRoom, mutate, type Outcome, outcomeOf, pick, several } from "./_room.ts";
import { startOracle } from "./_python.ts";

const TEXTS = ["", "ACGT", "äöü", "\0", null];
const WORDS = ["\xff\xff\xff\xff", "\0\0\0\0", "\xff\xff\xff\xff\0\0\0\0", "\x10\0\0\0", "ARROW1\0\0"];

/** A stream as polars writes it, and the rows in it. */
function streamOf(draw: (below: number) => number): { bytes: Uint8Array; rows: number } {
  const texts = several(draw, 40, () => pick(draw, TEXTS));
  const columns = {
    text: texts,
    number: texts.map((_, index) => index % 3 === 0 ? null : index / 2),
    flag: texts.map((text) => text === null ? null : text === ""),
  };
  return { bytes: new Uint8Array(pl.DataFrame(columns).writeIPCStream()), rows: texts.length };
}

/** Opens the room. */
// deno-lint-ignore require-await
export default async function open(): Promise<FuzzRoom> {
  const oracle = startOracle();
  const whole = new Map<string, number>();
  return {
    make(draw) {
      const { bytes, rows } = streamOf(draw);
      const isWhole = draw(4) === 0;
      const input = isWhole ? Uint8Array.from(bytes) : mutate(draw, bytes, WORDS);
      if (isWhole) whole.set(input.toBase64(), rows);
      return input;
    },
    run: (input) => outcomeOf(() => countArrowRows(input)),
    async judge(input, result) {
      const ours = result as Outcome<number>;
      if ("error" in ours && !(ours.error instanceof RangeError)) return `threw ${ours.error.stack}`;
      const expected = whole.get(input.toBase64());
      whole.clear();
      if (expected !== undefined) {
        return "value" in ours && ours.value === expected ? undefined : `expected ${expected}: ${JSON.stringify(ours)}`;
      }
      // pyarrow also reads what follows the end and streams of an older form: stricter than it is right.
      if ("error" in ours) return undefined;
      const theirs = await oracle.read("arrow", input);
      if ("error" in theirs || theirs.value === ours.value) return undefined;
      return `counted ${ours.value} rows, pyarrow ${theirs.value}`;
    },
    [Symbol.asyncDispose]: () => oracle[Symbol.asyncDispose](),
  };
}
