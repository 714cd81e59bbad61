/** The module that writes rows of numbers, beside plain TypeScript: `fasta table` of short reads, from end to end. */
import { CLI_PERMISSIONS } from "../_cli.ts";
import { report, type Row, timeCommand } from "./_report.ts";

const RUNS = 7;
const READS = 400_000;
const READ_LENGTH = 150;
const MAIN = new URL("../../src/cli/main.ts", import.meta.url).pathname;
const PLAIN = new URL("./_table_plain.ts", import.meta.url).pathname;

const folder = await Deno.makeTempDir();
try {
  const reads = `${folder}/reads.fasta`;
  await Deno.writeTextFile(reads, makeReads());
  const [own, plain] = [`${folder}/own.tsv`, `${folder}/plain.tsv`];
  const table = ["fasta", "table", reads, "--columns", "id,length,gc,ambiguous", "--quiet", "--output", own];
  const runOwn = () => timeCommand(Deno.execPath(), ["run", ...CLI_PERMISSIONS, MAIN, ...table]);
  const runPlain = () => timeCommand(Deno.execPath(), ["run", ...CLI_PERMISSIONS, PLAIN, reads, plain]);
  await runOwn();
  await runPlain();
  const row = { ours: [] as number[], theirs: [] as number[] };
  for (let run = 0; run < RUNS; run++) {
    row.ours.push(await runOwn());
    row.theirs.push(await runPlain());
  }
  const rows: Row[] = [{
    work: `fasta table of ${READS} reads of ${READ_LENGTH} bases`,
    ours: row.ours,
    unit: "ms",
    peer: { name: "plain TypeScript", figures: row.theirs },
    // Own code stays where the other takes 1.3 times as long or more.
    goal: { atMost: 0.77 },
    equal: await Deno.readTextFile(own) === await Deno.readTextFile(plain),
  }];
  if (!report("rows of numbers", rows)) Deno.exitCode = 1;
} finally {
  await Deno.remove(folder, { recursive: true });
}

function makeReads(): string {
  const bases = Array.from({ length: 100_000 }, (_, index) => "ACGT"[(index * 2_654_435_761 >>> 13) % 4]).join("");
  const starts = Array.from({ length: READS }, (_, index) => (index * 7919) % (bases.length - READ_LENGTH));
  return starts.map((start, index) => `>read${index}\n${bases.slice(start, start + READ_LENGTH)}\n`).join("");
}
