/** `deno task mutate`: see {@linkcode USAGE}. */
import { parseArgs } from "node:util";
import { fromFileUrl } from "../../_files.ts";
import { applyMutation, findMutations, type Mutation } from "./_mutations.ts";
import { formatSurvivor, type ListedSurvivor, parseSurvivors, type Survivor, survivorKey } from "./_survivors.ts";
import { type Target, TARGETS } from "./_targets.ts";
import { type Outcome, trackedFiles, Tree } from "./_tree.ts";

const USAGE = `deno task mutate [TARGET…] [--most 150] [--seed 1] [--jobs 2] [--file TEXT]

Mutation testing: changes one operator, condition, literal or body of the source at a time in a copy of the checkout and
runs the tests of that part. A change that no test notices has survived. Prints the survivors and each target's share of
killed mutations; a mutation is killed by a failing test, by no end within its time, or by 2 GB of memory.

Exit code 1: a target has less than 80 % killed, a survivor is not listed with its reason in survivors.md, or what is
listed there no longer is a mutation of the source.

TARGET   ${TARGETS.map(({ name }) => name).join(", ")} (default: all)
--most   mutations of a target, chosen by seed; 0 for all of them (default: 150)
--seed   another seed chooses others (default: 1)
--jobs   copies of the checkout that are tested at the same time (default: 2)
--file   only files whose path contains TEXT`;

const ROOT = new URL("../../../", import.meta.url);
const SURVIVORS = new URL("./survivors.md", import.meta.url);
const GOAL = 0.8;
/** A run may take so many times as long as one of the unchanged source, and some seconds. */
const TIMES = 4;
const GRACE_MS = 10_000;

interface Mutant extends Mutation, Survivor {
  readonly path: string;
  readonly source: string;
}

interface Stage {
  readonly tests: readonly string[];
  readonly limitMs: number;
}

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    most: { type: "string", default: "150" },
    seed: { type: "string", default: "1" },
    jobs: { type: "string", default: "2" },
    file: { type: "string", default: "" },
    help: { type: "boolean", default: false },
  },
});
const unknown = positionals.filter((name) => TARGETS.every((target) => target.name !== name));
if (flags.help || unknown.length > 0) {
  console.log(unknown.length > 0 ? `no target ${unknown.join(", ")}\n\n${USAGE}` : USAGE);
  Deno.exit(flags.help ? 0 : 2);
}

const root = fromFileUrl(ROOT);
const files = await trackedFiles(root);
const listed = new Map(parseSurvivors(await Deno.readTextFile(SURVIVORS)).map((entry) => [survivorKey(entry), entry]));
const trees = await Promise.all(Array.from({ length: Number(flags.jobs) }, () => Tree.copy(root, files)));
try {
  let isGood = flags.file !== "" || await areListedPossible();
  for (const target of TARGETS) {
    if (positionals.length === 0 || positionals.includes(target.name)) isGood = await mutate(target) && isGood;
  }
  Deno.exitCode = isGood ? 0 : 1;
} finally {
  for (const tree of trees) await tree[Symbol.asyncDispose]();
}

/** Mutates one target; whether enough are killed, and every survivor has its reason. */
async function mutate(target: Target): Promise<boolean> {
  const all = await mutantsOf(target);
  const most = Number(flags.most) === 0 ? Infinity : Number(flags.most);
  const chosen = sample(all, most, Number(flags.seed));
  const stages = await stagesOf(target);
  const began = performance.now();
  const survivors: Mutant[] = [];
  const ends = { failed: 0, timeout: 0, memory: 0 };
  const waiting = [...chosen];
  await Promise.all(trees.map(async (tree) => {
    for (let mutant = waiting.shift(); mutant !== undefined; mutant = waiting.shift()) {
      const outcome = await run(mutant, tree, stages);
      if (outcome === "passed") {
        report(mutant);
        survivors.push(mutant);
      } else ends[outcome]++;
    }
  }));
  const killed = chosen.length - survivors.length;
  const share = chosen.length === 0 ? 0 : killed / chosen.length;
  const seconds = ((performance.now() - began) / 1000).toFixed(0);
  console.log(
    `${target.name}: ${killed} of ${chosen.length} mutations killed, ${
      (share * 100).toFixed(1)
    } % (${ends.timeout} by ` +
      `time, ${ends.memory} by memory; ${all.length} possible; seed ${flags.seed}; ${seconds} s)`,
  );
  const isListed = survivors.every((mutant) => listed.has(survivorKey(mutant)));
  if (share < GOAL) console.log(`${target.name}: FAILED, expected at least ${GOAL * 100} %`);
  if (!isListed) console.log(`${target.name}: FAILED, survivors without a reason in survivors.md`);
  return share >= GOAL && isListed;
}

