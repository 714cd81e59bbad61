/** `seqreg lake`: archives to Parquet, typed by the definitions. */
import { closeLedger, listSome } from "../../contract/ledger.ts";
import type { FieldDefinition } from "../../contract/metadata.ts";
import { TOOLKIT } from "../../contract/version.ts";
import { requireFolder } from "../support/archive_folder.ts";
import { type Command } from "../support/command.ts";
import { LEDGER_OPTION, QUIET_OPTION, reportLedger } from "../support/ledger.ts";
import { startProgress } from "../support/progress.ts";
import { readNaming, REGISTRY_OPTIONS } from "../support/registry.ts";

const command: Command = {
  name: "lake",
  summary: "Turn archives into Parquet files typed by the definitions",
  operands: "DIR|ARCHIVE…",
  operandCount: [1, Infinity],
  options: {
    output: { type: "string", short: "o", value: "DIR", describe: "folder of the lake; made when absent" },
    definitions: {
      type: "string",
      value: "FILE",
      describe: "definitions, JSON or CSV; definitions.json beside the archives by default",
    },
    dates: {
      type: "string",
      value: "FORM",
      describe: "text, or columns: earliest, latest and precision beside each date",
    },
    naming: REGISTRY_OPTIONS.naming,
    ...LEDGER_OPTION,
    ...QUIET_OPTION,
  },
  examples: [
    "seqreg sample -o sample && seqreg lake sample -o lake",
    "seqreg lake sample/registryv1_full_dataset_metadata.csv.gz -o lake --dates columns",
  ],
  permissions: ["--allow-read", "--allow-write", "--allow-env", "--allow-sys", "--allow-ffi"],
  async run(context) {
    const { flags, operands, signal } = context;
    const folder = requireFolder(flags.text("output"), "seqreg lake DIR|ARCHIVE -o DIR");
    const dates = flags.choice("dates", ["text", "columns"], "text");
    const naming = await readNaming(context);
    const definitionsFile = flags.text("definitions");
    const started = new Date().toISOString();
    const { buildLake } = await import("../../tables/lake/build/build_lake.ts");
    const definitions = definitionsFile === undefined ? undefined : await readDefinitionsFile(definitionsFile, signal);
    using progress = startProgress(context);
    const tables = await buildLake(operands, folder, {
      ...definitions !== undefined && { definitions },
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
        ...values === 0 ? [] : [
          `${values} values do not fit their declared types (${
            listSome([...new Set(misfits.map(([field]) => field))], 20)
          }): empty in the typed columns, their texts in part-*.raw beside them`,
        ],
        ...reused.length === 0 ? [] : [`built before, nothing changed: ${listSome(reused, 20)}`],
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

async function readDefinitionsFile(path: string, signal: AbortSignal): Promise<readonly FieldDefinition[]> {
  const { definitionsTable } = await import("../../tables/from/definitions_table.ts");
  const format = /\.csv$/i.test(path) ? "csv" : "json";
  return (await definitionsTable(path, { format, signal })).definitions;
}
