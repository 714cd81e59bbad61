/** `seqreg kernel remove`: removes our kernel from Jupyter. */
import { type Command, EXIT } from "../../support/command.ts";
import { DATA_DIR_OPTION, hasKernelspec, jupyterDataFolder, kernelspecFolder } from "../../support/kernelspec.ts";
import { removeExtension } from "../../jupyter/lab_extension.ts";
import { QUIET_OPTION } from "../../support/ledger.ts";

const command: Command = {
  name: "kernel remove",
  summary: "Remove the Jupyter kernel Deno (seqreg)",
  operands: "",
  operandCount: [0, 0],
  options: {
    ...DATA_DIR_OPTION,
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
    await removeExtension(dataFolder);
    await context.stdout.write(`${folder}\n`);
    return EXIT.done;
  },
};

export default command;
