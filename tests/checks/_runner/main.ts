/** `deno task checks`: runs heavy checks by name, or those that a change calls for. */
import { parseArgs } from "node:util";
import { changedFiles, commitBack } from "../../_changed_files.ts";
import { ROOT } from "../../_files.ts";
import { readModuleGraph } from "../../_module_graph.ts";
import { CHECKS } from "../checks.ts";
import type { Check } from "./check.ts";
import { checksFor } from "./choose_checks.ts";
import { install } from "./install.ts";
import { renderPage } from "./page.ts";
import { filesOf } from "./paths.ts";
import { countLine, listLines, resultLines } from "./report.ts";
import { runChecks } from "./run_checks.ts";

const USAGE = `deno task checks NAME…            runs these checks; needs are installed first
deno task checks --all            runs every check: most of an hour on two cores
deno task checks --changed [COMMIT]
                                  runs those that changes since a commit call for (default: 20 commits back),
                                  files that are not committed included
deno task checks --list           prints every check with its usual minutes; with --changed or names: those alone
deno task checks --write-page     writes the table of tests/checks/README.md
  --seed N                        seed of every check that draws one (default: each draws its own)
Logs are in .ci/out/checks. Exit code: 0 if all passed, 1 if one failed or is unsteady, 2 for a wrong command line.`;

/** Commits back from which changes count unless a commit is named. */
const COMMITS = 20;

const { values, positionals } = readArguments();
if (values["write-page"]) {
  const { path, should } = await renderPage();
  await Deno.writeTextFile(path, should);
  Deno.exit(0);
}
const seed = values.seed === undefined ? undefined : Number(values.seed);
if (seed !== undefined && (!Number.isSafeInteger(seed) || seed < 1)) {
  refuse(`--seed ${values.seed}: not a number from 1`);
}
const chosen = await choose();
if (values.list) {
  for (const line of listLines(chosen)) console.log(line);
  Deno.exit(0);
}
console.log(`${chosen.length} of ${CHECKS.length} checks: ${chosen.map(({ name }) => name).join(", ")}`);
const out = `${ROOT}.ci/out/checks`;
await Deno.mkdir(out, { recursive: true });
const say = (line: string) => console.log(line);
const interrupted = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  Deno.addSignalListener(signal, () => interrupted.abort(new Error(`ended by ${signal}`)));
}
const installation = await install(chosen, { root: ROOT, out, say });
const results = await runChecks(chosen, { ...installation, root: ROOT, out, say, seed, signal: interrupted.signal });
for (const line of resultLines(results)) console.log(line);
console.log(countLine(results));
Deno.exit(results.length === chosen.length && results.every(({ verdict }) => verdict === "passed") ? 0 : 1);

function readArguments() {
  try {
    return parseArgs({
      args: Deno.args,
      allowPositionals: true,
      options: {
        all: { type: "boolean", default: false },
        changed: { type: "boolean", default: false },
        list: { type: "boolean", default: false },
        seed: { type: "string" },
        "write-page": { type: "boolean", default: false },
      },
    });
  } catch (error) {
    return refuse(error instanceof Error ? error.message : String(error));
  }
}

async function choose(): Promise<readonly Check[]> {
  if (values.changed) {
    if (values.all || positionals.length > 1) refuse("--changed takes one commit, and neither names nor --all");
    const graph = await readModuleGraph(CHECKS.flatMap(({ files }) => filesOf(files)));
    const changed = await changedFiles(positionals[0] ?? await commitBack(COMMITS)).catch((error) =>
      refuse(error.message)
    );
    return checksFor(CHECKS, changed, graph);
  }
  if (values.all || values.list && positionals.length === 0) {
    if (positionals.length > 0) refuse("--all takes no names");
    return CHECKS;
  }
  const unknown = positionals.filter((name) => !CHECKS.some((check) => check.name === name));
  if (unknown.length > 0) refuse(`unknown: ${unknown.join(", ")}; deno task checks --list prints the names`);
  if (positionals.length === 0) refuse("expected names of checks, --all, --changed or --list");
  return CHECKS.filter(({ name }) => positionals.includes(name));
}

function refuse(reason: string): never {
  console.error(`${reason}\n\n${USAGE}`);
  Deno.exit(2);
}
