/** `seqreg sql LAKE QUERY`: queries a lake in SQL. */
import type { DataFrame } from "nodejs-polars";
import { join } from "node:path";
import { readBytes } from "@seqreg/core/io/bytes";
import { readCsvRows } from "@seqreg/core/io/csv";
import { closeLedger } from "@seqreg/core/contract/ledger";
import { type Command, type CommandContext, UsageError } from "../../support/command.ts";
import { ENGINE_OPTION, LAKE_PERMISSIONS, readEngine } from "../../support/engine.ts";
import { openLakeOrTable } from "../../tables/open_lake.ts";
import { TABLE_OPTIONS } from "../../tables/table_options.ts";
import { LEDGER_OPTION, QUIET_OPTION, reportLedger, startProvenance } from "../../support/ledger.ts";
import { type Output, OUTPUT_OPTION, withOutput } from "../../support/output.ts";
import { layOutTable, lineWidth, type TextLayout, WIDTH_ROWS } from "../../support/text_table.ts";
import { membersOf } from "@seqreg/core/engine/frames";

const FORMATS = ["table", "csv", "tsv", "parquet"] as const;

const command: Command = {
  name: "sql",
  summary: "Query a lake or a table with read-only SQL",
  operands: "LAKE|TABLE QUERY",
  operandCount: [2, 2],
  tables: [0, 1],
  options: {
    param: {
      type: "string",
      multiple: true,
      value: "TEXT",
      describe: "text for the next ? in the query; for a number write ?::INTEGER there",
    },
    format: {
      type: "string",
      value: FORMATS.join("|"),
      describe: "parquet needs --output (default: by the name of --output, else table)",
    },
    ...TABLE_OPTIONS,
    ...ENGINE_OPTION,
    ...OUTPUT_OPTION,
    ...LEDGER_OPTION,
    ...QUIET_OPTION,
  },
  examples: [
    "seqreg sample -o sample && seqreg lake sample -o lake",
    "seqreg sql lake 'SELECT Country, count(*) AS records FROM lake GROUP BY ALL ORDER BY 2 DESC LIMIT 5'",
    "seqreg sql lake 'SELECT * FROM lake WHERE Country = ?' --param Kenya --format csv -o kenya.csv",
    "seqreg sql samples.xlsx 'SELECT host, count(*) AS samples FROM lake GROUP BY ALL'",
  ],
  permissions: LAKE_PERMISSIONS,
  async run(context) {
    const { flags, operands: [folder, query], signal } = context;
    const format = flags.format(FORMATS, "table");
    const isFile = !["-", undefined].includes(flags.text("output"));
    if (format === "parquet" && !isFile) throw new UsageError("Cannot print Parquet: use --output FILE");
    const params = flags.texts("param");
    const engine = await readEngine(context);
    const finish = startProvenance("sql");
    await using opened = await openLakeOrTable(context, folder, engine);
    const { lake } = opened;
    const frame = await lake.sql(query, params, { signal }).catch((cause) => {
      // DuckDB reports the position in several lines.
      throw cause instanceof TypeError ? new UsageError(cause.message.replace(/\s+/g, " "), { cause }) : cause;
    });
    await withOutput(context, (output) => writeRows(context, output, { frame, format }), {
      isText: format !== "parquet",
    });
    const tables = [...lake.tables.values()];
    return await reportLedger(
      context,
      closeLedger({ received: membersOf(frame).height, entries: [...opened.entries, ...lake.entries] }),
      finish({
        request: {
          folder: context.given[0],
          query,
          params,
          ...engine && { engine: engine.name },
          tables: tables.map(({ table, source }) => ({ table, ...source })),
        },
        bytes: tables.reduce((sum, { source }) => sum + source.bytes, 0),
        sha256: tables.length === 1 ? tables[0].source.sha256 : null,
      }),
      "rows",
    );
  },
};

export default command;

async function writeRows(
  context: CommandContext,
  output: Output,
  { frame, format }: { readonly frame: DataFrame; readonly format: typeof FORMATS[number] },
): Promise<void> {
  const { writeFrame } = await import("@seqreg/core/tables/types/write_frame");
  const { createScratchFolder } = await import("@seqreg/core/io/files/scratch_folder");
  using folder = await createScratchFolder("rows");
  const { signal } = context;
  const path = join(folder.path, "rows");
  await writeFrame(frame, path, { format: format === "table" ? "csv" : format, signal });
  if (format === "table") await writeTable(context, output, path);
  else for await (const chunk of readBytes(path, { signal })) await output.write(chunk);
}

/** Writes a CSV as a table for people, with column widths of its first rows. */
async function writeTable(context: CommandContext, output: Output, path: string): Promise<void> {
  let table: TextLayout | undefined;
  for await (const rows of readCsvRows(readBytes(path, { signal: context.signal }), { name: "the result" })) {
    const cells = rows.map((row) => row.cells);
    if (table === undefined) {
      const [columns, ...sample] = cells;
      table = layOutTable(columns, sample.slice(0, WIDTH_ROWS), lineWidth(context.env));
      await output.write(table.head);
      cells.shift();
      const hidden = columns.length - table.shown.length;
      if (hidden > 0) context.summary(`${hidden} of ${columns.length} columns are not shown: use --format csv for all`);
    }
    for (const row of cells) await output.write(table.row(row));
  }
}
