/** `seqreg lock show`: the calls of a lock. */
import { countOf } from "@seqreg/core/contract/count_of";
import { type Command, EXIT } from "../../support/command.ts";
import { QUIET_OPTION } from "../../support/ledger.ts";
import { OUTPUT_OPTION, withOutput } from "../../support/output.ts";
import { layOutTable, lineWidth } from "../../support/text_table.ts";
import { LOCK_OPTION, namedLockPath, openLock } from "./_lock_file.ts";

const FORMATS = ["table", "json"] as const;
const COLUMNS = ["call", "operation", "records", "bytes", "status", "request", "registry"];

const command: Command = {
  name: "lock show",
  summary: "List the calls of a lock",
  operands: "[FILE]",
  operandCount: [0, 1],
  options: {
    ...LOCK_OPTION,
    format: {
      type: "string",
      value: FORMATS.join("|"),
      describe: "json: the lock as it is (default: by the name of --output, else table)",
    },
    ...OUTPUT_OPTION,
    ...QUIET_OPTION,
  },
  examples: ["seqreg search country:Kenya --lock seqreg.lock && seqreg lock show"],
  permissions: ["--allow-read", "--allow-write (for -o)", "--allow-env"],
  async run(context) {
    const format = context.flags.format(FORMATS, "table");
    const path = namedLockPath(context);
    const calls = await openLock(path);
    const rows = [...calls].map(([key, { operation, records, bytes, status, request, registry }]) => [
      key.slice(0, 12),
      operation,
      records === null ? "" : String(records),
      String(bytes),
      String(status),
      JSON.stringify(request),
      registry,
    ]);
    await withOutput(context, async (output) => {
      if (format === "json") {
        const { lockText } = await import("@seqreg/core/registry/lock");
        return await output.write(lockText(calls));
      }
      const table = layOutTable(COLUMNS, rows, lineWidth(context.env));
      await output.write(table.head);
      for (const row of rows) await output.write(table.row(row));
    });
    context.summary(`lock show: ${countOf(calls.size, "call")} in ${path}`);
    return EXIT.done;
  },
};

export default command;
