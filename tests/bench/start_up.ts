/** How long the small commands take from the shell to their end, and the demonstration once its sample is there. */
import { CLI_PERMISSIONS } from "../_cli.ts";
import { report, type Row, timeCommand } from "./_report.ts";

const RUNS = 15;
const MAIN = new URL("../../src/cli/main.ts", import.meta.url).pathname;

const folder = await Deno.makeTempDir();
try {
  const fasta = `${folder}/small.fasta`;
  await Deno.writeTextFile(fasta, ">a\nACGTACGT\n>b\nACGN\n");
  const empty = `${folder}/empty.ts`;
  await Deno.writeTextFile(empty, "");
  const deno = Deno.execPath();
  const works: Readonly<Record<string, readonly string[]>> = {
    "seqreg --help": ["--help"],
    "seqreg --version": ["--version"],
    "seqreg dataset --list": ["dataset", "--list"],
    "seqreg fasta --help": ["fasta", "--help"],
    "seqreg fasta stats, a small file": ["fasta", "stats", fasta],
  };
  const rows: Row[] = [];
  for (const [work, args] of Object.entries(works)) {
    const run = () => timeCommand(deno, ["run", ...CLI_PERMISSIONS, MAIN, ...args]);
    await run();
    const ours: number[] = [];
    const bare: number[] = [];
    for (let count = 0; count < RUNS; count++) {
      ours.push(await run());
      bare.push(await timeCommand(deno, ["run", empty]));
    }
    rows.push({ work, ours, unit: "ms", goal: { atMost: 80 } });
    rows.push({ work: "  an empty program, in turn", ours: bare, unit: "ms" });
  }
  const demo = () => timeCommand(deno, ["run", ...CLI_PERMISSIONS, MAIN, "demo"], { SEQREG_CACHE: `${folder}/cache` });
  await demo();
  const demos: number[] = [];
  for (let count = 0; count < 5; count++) demos.push(await demo());
  rows.push({ work: "seqreg demo, warm", ours: demos, unit: "ms", goal: { atMost: 10_000 } });
  if (!report("start-up", rows)) Deno.exitCode = 1;
} finally {
  await Deno.remove(folder, { recursive: true });
}
