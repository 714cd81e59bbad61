/**
 * Commands of this checkout and of another commit, in interleaved pairs: `deno task bench pairs [COMMIT] [--runs N]
 * [--only WORD]`.
 *
 * Each run times both, one after the other and each first in turn, as whole processes with a cache of their own. They
 * read the same files: a sample of 20,000 records, which this checkout makes, serves from a process of its own, exports
 * and makes a lake. COMMIT (`HEAD` by default, which measures what is not committed) is checked out in a temporary
 * folder. `--only WORD` runs the works whose name has the word.
 *
 * The rule: the median of the pairs' ratios is at most 1.05 plus noise, which is twice the standard error of that
 * median. The error is estimated from the quartiles of the ratios, as of a normal distribution: 0.93 × (upper − lower)
 * / √runs. A difference of five per cent that noise could make is no miss; more runs make the rule stricter.
 */
import { join } from "node:path";
import { parseArgs } from "node:util";
import { makeSample } from "../../src/embedded/sample/mod.ts";
import { CLI_PERMISSIONS, NEUTRAL, runCli, startCli } from "../_cli.ts";
import { median, printTable, quantile, short, timeCommand } from "./_report.ts";
import { writeWorkbook } from "./_workbook_file.ts";

const ROOT = new URL("../../", import.meta.url).pathname;
const RUNS = 20;
const MOST_RATIO = 1.05;
const RECORDS = 20_000;
const WORKBOOK_ROWS = 20_000;
/** Records that are packed, which takes longest. */
const PACKED = 3000;
/** Exit codes of what is measured: done, rows left out, versions that differ. */
const CODES = [0, 4, 5];
/** Longest time of a server, in milliseconds. */
const SERVED_MS = 3_600_000;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { runs: { type: "string" }, only: { type: "string" } },
});
const runs = Number(values.runs ?? RUNS);
if (!Number.isSafeInteger(runs) || runs < 3) throw new RangeError("expected --runs N with at least 3 runs");

async function git(...args: readonly string[]): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command("git", { args: ["-C", ROOT, ...args] }).output();
  if (!success) throw new Error(`git ${args.join(" ")} failed: ${new TextDecoder().decode(stderr).trim()}`);
  return new TextDecoder().decode(stdout).trim();
}

/** Figures of one work, one a run. */
interface Pairs {
  readonly ours: number[];
  readonly theirs: number[];
}

/** Times both checkouts, each first in turn. */
async function timePairs(run: (checkout: "ours" | "theirs") => Promise<number>): Promise<Pairs> {
  const pairs: Pairs = { ours: [], theirs: [] };
  const names = ["ours", "theirs"] as const;
  for (const name of names) await run(name);
  for (let count = 0; count < runs; count++) {
    for (const name of count % 2 === 0 ? names : names.toReversed()) pairs[name].push(await run(name));
  }
  return pairs;
}

function quartiles(figures: readonly number[], write: (figure: number) => string): string {
  return `${write(quantile(figures, 0.25))} to ${write(quantile(figures, 0.75))}`;
}

function judge(work: string, { ours, theirs }: Pairs): { readonly line: string[]; readonly met: boolean } {
  const ratios = ours.map((figure, run) => figure / theirs[run]);
  const spread = quantile(ratios, 0.75) - quantile(ratios, 0.25);
  const most = MOST_RATIO + 2 * 0.93 * spread / Math.sqrt(runs);
  const met = median(ratios) <= most;
  const write = (ratio: number) => ratio.toFixed(3);
  return {
    met,
    line: [
      work,
      `${short(median(ours))} ms`,
      quartiles(ours, short),
      `${short(median(theirs))} ms`,
      quartiles(theirs, short),
      write(median(ratios)),
      quartiles(ratios, write),
      `≤ ${write(most)}`,
      met ? "yes" : "NO",
    ],
  };
}

/** Arguments of a command that writes to a path, which does not exist. */
type ArgsFor = (out: string) => readonly string[];

/** Times a command of a checkout from its start to its end; what it writes is removed. */
async function timeRun(
  folder: string,
  { root, name, args }: { readonly root: string; readonly name: string; readonly args: ArgsFor },
): Promise<number> {
  const out = await Deno.makeTempDir({ dir: folder });
  const own = ["--config", join(root, "deno.json"), ...CLI_PERMISSIONS];
  const main = join(root, "src/cli/main.ts");
  // An archive is downloaded anew each time.
  const env = { ...NEUTRAL, SEQREG_CACHE: args("")[0] === "dataset" ? join(out, "cache") : join(folder, name) };
  const ms = await timeCommand(
    Deno.execPath(),
    ["run", "--quiet", "--no-check", ...own, main, ...args(join(out, "out"))],
    env,
    CODES,
  );
  await Deno.remove(out, { recursive: true });
  return ms;
}

