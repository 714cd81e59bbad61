/** `seqreg replay NOTEBOOK|SCRIPT`: the same again, or why not. */
import { join } from "node:path";
import type { Replay } from "@seqreg/again";
import { cacheFolder } from "@seqreg/core/io/files/cache_folder";
import { type Command, type CommandContext, EXIT, UsageError } from "../../support/command.ts";
import { QUIET_OPTION } from "../../support/ledger.ts";
import { OUTPUT_OPTION, withOutput } from "../../support/output.ts";
import { readNaming, REGISTRY_OPTIONS } from "../../support/registry.ts";
import { PERMISSION_OPTIONS, scriptPermissions } from "../../scripts/script_permissions.ts";
import { LOCK_NAME } from "./_lock_file.ts";

const command: Command = {
  name: "replay",
  summary: "Run a notebook or a script again with the answers of its lock, or compare these with today's",
  operands: "NOTEBOOK|SCRIPT [ARGS…]",
  operandCount: [1, Infinity],
  options: {
    offline: { type: "boolean", describe: "answer every call from the lock and the cache (default)" },
    live: { type: "boolean", describe: "ask the registry again, and compare each answer with the lock" },
    lock: { type: "string", value: "FILE", describe: `the lock (default: ${LOCK_NAME} next to NOTEBOOK or SCRIPT)` },
    naming: REGISTRY_OPTIONS.naming,
    ...PERMISSION_OPTIONS,
    ...OUTPUT_OPTION,
    ...QUIET_OPTION,
  },
  examples: [
    "SEQREG_LOCK=seqreg.lock seqreg run first.ts && seqreg replay first.ts",
    "seqreg replay first.ipynb --live -o today.ipynb",
  ],
  help: [{
    title: "What comes out:",
    lines: [
      "Of a notebook: calls and cells that differ. -o writes the notebook with its new outputs; it is not changed itself.",
      "Of a script: what it prints, or -o writes it to a file; what differs is on standard error, as it is with -o - of a",
      "notebook.",
      "Exit code 0 if nothing differs, 5 if something does, 1 if a call could not be answered or the program failed.",
    ],
  }, {
    title: "How a lock is recorded:",
    lines: [
      'By Registry.open(url, { lock: "seqreg.lock" }), or without a change of the program by the variable SEQREG_LOCK.',
      "A replay is used instead of both.",
    ],
  }],
  permissions: [
    "--allow-read",
    "--allow-write",
    "--allow-env",
    "--allow-sys",
    "--allow-ffi",
    "--allow-run",
    "--allow-net",
  ],
  async run(context) {
    const { flags, operands: [file, ...args], signal } = context;
    if (flags.has("live") && flags.has("offline")) {
      throw new UsageError("Cannot use --live with --offline: choose whether the registry is asked");
    }
    const lock = flags.text("lock");
    if (lock === "") throw new UsageError(`Option --lock needs a value: --lock ${LOCK_NAME}`);
    if (/\.lock$/i.test(file)) {
      throw new UsageError(`Cannot replay ${file}: expected a notebook or a script; name its lock with --lock`);
    }
    const isNotebook = /\.ipynb$/i.test(file);
    if (isNotebook && args.length > 0) {
      throw new UsageError("Cannot pass arguments to a notebook: only a script takes them");
    }
    const naming = await readNaming(context);
    const { replay } = await import("@seqreg/again/replay/replay");
    const { replayText } = await import("@seqreg/again/replay/replay_text");
    const options = {
      lock,
      live: flags.has("live"),
      cacheFolder: cacheFolder(context.env),
      naming,
      signal,
    };
    if (isNotebook) {
      const replayed = await replay(file, { ...options, kernel: await kernelCommand(context) });
      const path = flags.text("output");
      const { notebook } = replayed;
      const isWritten = path !== undefined && notebook !== undefined && replayed.isComplete;
      if (isWritten) await withOutput(context, (output) => output.write(notebook));
      else if (path !== undefined) context.note(`${path} is not written: the notebook did not run to its end`);
      const text = replayText(replayed);
      if (isWritten && path === "-") summarize(context, text);
      else await context.stdout.write(text);
      return exitCode(replayed);
    }
    const { writeScriptFiles } = await import("../../scripts/script_files.ts");
    await using files = await writeScriptFiles(file);
    const denoArgs = ["run", "--quiet", ...files.args, ...scriptPermissions(context)];
    let replayed: Replay | undefined;
    await withOutput(context, async (output) => {
      replayed = await replay(file, { ...options, args, denoArgs, onOutput: (chunk) => output.write(chunk) });
      return { keep: replayed.isComplete };
    });
    if (replayed === undefined) throw new Error("a replay has a result");
    summarize(context, replayText(replayed));
    return exitCode(replayed);
  },
};

export default command;

/** Reports what differs on standard error, where the result itself is standard output. */
function summarize(context: CommandContext, text: string): void {
  for (const line of text.trimEnd().split("\n")) context.summary(line);
}

function exitCode({ isComplete, isSame }: { readonly isComplete: boolean; readonly isSame: boolean }): number {
  return !isComplete ? EXIT.failed : isSame ? EXIT.done : EXIT.differs;
}

/** The kernel that JupyterLab would start, which finds the toolkit from any folder; by this Deno, without `npx`. */
async function kernelCommand(context: CommandContext): Promise<string[]> {
  const { writeKernelspec } = await import("../../support/kernelspec.ts");
  const spec = await writeKernelspec(join(cacheFolder(context.env), "jupyter"), context.signal, context.env);
  const { argv }: { readonly argv: readonly string[] } = JSON.parse(await Deno.readTextFile(join(spec, "kernel.json")));
  return [Deno.execPath(), ...argv.slice(argv.indexOf("run"))];
}
