/** `seqreg naming URL`: detects the spellings of a deployment. */
import { type Command, EXIT, UsageError } from "../support/command.ts";
import { QUIET_OPTION } from "../support/ledger.ts";
import { OUTPUT_OPTION, withOutput } from "../support/output.ts";
import { openRegistry, REGISTRY_OPTIONS } from "../support/registry.ts";

const { naming: _, ...OPTIONS } = REGISTRY_OPTIONS;

const command: Command = {
  name: "naming",
  summary: "Detect the spellings of a deployment, as JSON for --naming",
  operands: "[URL]",
  operandCount: [0, 1],
  result: "json",
  options: { ...OPTIONS, ...OUTPUT_OPTION, ...QUIET_OPTION },
  examples: ["seqreg naming https://registry.example -o naming.json", "seqreg naming --registry http://localhost:8080"],
  permissions: ["--allow-read", "--allow-write", "--allow-net", "--allow-env", "--allow-ffi"],
  async run(context) {
    const [url] = context.operands;
    if (url !== undefined && context.flags.text("registry") !== undefined) {
      throw new UsageError("Option --registry and the argument URL mean the same: use one of them");
    }
    const { SPECIFICATION_NAMING } = await import("@seqreg/core/contract/naming");
    await using registry = await openRegistry(context, {
      naming: SPECIFICATION_NAMING,
      target: url,
    });
    const { findNaming } = await import("@seqreg/core/registry/operations/find_naming");
    const { spellings, evidence, unknown } = await findNaming(registry.client, { signal: context.signal });
    await withOutput(context, (output) => output.write(`${JSON.stringify(spellings, null, 2)}\n`));
    for (const line of evidence) context.summary(line);
    if (Object.keys(spellings).length === 0 && unknown.length === 0) {
      context.summary(`the specification's spellings fit ${registry.description}`);
    }
    for (const line of unknown) context.note(`not found: ${line}`);
    return unknown.length === 0 ? EXIT.done : EXIT.incomplete;
  },
};

export default command;
