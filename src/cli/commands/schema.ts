/** `seqreg schema`: the fields of a source, and how they changed. */
import { prefixEntries } from "@seqreg/core/contract/ledger_entries";
import type { Schema, SchemaDrift } from "@seqreg/again";
import { PROGRESS_OPTION } from "../progress/progress_option.ts";
import type { Command } from "../support/command.ts";
import { QUIET_OPTION, reportEntries } from "../support/ledger.ts";
import { TABLE_OPTIONS, tableOptions, usage } from "../tables/table_options.ts";
import { type Output, OUTPUT_OPTION, withOutput } from "../support/output.ts";
import { startProgress } from "../support/progress.ts";
import { readNaming, REGISTRY_OPTIONS } from "../support/registry.ts";
import { layOutTable, lineWidth } from "../support/text_table.ts";
import type { CommandContext } from "../support/command.ts";

const FORMATS = ["table", "json", "typescript", "frictionless"] as const;

const command: Command = {
  name: "schema",
  summary: "Describe the fields of a source: declared types and what the values are; or how they changed",
  operands: "SOURCE [OLDER]",
  operandCount: [1, 2],
  tables: [0, 2],
  options: {
    format: {
      type: "string",
      value: FORMATS.join("|"),
      describe: "typescript: types of records; frictionless: a Table Schema (default: by the name of --output, else " +
        "table)",
    },
    ...TABLE_OPTIONS,
    naming: REGISTRY_OPTIONS.naming,
    ...PROGRESS_OPTION,
    ...OUTPUT_OPTION,
    ...QUIET_OPTION,
  },
  examples: [
    "seqreg sample -o sample && seqreg schema sample/registryv1_full_dataset_metadata.csv.gz",
    "seqreg schema june january --format json",
    "seqreg schema june --format typescript -o records.ts",
  ],
  help: [{
    title: "SOURCE and OLDER",
    lines: [
      "A lake, an archive, a folder of archives, a table (CSV, TSV, Parquet), or definitions.json.",
      "With OLDER: what changed from OLDER to SOURCE (with typescript and frictionless, SOURCE alone).",
    ],
  }],
  permissions: ["--allow-read", "--allow-write", "--allow-env", "--allow-sys", "--allow-ffi"],
  async run(context) {
    const { flags, operands: [source, older], signal } = context;
    const format = flags.format(FORMATS, /\.ts(\.gz)?$/i.test(flags.text("output") ?? "") ? "typescript" : "table");
    const naming = await readNaming(context);
    const { schemaOf } = await import("@seqreg/again/schema/schema");
    const { driftOf } = await import("@seqreg/again/schema/drift");
    using progress = startProgress(context);
    const options = { naming, ...tableOptions(context), signal, onProgress: progress.onProgress };
    const before = older === undefined ? undefined : await usage(() => schemaOf(older, options));
    const { entries: own = [], tables } = await usage(() => schemaOf(source, options));
    const schema = { source: context.given[0], tables };
    progress.clear();
    const drift = before && driftOf(before, schema);
    const [given, olderGiven] = context.given;
    const entries = before === undefined
      ? own
      : [...prefixEntries(before.entries ?? [], olderGiven), ...prefixEntries(own, given)];
    await withOutput(context, async (output) => {
      if (format === "table") return await writeTable(context, output, { schema, drift });
      await output.write(await render(schema, { format, drift }));
    });
    const fields = schema.tables.reduce((sum, { fields }) => sum + fields.length, 0);
    context.summary(
      `schema: ${fields} fields of ${schema.tables.length} ${schema.tables.length === 1 ? "table" : "tables"}`,
    );
    return reportEntries(context, entries);
  },
};

export default command;

async function render(
  schema: Schema,
  { format, drift }: { readonly format: typeof FORMATS[number]; readonly drift?: readonly SchemaDrift[] },
): Promise<string> {
  if (format === "typescript") {
    return (await import("@seqreg/again/schema/formats")).schemaToTypeScript(schema);
  }
  const content = format === "frictionless"
    ? (await import("@seqreg/again/schema/formats")).schemaToFrictionless(schema)
    : drift === undefined
    ? schema
    : { ...schema, drift };
  return `${JSON.stringify(content, null, 2)}\n`;
}

async function writeTable(
  context: CommandContext,
  output: Output,
  { schema, drift }: { readonly schema: Schema; readonly drift?: readonly SchemaDrift[] },
): Promise<void> {
  const { driftLines, SCHEMA_COLUMNS, schemaRows } = await import("@seqreg/again/schema/formats");
  if (drift !== undefined) {
    for (const line of driftLines(drift)) await output.write(`${line}\n`);
    return;
  }
  const first = schema.tables.length === 1 ? 1 : 0;
  const rows = schemaRows(schema).map((row) => row.slice(first));
  const table = layOutTable(SCHEMA_COLUMNS.slice(first), rows, lineWidth(context.env));
  await output.write(table.head);
  // A column without a value is never shown.
  const filled = SCHEMA_COLUMNS.slice(first).filter((_, index) => rows.some((row) => row[index] !== ""));
  const hidden = filled.length - table.shown.length;
  if (hidden > 0) context.summary(`${hidden} columns are not shown: widen the terminal, or use --format json`);
  for (const row of rows) await output.write(table.row(row));
}
