/**
 * A notebook or a script, run again with the answers that its lock recorded, or with those of the registry today.
 *
 * The program is not edited: the variable `SEQREG_REPLAY` of its environment names the lock, and every registry that it
 * opens goes by that.
 */
import { basename, dirname, join, resolve } from "node:path";
import { checkArgument, checkOptions } from "@seqreg/core/options/check_options";
import { type Naming, NAMING_RULE, SPECIFICATION_NAMING } from "@seqreg/core/contract/naming";
import type { OptionRules } from "@seqreg/core/options/option_rule";
import * as rule from "@seqreg/core/options/rules";
import { RegistryError } from "@seqreg/core/errors";
import { pathOfUrl } from "@seqreg/core/io/bytes/path_of_url";
import { cacheFolder } from "@seqreg/core/io/files/cache_folder";
import { createScratchFolder } from "@seqreg/core/io/files/scratch_folder";
import { IS_INSTALLED, KERNEL_FOLDER } from "@seqreg/jupyter/kernel/installed_imports";
import {
  LockBodies,
  type LockedCall,
  readJournal,
  readLock,
  REPLAY_VARIABLE,
  replayOrderText,
} from "@seqreg/core/registry/lock";
import { LOCK_NAME } from "@seqreg/core/registry/lock/lock_name";
import { type CallComparison, compareCalls } from "./compare_calls.ts";
import { type CellComparison, runNotebook } from "./run_notebook.ts";

/** Options of {@linkcode replay}. */
export interface ReplayOptions {
  /** Path of the lock; `seqreg.lock` next to the file by default. */
  readonly lock?: string;
  /** Whether the registry is asked again, and its answers are compared with the lock (default: false). */
  readonly live?: boolean;
  /** Arguments of a script. */
  readonly args?: readonly string[];
  /** Arguments of `deno` that run a script (default: `run --quiet --allow-all`). */
  readonly denoArgs?: readonly string[];
  /**
   * Command that starts a kernel for a notebook, with `{connection_file}` where the path of the connection file goes
   * (default: the toolkit's own kernel).
   */
  readonly kernel?: readonly string[];
  /** Folder of the cache, which holds the answers; see `cacheFolder()` for the default. */
  readonly cacheFolder?: string;
  /** What the deployment calls things; the specification's spellings by default. */
  readonly naming?: Naming;
  /** Receives what a script writes to its standard output. */
  readonly onOutput?: (chunk: Uint8Array) => void | Promise<void>;
  /** Ends the program, with the signal's reason. */
  readonly signal?: AbortSignal;
}

const REPLAY_OPTIONS = {
  lock: rule.text,
  live: rule.flag,
  args: rule.texts,
  denoArgs: rule.texts,
  kernel: rule.texts,
  cacheFolder: rule.path,
  naming: NAMING_RULE,
  onOutput: rule.callback(),
  signal: rule.signal,
} satisfies OptionRules<ReplayOptions>;

/** What a replay found. */
export interface Replay {
  /** Path of the lock. */
  readonly lock: string;
  /** Whether the registry was asked again. */
  readonly isLive: boolean;
  /** Whether nothing failed and nothing differs. */
  readonly isSame: boolean;
  /** Whether the program ran to its end, and every call was answered. */
  readonly isComplete: boolean;
  /** Calls that were answered, in order; offline each is the lock's. */
  readonly calls: readonly CallComparison[];
  /** Why calls were not answered; each names its call. */
  readonly refused: readonly string[];
  /** Calls of the lock that were not made, such as those of another program that shares it. */
  readonly unasked: number;
  /** Cells of a notebook; none of a script. */
  readonly cells: readonly CellComparison[];
  /** The notebook with the outputs of this run, as JSON text; absent for a script. */
  readonly notebook?: string;
  /** Exit code of a script; 0 for a notebook. */
  readonly exitCode: number;
}

/**
 * Replays a notebook (`.ipynb`) or a script.
 *
 * Offline, every call is answered from the lock and the cache, and one that they do not hold fails in the program, as
 * it would without a network. Live, the registry is asked again, and each answer is the same or what differs is found
 * record by record, as {@linkcode diffLakes} does. Neither the lock nor the file is changed. The outputs of a notebook
 * are compared with those that it was saved with: printed text, what a reader sees of tables and other views, and the
 * numbers that pictures draw.
 *
 * @param file Path of the notebook or the script.
 * @throws {ParseError} If the lock or the notebook is damaged, or of a newer version.
 * @throws {RegistryError} With code `disk` if the lock does not exist, the file cannot be read, or no kernel starts.
 * @see Not shown in the specification: chosen so that published work can be checked.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { replay } from "./replay.ts";
 *
 * const folder = await Deno.makeTempDir();
 * await Deno.writeTextFile(`${folder}/seqreg.lock`, '{ "seqreg-lock": 1, "calls": {} }');
 * await Deno.writeTextFile(`${folder}/none.ts`, "console.log(1 + 1);");
 * const { isSame, calls } = await replay(`${folder}/none.ts`);
 *
 * assertEquals([isSame, calls.length], [true, 0]);
 * await Deno.remove(folder, { recursive: true });
 * ```
 */
