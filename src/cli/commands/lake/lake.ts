/** `seqreg lake`: archives to Parquet, typed by the definitions. */
import { ParseError } from "@seqreg/core/errors";
import type { FieldDefinition, Naming } from "@seqreg/core/contract";
import { countOf } from "@seqreg/core/contract/count_of";
import { isFolder } from "@seqreg/core/io/files/is_there";
import { describeUnread } from "@seqreg/core/io/csv/unread_rows";
import { closeLedger, listSome, warningsOf } from "@seqreg/core/contract/ledger";
import { requireLakeTarget } from "../../support/archive_folder.ts";
import { type Command, type CommandContext, UsageError } from "../../support/command.ts";
import { LEDGER_OPTION, QUIET_OPTION, reportLedger, startProvenance } from "../../support/ledger.ts";
import { startProgress } from "../../support/progress.ts";
import {
  checkRegistryFlags,
  openRegistry,
  readNaming,
  refuseRequestOptions,
  REGISTRY_OPTIONS,
} from "../../support/registry.ts";
import { outputOption } from "../../arguments/output_option.ts";
import { manifestEntries } from "@seqreg/core/tables/lake/build/manifest_entries";
import { refuseTableOptions, TABLE_OPTIONS, tableOptions, usage } from "../../tables/table_options.ts";
import { asWarnings, type LedgerEntry, noteEntry } from "@seqreg/core/contract/ledger_entries";

/** Forms of `--dates`. */
const DATE_FORMS = ["text", "columns"] as const;

const command: Command = {
  name: "lake",
  summary: "Convert archives and tables to Parquet files typed by the field definitions",
  operands: "DIR|ARCHIVE|TABLE…",
  operandCount: [1, Infinity],
  tables: [0, Infinity],
  options: {
    ...outputOption("DIR", "folder of the lake, created if missing; or s3://BUCKET/PREFIX", "into"),
    definitions: {
      type: "string",
      value: "FILE",
      describe:
        "definitions, JSON or CSV (default: of --registry, else definitions.json next to the archives, else inferred)",
    },
    ...REGISTRY_OPTIONS,
    registry: {
      type: "string",
      value: "URL|DIR|zika",
      describe: "registry whose definitions determine the types (default: none)",
    },
    text: { type: "boolean", describe: "keep every column as text" },
    ...TABLE_OPTIONS,
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
    "seqreg lake samples.xlsx --sheet 2 -o lake",
    "seqreg dataset full_dataset_metadata -o archives && seqreg lake archives -o lake",
  ],
  permissions: ["--allow-read", "--allow-write", "--allow-net", "--allow-env", "--allow-sys", "--allow-ffi"],
  async run(context) {
    const { flags, operands, signal } = context;
    const folder = requireLakeTarget(flags.text("output"), "seqreg lake DIR|ARCHIVE -o DIR|s3://BUCKET/PREFIX");
    const dates = flags.choice("dates", DATE_FORMS, "text");
    const naming = await readNaming(context);
    for (const operand of operands) {
      if (await isFolder(operand)) refuseTableOptions(context, operand);
    }
    const isText = flags.has("text");
    const [given, other] = ["text", "definitions", "registry"].filter((name) => flags.isGiven(name));
    if (other !== undefined) {
      throw new UsageError(`Options --${given} and --${other} cannot be combined: use one of them`);
    }
    if (given === "registry") await checkRegistryFlags(context);
    else refuseRequestOptions(context, REGISTRY_OPTIONS, { needed: "--registry", used: ["naming"] });
    const finish = startProvenance("lake");
    const { buildLake } = await import("@seqreg/core/tables/lake/objects/build_any_lake");
    const { definitions, entries } = await readDefinitions(context, naming);
    using progress = startProgress(context);
    const place: LedgerEntry[] = [];
    const tables = await usage(() =>
      buildLake(operands, folder, {
        definitions,
        text: isText,
        naming,
        dates,
        ...tableOptions(context),
        signal,
        onWarning: (text) => void place.push(noteEntry("store-without-conditions", text)),
        onProgress: progress.onProgress,
      })
    );
    progress.clear();
    for (const { files } of tables) for (const file of files) await context.stdout.write(`${file}\n`);
    const manifests = tables.map(({ manifest }) => manifest);
    const sum = (count: (manifest: typeof manifests[number]) => number) =>
      manifests.reduce((total, manifest) => total + count(manifest), 0);
    const reused = tables.filter((table) => table.reused).map(({ manifest }) => manifest.table);
    const ledger = closeLedger({
      received: sum(({ rows }) => rows),
      unique: sum(({ unique }) => unique),
      unparsed: sum(({ unparsed }) => unparsed),
      unparsedReason: manifests.filter(({ unparsed }) => unparsed > 0)
        .map(({ unparsed, problems, table }) =>
          describeUnread(unparsed, problems, `${countOf(unparsed, "row")} of ${table}`)
        ).join("; "),
      entries: [
        ...entries,
        ...place,
        ...manifestEntries(manifests),
        ...reused.length === 0
          ? []
          : [noteEntry("unchanged", `unchanged since the last build: ${listSome(reused, 20)}`, { ids: reused })],
      ],
    });
    return await reportLedger(
      context,
      ledger,
      finish({
        request: {
          archives: context.given,
          folder,
          dates,
          tables: manifests.map(({ table, source }) => ({ table, ...source })),
        },
        bytes: sum(({ source }) => source.bytes),
        sha256: manifests.length === 1 ? manifests[0].source.sha256 : null,
      }),
      "rows",
    );
  },
};

export default command;

/** Definitions of `--definitions` or `--registry`; `undefined` without either. */
async function readDefinitions(
  context: CommandContext,
  naming: Naming,
): Promise<{ readonly definitions?: readonly FieldDefinition[]; readonly entries: readonly LedgerEntry[] }> {
  const { flags, operands, signal } = context;
  const path = flags.text("definitions");
  if (path === undefined && flags.text("registry") === undefined) return { entries: [] };
  const { metadataColumns } = await import("@seqreg/core/tables/lake/build/metadata_columns");
  const columns = await metadataColumns(operands, naming, {
    ...tableOptions(context),
    signal,
  });
  if (path !== undefined) {
    const { tableFromDefinitions } = await import("@seqreg/core/tables/from/from_definitions");
    const format = /\.[ct]sv(\.gz|\.zst)?$/i.test(path) ? "csv" : "json";
    const table = await tableFromDefinitions(path, { format, signal });
    // Columns are recognised by the field names that they contain.
    const { definitions, recognised, ledger } = table.recognised.name === undefined
      ? await tableFromDefinitions(path, { format, asked: columns, signal })
      : table;
    if (recognised.name !== undefined) return { definitions, entries: warningsOf(ledger) };
    throw new ParseError(`Cannot read ${path}: no column contains field names; expected definitions as JSON or CSV`);
  }
  const { findDefinitions } = await import("@seqreg/core/client/find_definitions");
  await using registry = await openRegistry(context);
  const found = await findDefinitions(registry.client, columns, { signal });
  const entries = asWarnings(found.entries);
  if (found.recognised?.name !== undefined && found.definitions.length > 0) {
    return { definitions: found.definitions, entries };
  }
  const none = noteEntry("fields-undefined", `${registry.place} defines none of the columns`, { ids: columns });
  return { entries: [...entries, ...asWarnings([none])] };
}
