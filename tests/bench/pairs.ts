/**
 * Start-up of this checkout and of another commit, in interleaved pairs: `deno task bench pairs [COMMIT] [--runs N]`.
 *
 * Each run times both, one after the other and each first in turn: `--version`, `dataset --list`, and a search for one
 * page of an embedded registry, which this checkout serves in a process of its own. COMMIT (`HEAD` by default, which
 * measures what is not committed) is checked out in a temporary folder.
 *
 * The rule: the median of the pairs' ratios is at most 1.05 plus noise, which is twice the standard error of that
 * median. The error is estimated from the quartiles of the ratios, as of a normal distribution: 0.93 × (upper − lower)
 * / √runs. A difference of five per cent that noise could make is no miss; more runs make the rule stricter.
 */
import { join } from "node:path";
import { parseArgs } from "node:util";
import { makeSample } from "../../src/embedded/sample/mod.ts";
import { CLI_PERMISSIONS, NEUTRAL, startCli } from "../_cli.ts";
import { median, printTable, quantile, short, timeCommand } from "./_report.ts";

const ROOT = new URL("../../", import.meta.url).pathname;
const RUNS = 20;
const MOST_RATIO = 1.05;
const RECORDS = 2000;
/** Longest time of a server, in milliseconds. */
const SERVED_MS = 3_600_000;

const { values, positionals } = parseArgs({ allowPositionals: true, options: { runs: { type: "string" } } });
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
    const works: Readonly<Record<string, readonly string[]>> = {
      "seqreg --version": ["--version"],
      "seqreg dataset --list": ["dataset", "--list"],
      "seqreg search, one page": ["search", "country:Kenya", "--registry", server.line, "--format", "csv", "--quiet"],
    };
    const roots = { ours: ROOT, theirs: other };
    const headings = ["work", "ours, median", "quartiles", `${commit.slice(0, 8)}, median`, "quartiles"];
    const lines = [[...headings, "ratio", "quartiles", "goal", "met"]];
    let good = true;
    for (const [work, args] of Object.entries(works)) {
      const pairs = await timePairs((name) => {
        const own = ["--config", join(roots[name], "deno.json"), ...CLI_PERMISSIONS];
        const main = join(roots[name], "src/cli/main.ts");
        const env = { ...NEUTRAL, SEQREG_CACHE: join(folder, name) };
        return timeCommand(Deno.execPath(), ["run", "--quiet", "--no-check", ...own, main, ...args], env);
      });
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