/** Makes the files that the works read. */
async function prepareWorks(folder: string, archives: string, url: string): Promise<Readonly<Record<string, ArgsFor>>> {
  const [table, later, fasta, lake] = ["meta.csv", "later.csv", "seqs.fasta", "lake"].map((name) => join(folder, name));
  const [book, few, fewRows] = ["book.xlsx", "few.fasta", "few.csv"].map((name) => join(folder, name));
  const run = async (...args: readonly string[]) => {
    const { code, stderr } = await runCli([...args, "--quiet"], { env: { SEQREG_CACHE: join(folder, "prepared") } });
    if (code !== 0) throw new Error(`${args.join(" ")} failed: ${stderr}`);
  };
  const exported = (
    out: string,
    information: string,
    type: string,
    query = "sequence_length:>0",
  ) => ["download", query, "--registry", url, "--information", information, "--type", type, "-o", out];
  await run(...exported(table, "metadata", "csv"));
  await run(...exported(fasta, "sequences", "fasta"));
  await run("lake", table, "-o", lake);
  const lines = (await Deno.readTextFile(table)).split("\n");
  const changed = lines.map((line, row) => row % 100 === 3 ? line.replace("Kenya", "Peru") : line);
  await Deno.writeTextFile(later, changed.join("\n"));
  await Deno.writeTextFile(fewRows, lines.slice(0, PACKED).join("\n"));
  await Deno.writeTextFile(few, `>${(await Deno.readTextFile(fasta)).split(">").slice(1, PACKED).join(">")}`);
  await writeWorkbook(book, WORKBOOK_ROWS);
  return {
    "seqreg --version": () => ["--version"],
    "dataset --list": () => ["dataset", "--list"],
    "search, one page": () => ["search", "country:Kenya", "--registry", url, "--format", "csv", "--quiet"],
    "dataset, downloaded and verified": (
      out,
    ) => ["dataset", "registryv1_full_dataset_sequence", "--registry", url, "-o", out, "--quiet"],
    "verify": () => ["verify", join(archives, "registryv1_full_dataset_sequence.sha256"), "--quiet"],
    "export of metadata": (out) => [...exported(`${out}.csv`, "metadata", "csv"), "--quiet"],
    "export of sequences": (out) => [...exported(`${out}.fasta`, "sequences", "fasta"), "--quiet"],
    "fasta stats": () => ["fasta", "stats", fasta, "--quiet"],
    "fasta table": (out) => ["fasta", "table", fasta, "-o", `${out}.tsv`, "--quiet"],
    "lake of a CSV": (out) => ["lake", table, "-o", out, "--quiet"],
    "lake of a workbook": (out) => ["lake", book, "-o", out, "--quiet"],
    "pack": (out) => ["pack", "--fasta", few, "--metadata", fewRows, "-o", out, "--quiet"],
    "curate": (out) => ["curate", lake, "-o", `${out}.csv`, "--quiet"],
    "isolates": (out) => ["isolates", lake, "-o", `${out}.tsv`, "--quiet"],
    "subsample": (out) => ["subsample", lake, "--by", "country", "--total", "1000", "-o", out, "--quiet"],
    "chart": (out) => ["chart", "worldMap", lake, "-o", `${out}.svg`, "--quiet"],
    "schema": () => ["schema", lake, "--quiet"],
    "diff of tables": (out) => ["diff", table, later, "-o", `${out}.jsonl`, "--quiet"],
    "alike sketch": (out) => ["alike", "sketch", few, "-o", out, "--quiet"],
    "alike clusters": (out) => ["alike", "clusters", few, "--ani", "95", "-o", `${out}.tsv`, "--quiet"],
  };
}

const commit = await git("rev-parse", "--verify", "--end-of-options", `${positionals[0] ?? "HEAD"}^{commit}`);
const folder = await Deno.makeTempDir();
const other = join(folder, "commit");
try {
  await git("worktree", "add", "--quiet", "--detach", other, commit);
  const archives = join(folder, "archives");
  await makeSample(archives, { records: RECORDS });
  const server = await startCli(["serve", archives, "--quiet"], {
    env: { SEQREG_CACHE: join(folder, "served") },
    limitMs: SERVED_MS,
  });
  try {
    const works = await prepareWorks(folder, archives, server.line);
    const roots = { ours: ROOT, theirs: other };
    const headings = ["work", "ours, median", "quartiles", `${commit.slice(0, 8)}, median`, "quartiles"];
    const lines = [[...headings, "ratio", "quartiles", "goal", "met"]];
    let good = true;
    for (const [work, argsFor] of Object.entries(works)) {
      if (!work.includes(values.only ?? "")) continue;
      const pairs = await timePairs((name) => timeRun(folder, { root: roots[name], name, args: argsFor }));
      const { line, met } = judge(work, pairs);
      good &&= met;
      lines.push(line);
    }
    printTable(`this checkout and ${commit}, ${runs} pairs`, lines);
    console.log(good ? "\nevery goal is met" : "\nA GOAL IS MISSED");
    if (!good) Deno.exitCode = 1;
  } finally {
    server.child.kill("SIGTERM");
    await server.child.status;
    await Promise.all([server.rest, server.stderr]);
  }
} finally {
  await git("worktree", "remove", "--force", other).catch(() => undefined);
  await Deno.remove(folder, { recursive: true });
}
