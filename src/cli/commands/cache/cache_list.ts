/** `seqreg cache list`: what the cache holds. */
import { listCache } from "@seqreg/core/datasets/cache_contents";
import { cacheFolder } from "@seqreg/core/io/files/cache_folder";
import { writeEntries } from "../../support/cache_row.ts";
import { type Command, EXIT } from "../../support/command.ts";
import { QUIET_OPTION } from "../../support/ledger.ts";

const command: Command = {
  name: "cache list",
  summary: "List the contents of the cache: size, age, origin, digest",
  operands: "",
  operandCount: [0, 0],
  options: { ...QUIET_OPTION },
  examples: ["seqreg cache list"],
  permissions: ["--allow-read", "--allow-env"],
  async run(context) {
    const entries = await listCache({ cache: cacheFolder(context.env), signal: context.signal });
    context.summary(`cache list: ${await writeEntries(context, entries)}, in ${cacheFolder(context.env)}`);
    return EXIT.done;
  },
};

export default command;
