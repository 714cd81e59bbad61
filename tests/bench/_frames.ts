/**
 * Reads a FASTA as polars frames and counts rows and letters: `_frames.ts FILE [--print|--peak]`. With `--print` every
 * header and sequence is printed; with `--peak` the most memory that the process had, in thousands of bytes, is said.
 */
import { fastaFrames } from "../../src/tables/mod.ts";

const [path, mode] = Deno.args;
let rows = 0;
let letters = 0;
for await (const frame of fastaFrames(path)) {
  rows += frame.height;
  letters += Number(frame.getColumn("length").sum());
  if (mode !== "--print") continue;
  const [ids, descriptions, sequences] = ["id", "description", "sequence"].map((name) =>
    frame.getColumn(name).toArray()
  );
  for (const [row, sequence] of sequences.entries()) {
    console.log(`${ids[row]} ${descriptions[row]}\t${sequence}`);
  }
}
if (mode !== "--print") console.log(rows, letters);
if (mode === "--peak") {
  const status = await Deno.readTextFile("/proc/self/status");
  console.error(Number(/VmHWM:\s+([0-9]+) kB/.exec(status)?.[1]) * 1.024);
}
