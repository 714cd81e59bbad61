/** `seqreg kernel remove`: takes our kernel out of Jupyter again. */
import { type Command, EXIT } from "./_command.ts";
import { hasKernelspec, jupyterDataFolder, kernelspecFolder } from "./_kernelspec.ts";
import { QUIET_OPTION } from "./_ledger.ts";

const command: Command = {
  name: "kernel remove",
  summary: "Remove the Jupyter kernel Deno (seqreg)",
  operands: "",
  operandCount: [0, 0],
  options: {
    "data-dir": {
      type: "string",
      value: "DIR",
      describe: "data folder of Jupyter; JUPYTER_DATA_DIR, else the user's own",
    },
    ...QUIET_OPTION,
  },
  examples: ["seqreg kernel remove"],
  permissions: ["--allow-read", "--allow-write", "--allow-env"],
  async run(context) {
    const dataFolder = context.flags.text("data-dir") ?? jupyterDataFolder(context.env);
    const folder = kernelspecFolder(dataFolder);
    if (!await hasKernelspec(dataFolder)) {
      context.note(`the kernel is not installed in ${folder}: nothing to remove`);
      return EXIT.nothing;
    }
    await Deno.remove(folder, { recursive: true });
    await context.stdout.write(`${folder}\n`);
    return EXIT.done;
  },
};

export default command;