/** Whether the list names mutations of the source as it is. */
async function areListedPossible(): Promise<boolean> {
  const possible = new Set((await Promise.all(TARGETS.map(mutantsOf))).flat().map(survivorKey));
  const stale = [...listed].filter(([key]) => !possible.has(key)).map(([, entry]) => entry);
  for (const entry of stale) console.log(`not in the source any more:\n${formatSurvivor(entry, entry.reason)}\n`);
  return stale.length === 0;
}

async function mutantsOf({ name, sources }: Target): Promise<Mutant[]> {
  const paths = files.filter((path) => sources.test(path) && path.includes(flags.file));
  if (paths.length === 0) throw new Error(`no file of target ${name}: its folders were moved`);
  const found: Mutant[] = [];
  for (const path of paths) {
    const source = await Deno.readTextFile(new URL(path, ROOT));
    const file = path.slice(path.lastIndexOf("/") + 1);
    found.push(...findMutations(source).map((mutation) => ({ ...mutation, path, file, source })));
  }
  return found;
}

/** Those of the smallest hashes: a change of a line changes little else in the choice. */
function sample(mutants: readonly Mutant[], most: number, seed: number): readonly Mutant[] {
  if (mutants.length <= most) return mutants;
  const ranked = mutants.map((mutant) => ({ mutant, rank: hash(`${seed}\n${survivorKey(mutant)}`) }));
  return ranked.sort((a, b) => a.rank - b.rank).slice(0, most).map(({ mutant }) => mutant);
}

/** FNV-1a over UTF-16 units, mixed once more. */
function hash(text: string): number {
  let state = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) state = Math.imul(state ^ text.charCodeAt(at), 0x01000193);
  state = Math.imul(state ^ state >>> 15, 0x2c1b3c6d);
  return (state ^ state >>> 12) >>> 0;
}

/** The tests of a target, which must pass on the unchanged source, with the time they may take. */
async function stagesOf({ name, tests, more }: Target): Promise<Stage[]> {
  const stages: Stage[] = [];
  for (const pattern of more === undefined ? [tests] : [tests, more]) {
    const paths = files.filter((path) => pattern.test(path));
    if (paths.length === 0) throw new Error(`no test of target ${name}: its folders were moved`);
    const began = performance.now();
    const outcome = await trees[0].test(paths, 600_000);
    const took = performance.now() - began;
    if (outcome !== "passed") throw new Error(`the tests of ${name} do not pass on the unchanged source: ${paths}`);
    stages.push({ tests: paths, limitMs: took * TIMES + GRACE_MS });
  }
  return stages;
}

/** Runs the tests of the mutant's own module first: most mutations end there. */
async function run(mutant: Mutant, tree: Tree, stages: readonly Stage[]): Promise<Outcome> {
  const [{ tests, limitMs }] = stages;
  const name = mutant.file.replace(/^_/, "").replace(/\.ts$/, "_test.ts");
  const own = tests.filter((path) => path.endsWith(`/${name}`));
  const others = { tests: tests.filter((path) => !own.includes(path)), limitMs };
  await tree.write(mutant.path, applyMutation(mutant.source, mutant));
  try {
    for (const { tests, limitMs } of [{ ...others, tests: own }, others, ...stages.slice(1)]) {
      if (tests.length === 0) continue;
      const outcome = await tree.test(tests, limitMs);
      if (outcome !== "passed") return outcome;
    }
    return "passed";
  } finally {
    await tree.write(mutant.path, mutant.source);
  }
}

/** Prints a survivor as the list holds it. */
function report(mutant: Mutant): void {
  const entry: ListedSurvivor | undefined = listed.get(survivorKey(mutant));
  console.log(`${mutant.path}:${mutant.line} ${entry === undefined ? "NEW " : ""}survivor`);
  console.log(`${formatSurvivor(mutant, entry?.reason ?? "REASON")}\n`);
}
