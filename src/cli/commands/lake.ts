/** `seqreg lake`: archives to Parquet, typed by the definitions. */
import { ParseError } from "../../errors.ts";
import type { Naming } from "../../contract/naming.ts";
import { closeLedger, listSome } from "../../contract/ledger.ts";
import type { FieldDefinition } from "../../contract/metadata.ts";
import { TOOLKIT } from "../../contract/version.ts";
import { requireLakeTarget } from "../support/archive_folder.ts";
import { type Command, type CommandContext, UsageError } from "../support/command.ts";
import { LEDGER_OPTION, QUIET_OPTION, reportLedger } from "../support/ledger.ts";
import { startProgress } from "../support/progress.ts";
import { checkRegistryFlags, openRegistry, readNaming, REGISTRY_OPTIONS } from "../support/registry.ts";
import { outputOption } from "../arguments/output_option.ts";

/** Forms of `--dates`. */
const DATE_FORMS = ["text", "columns"] as const;

const command: Command = {
  name: "lake",
  summary: "Convert archives to Parquet files typed by the field definitions",
  operands: "DIR|ARCHIVE…",
  operandCount: [1, Infinity],
  options: {
    ...outputOption("DIR", "folder of the lake, created if missing; or s3://BUCKET/PREFIX"),
    definitions: {
      type: "string",
      value: "FILE",
      describe:
        "definitions, JSON or CSV (default: of --registry, else definitions.json next to the archives, else inferred)",
    },
    ...REGISTRY_OPTIONS,
    registry: {
      type: "string",
      value: "URL|DIR",
      describe: "registry whose definitions determine the types (default: none)",
    },
    text: { type: "boolean", describe: "keep every column as text" },
    dates: {
      type: "string",
      value: DATE_FORMS.join("|"),
      describe: "columns adds earliest day, latest day and precision of each date (default: text)",
    },
    ...LEDGER_OPTION,
    ...QUIET_OPTION,
  },
  examples: [
    "seqreg sample -o sample && seqreg lake sample -o lake",
    "seqreg lake sample/registryv1_full_dataset_metadata.csv.gz -o lake --dates columns",
    "seqreg dataset full_dataset_metadata -o archives && seqreg lake archives -o lake",
  ],
  permissions: ["--allow-read", "--allow-write", "--allow-net", "--allow-env", "--allow-sys", "--allow-ffi"],
  async run(context) {
    const { flags, operands, signal } = context;
    const folder = requireLakeTarget(flags.text("output"), "seqreg lake DIR|ARCHIVE -o DIR|s3://BUCKET/PREFIX");
    const dates = flags.choice("dates", DATE_FORMS, "text");
    const naming = await readNaming(context);
    const isText = flags.has("text");
    const given = ["definitions", "registry"].find((name) => flags.text(name) !== undefined);
    if (isText && given !== undefined) {
      throw new UsageError(`Options --text and --${given} cannot be combined: use one of them`);
    }
    if (flags.text("registry") !== undefined) await checkRegistryFlags(context);
    const started = new Date().toISOString();
    const { buildLake } = await import("../../tables/lake/objects/build_any_lake.ts");
    const { definitions, warnings } = await readDefinitions(context, naming);
    using progress = startProgress(context);
    const tables = await buildLake(operands, folder, {
      ...definitions !== undefined && { definitions },
      text: isText,
      naming,
      dates,
      signal,
      onProgress: progress.onProgress,
    });
    progress.clear();
    for (const { files } of tables) for (const file of files) await context.stdout.write(`${file}\n`);
    const manifests = tables.map(({ manifest }) => manifest);
    const sum = (count: (manifest: typeof manifests[number]) => number) =>
      manifests.reduce((total, manifest) => total + count(manifest), 0);
    const misfits = manifests.flatMap(({ misfits }) => Object.entries(misfits));
    const values = misfits.reduce((total, [, count]) => total + count, 0);
    const reused = tables.filter((table) => table.reused).map(({ manifest }) => manifest.table);
    const ledger = closeLedger({
      received: sum(({ rows }) => rows),
      unparsed: sum(({ unparsed }) => unparsed),
      warnings: [
        ...warnings,
        ...manifests.flatMap(({ table, warnings = [] }) => warnings.map((warning) => `${table}: ${warning}`)),
        ...values === 0 ? [] : [
          `${values} values do not fit their declared types (${
            listSome([...new Set(misfits.map(([field]) => field))], 20)
          }): null in the typed columns, their texts in part-*.raw`,
        ],
        ...reused.length === 0 ? [] : [`unchanged since the last build: ${listSome(reused, 20)}`],
      ],
    });
    return await reportLedger(context, ledger, {
      operation: "lake",
      registry: null,
      request: {
        archives: operands,
        folder,
        dates,
        tables: manifests.map(({ table, source }) => ({ table, ...source })),
      },
      bytes: sum(({ source }) => source.bytes),
      sha256: manifests.length === 1 ? manifests[0].source.sha256 : null,
      started,
      finished: new Date().toISOString(),
      toolkit: TOOLKIT,
    }, "rows");
  },
};

export default command;

/** Definitions of `--definitions` or `--registry`; `undefined` without either. */
async function readDefinitions(
  context: CommandContext,
  naming: Naming,
): Promise<{ readonly definitions?: readonly FieldDefinition[]; readonly warnings: readonly string[] }> {
  const { flags, operands, signal } = context;
  const path = flags.text("definitions");
  if (path === undefined && flags.text("registry") === undefined) return { warnings: [] };
  const { metadataColumns } = await import("../../tables/lake/build/metadata_columns.ts");
  const columns = await metadataColumns(operands, naming, signal);
  if (path !== undefined) {
    const { definitionsTable } = await import("../../tables/from/definitions_table.ts");
    const format = /\.[ct]sv(\.gz)?$/i.test(path) ? "csv" : "json";
    const table = await definitionsTable(path, { format, signal });
    // Columns are recognised by the field names that they contain.
    const { definitions, recognised, ledger } = table.recognised.name === undefined
      ? await definitionsTable(path, { format, asked: columns, signal })
      : table;
    if (recognised.name !== undefined) return { definitions, warnings: ledger.warnings };
    throw new ParseError(`Cannot read ${path}: no column contains field names; expected definitions as JSON or CSV`);
  }
  const { findDefinitions } = await import("../../client/find_definitions.ts");
  await using registry = await openRegistry(context);
  const { definitions, recognised, reasons, warnings } = await findDefinitions(registry.client, columns, { signal });
  const said = [...reasons, ...warnings];
  if (recognised?.name !== undefined && definitions.length > 0) return { definitions, warnings: said };
  return { warnings: [...said, `${registry.place} defines none of the columns`] };
}
