/** `seqreg kernel install`: registers our kernel with Jupyter. */
import { type Command, EXIT } from "../../support/command.ts";
import { DATA_DIR_OPTION, jupyterDataFolder, writeKernelspec } from "../../support/kernelspec.ts";
import { writeExtension } from "../../jupyter/lab_extension.ts";
import { QUIET_OPTION } from "../../support/ledger.ts";

const command: Command = {
  name: "kernel install",
  summary: "Install the Jupyter kernel Deno (seqreg) for this user",
  operands: "",
  operandCount: [0, 0],
  options: {
    ...DATA_DIR_OPTION,
    ...QUIET_OPTION,
  },
  examples: ["seqreg kernel install"],
  permissions: ["--allow-read", "--allow-write", "--allow-env"],
  async run(context) {
    const dataFolder = context.flags.text("data-dir") ?? jupyterDataFolder(context.env);
    const folder = await writeKernelspec(dataFolder, context.signal);
    await writeExtension(dataFolder, context.signal);
    await context.stdout.write(`${folder}\n`);
    context.summary("installed; choose the kernel Deno (seqreg) in Jupyter, or start it with: seqreg lab");
    return EXIT.done;
  },
};

export default command;
