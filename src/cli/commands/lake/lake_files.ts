/** `seqreg lake files LAKE`: prints the Parquet files of a lake's current version. */
import { checkLakeAddress } from "../../support/archive_folder.ts";
import { type Command, EXIT } from "../../support/command.ts";
import { QUIET_OPTION } from "../../support/ledger.ts";

const command: Command = {
  name: "lake files",
  summary: "Print the Parquet files of a lake's current version, table by table",
  operands: "LAKE",
  operandCount: [1, 1],
  options: { ...QUIET_OPTION },
  examples: ["seqreg sample -o sample && seqreg lake sample -o lake && seqreg lake files lake"],
  permissions: ["--allow-read", "--allow-env", "--allow-net (a lake in an object store)"],
  async run(context) {
    const [lake] = context.operands;
    checkLakeAddress(lake);
    const { findLakeTables } = await import("@seqreg/core/tables/lake/open/find_lake_tables");
    const tables = await findLakeTables(lake);
    for (const { files } of tables) for (const file of files) await context.stdout.write(`${file}\n`);
    const parts = tables.reduce((sum, { files }) => sum + files.length, 0);
    const rows = tables.reduce((sum, { manifest }) => sum + manifest.rows, 0);
    context.summary(`lake files: ${parts} files of ${tables.length} tables, ${rows} rows`);
    return EXIT.done;
  },
};

export default command;
