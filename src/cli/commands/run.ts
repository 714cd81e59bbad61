/** `seqreg run FILE [ARGS]`: a script with the toolkit's imports and the permissions that it needs. */
import { runChild } from "../support/run_child.ts";
import { RegistryError } from "@seqreg/core/errors";
import { isFolder, isThere } from "@seqreg/core/io/files/is_there";
import { type Command, EXIT, UsageError } from "../support/command.ts";
import { QUIET_OPTION } from "../support/ledger.ts";
import { PERMISSION_OPTIONS, scriptPermissions } from "../scripts/script_permissions.ts";

const command: Command = {
  name: "run",
  summary: "Run a script with the toolkit's imports and the permissions that it needs",
  operands: "FILE [ARGS…]",
  operandCount: [1, Infinity],
  passesArguments: true,
  options: { ...PERMISSION_OPTIONS, ...QUIET_OPTION },
  examples: [
    "seqreg run first.ts",
    "seqreg run --allow-net=registry.example first.ts 'country:Kenya'",
  ],
  help: [{
    title: "What a script may do:",
    lines: [
      "read files, read environment variables, load the native libraries of polars and DuckDB;",
      "write below the working directory, the cache and the temporary directory;",
      "reach the registry that SEQREG_URL names. Options before FILE allow more.",
    ],
  }, {
    title: "What a script may import:",
    lines: [
      "seqreg, seqreg/analysis and the toolkit's other modules; nodejs-polars and its other packages; npm: and jsr:",
      "specifiers; the imports of the nearest deno.json. The toolkit's packages have the versions of its lock file.",
    ],
  }],
  permissions: ["--allow-read", "--allow-write", "--allow-env", "--allow-sys", "--allow-run"],
  async run(context) {
    const [script, ...args] = context.operands;
    const isAddress = /^[a-z][a-z0-9+.-]+:\/\//i.test(script);
    const isPath = !isAddress && script !== "-";
    // A script may come through a pipe.
    if (isPath && (!await isThere(script) || await isFolder(script))) {
      throw new RegistryError(
        "disk",
        `Cannot run ${script}: the file does not exist; choose a script, such as first.ts`,
      );
    }
    if (/\.ipynb$/i.test(script)) {
      throw new UsageError(
        `Cannot run ${script}: it is a notebook; open it with seqreg lab, or run it from its lock with seqreg replay`,
      );
    }
    const { writeScriptFiles } = await import("../scripts/script_files.ts");
    await using files = await writeScriptFiles(script);
    const hints = isPath ? await hintsOn(script) : [];
    for (const hint of hints) context.note(`hint: ${script}, ${hint}`);
    const program = new Deno.Command(Deno.execPath(), {
      args: ["run", "--quiet", ...files.args, ...scriptPermissions(context), script, ...args],
    });
    const code = await runChild(program, context.signal);
    return context.signal.aborted ? EXIT.interrupted : code;
  },
};

export default command;

/** What a script probably does not mean. */
async function hintsOn(script: string): Promise<string[]> {
  const { findExpressionOperators } = await import("@seqreg/jupyter/kernel/code/expression_operators");
  const { declaredNames } = await import("@seqreg/jupyter/kernel/code/declared_names");
  // A script that cannot be read is Deno's to report.
  const code = await Deno.readTextFile(script).catch(() => "");
  const calls = new Map(declaredNames(code).map(({ name, call }) => [name, call]));
  return findExpressionOperators(code, (name) => calls.get(name));
}