export async function replay(file: string, options: ReplayOptions = {}): Promise<Replay> {
  checkArgument("replay()", "file", file, rule.required(rule.text));
  checkOptions("replay()", options, REPLAY_OPTIONS);
  const { live: isLive = false, naming = SPECIFICATION_NAMING, signal } = options;
  await demandFile(file);
  const lock = resolve(options.lock ?? join(dirname(file), LOCK_NAME));
  const locked = await readLock(lock);
  if (locked === undefined) {
    throw new RegistryError(
      "disk",
      `Cannot replay ${file}: the lock ${lock} does not exist; run it once with SEQREG_LOCK=${
        basename(lock)
      }, or name ` +
        `another lock`,
    );
  }
  const cache = options.cacheFolder ?? cacheFolder();
  using folder = await createScratchFolder("replay");
  const journal = join(folder.path, "calls.jsonl");
  const env = {
    [REPLAY_VARIABLE]: replayOrderText({ lock, journal, isLive }),
    SEQREG_CACHE: cache,
    // Deno itself looks for a newer Deno now and then.
    ...!isLive && { SEQREG_OFFLINE: "1", DENO_NO_UPDATE_CHECK: "1" },
  };
  const isNotebook = /\.ipynb$/i.test(file);
  const run = isNotebook
    ? await runNotebook(file, {
      env,
      kernel: options.kernel ?? ownKernel(),
      signal,
    })
    : { exitCode: await runScript(file, env, options), cells: [], isComplete: true };
  const lines = await readJournal(journal);
  const refused = [...new Set(lines.flatMap((line) => "refused" in line ? [line.refused] : []))];
  const asked = new Map<string, LockedCall>();
  for (const line of lines) {
    if (!("key" in line)) continue;
    const known = asked.get(line.key);
    // Of a call that was made twice, an answer that is not the lock's has to be explained.
    if (known === undefined || known.sha256 === locked.get(line.key)?.sha256) asked.set(line.key, line.call);
  }
  const calls = await compareCalls(locked, asked, {
    bodies: new LockBodies(cache),
    naming,
    signal,
  });
  const isComplete = run.isComplete && run.exitCode === 0 && refused.length === 0;
  return {
    lock,
    isLive,
    isSame: isComplete && calls.every(({ outcome }) => outcome === "same") &&
      run.cells.every(({ outcome }) => outcome === "same" || outcome === "unsaved"),
    isComplete,
    calls,
    refused,
    unasked: [...locked.keys()].filter((key) => !asked.has(key)).length,
    cells: run.cells,
    ..."notebook" in run && { notebook: run.notebook },
    exitCode: run.exitCode,
  };
}

/** The toolkit's own kernel, started by this Deno. */
function ownKernel(): string[] {
  const main = pathOfUrl(new URL(IS_INSTALLED ? "main.js" : "main.ts", KERNEL_FOLDER));
  // A checkout's packages are those of its own configuration.
  const packages = IS_INSTALLED
    ? ["--no-config", "--no-lock", "--node-modules-dir=manual"]
    : ["--config", pathOfUrl(new URL("../../../deno.json", KERNEL_FOLDER))];
  return [Deno.execPath(), "run", "--allow-all", ...packages, main, "{connection_file}"];
}

async function demandFile(file: string): Promise<void> {
  const info = await Deno.stat(file).catch(() => undefined);
  if (info?.isFile) return;
  throw new RegistryError(
    "disk",
    `Cannot replay ${file}: expected a notebook or a script, and ${info ? "it is a folder" : "it does not exist"}; ` +
      `check its name`,
  );
}

async function runScript(
  file: string,
  env: Readonly<Record<string, string>>,
  { args = [], denoArgs = ["run", "--quiet", "--allow-all"], onOutput, signal }: ReplayOptions,
): Promise<number> {
  signal?.throwIfAborted();
  const command = new Deno.Command(Deno.execPath(), {
    args: [...denoArgs, file, ...args],
    env: { ...env },
    stdin: "null",
    stdout: "piped",
    signal,
  });
  // Ends the program where its output cannot be passed on.
  await using child = command.spawn();
  for await (const chunk of child.stdout) await onOutput?.(chunk);
  const { code } = await child.status;
  signal?.throwIfAborted();
  return code;
}
