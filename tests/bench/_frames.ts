/**
 * Reads a FASTA as polars frames and counts rows and letters: `_frames.ts FILE [--print] [--peak] [--leave]`. With
 * `--print` every header and sequence is printed; with `--peak` the most memory that the process had, in thousands of
 * bytes, is said; with `--leave` no frame is emptied: all are left to the collector.
 */
import { type FastaFrame, fastaFrames } from "../../src/core/tables/mod.ts";

const [path, ...modes] = Deno.args;
let rows = 0;
let letters = 0;
if (modes.includes("--leave")) { for await (const frame of fastaFrames(path)) count(frame); }
else for await (using frame of fastaFrames(path)) count(frame);

function count(frame: FastaFrame): void {
  rows += frame.height;
  letters += Number(frame.getColumn("length").sum());
  if (!modes.includes("--print")) return;
  const [ids, descriptions, sequences] = ["id", "description", "sequence"].map((name) =>
    frame.getColumn(name).toArray()
  );
  for (const [row, sequence] of sequences.entries()) {
    console.log(`${ids[row]} ${descriptions[row]}\t${sequence}`);
  }
}

if (!modes.includes("--print")) console.log(rows, letters);
if (modes.includes("--peak")) {
  const status = await Deno.readTextFile("/proc/self/status");
  console.error(Number(/VmHWM:\s+([0-9]+) kB/.exec(status)?.[1]) * 1.024);
}
