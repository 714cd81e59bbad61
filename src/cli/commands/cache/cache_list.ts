/** `seqreg cache list`: what the cache holds. */
import { listCache } from "@seqreg/core/datasets/cache_contents";
import { tsvRow } from "@seqreg/core/io/csv/csv_text";
import { cacheFolder } from "@seqreg/core/io/files/cache_folder";
import { CACHE_COLUMNS, cacheRow } from "../../support/cache_row.ts";
import { type Command, EXIT } from "../../support/command.ts";
import { formatBytes, QUIET_OPTION } from "../../support/ledger.ts";

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
    await context.stdout.write(`${tsvRow(CACHE_COLUMNS)}\n`);
    for (const entry of entries) await context.stdout.write(`${tsvRow(cacheRow(entry, Date.now()))}\n`);
    const bytes = entries.reduce((sum, entry) => sum + entry.bytes, 0);
    const count = entries.length === 1 ? "1 entry" : `${entries.length} entries`;
    context.summary(`cache list: ${count}, ${formatBytes(bytes)}, in ${cacheFolder(context.env)}`);
    return EXIT.done;
  },
};

export default command;
