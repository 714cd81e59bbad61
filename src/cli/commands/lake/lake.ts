/** `seqreg lake`: archives to Parquet, typed by the definitions. */
import { ParseError } from "@seqreg/core/errors";
import type { FieldDefinition, Naming } from "@seqreg/core/contract";
import { closeLedger, listSome, warningsOf } from "@seqreg/core/contract/ledger";
import type { LakeManifest } from "@seqreg/core/tables";
import { TOOLKIT } from "@seqreg/core/contract/version";
import { requireLakeTarget } from "../../support/archive_folder.ts";
import { type Command, type CommandContext, UsageError } from "../../support/command.ts";
import { LEDGER_OPTION, QUIET_OPTION, reportLedger } from "../../support/ledger.ts";
import { startProgress } from "../../support/progress.ts";
import { checkRegistryFlags, openRegistry, readNaming, REGISTRY_OPTIONS } from "../../support/registry.ts";
import { outputOption } from "../../arguments/output_option.ts";
import {
  asWarnings,
  type LedgerEntry,
  noteEntry,
  prefixEntries,
  savedEntries,
} from "@seqreg/core/contract/ledger_entries";

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
      value: "URL|DIR|zika",
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
    const { buildLake } = await import("@seqreg/core/tables/lake/objects/build_any_lake");
    const { definitions, entries } = await readDefinitions(context, naming);
    using progress = startProgress(context);
    const place: LedgerEntry[] = [];
    const tables = await buildLake(operands, folder, {
      ...definitions !== undefined && { definitions },
      text: isText,
      naming,
      dates,
      signal,
      onWarning: (text) => void place.push(noteEntry("store-without-conditions", text)),
      onProgress: progress.onProgress,
    });
    progress.clear();
    for (const { files } of tables) for (const file of files) await context.stdout.write(`${file}\n`);
    const manifests = tables.map(({ manifest }) => manifest);
    const sum = (count: (manifest: typeof manifests[number]) => number) =>
      manifests.reduce((total, manifest) => total + count(manifest), 0);
    const misfits = manifests.flatMap(({ misfits }) => Object.entries(misfits));
    const reused = tables.filter((table) => table.reused).map(({ manifest }) => manifest.table);
    const ledger = closeLedger({
      received: sum(({ rows }) => rows),
      unique: sum(({ unique }) => unique),
      unparsed: sum(({ unparsed }) => unparsed),
      entries: [
        ...entries,
        ...place,
        ...manifests.flatMap((manifest) => prefixEntries(savedEntries(manifest), manifest.table)),
        ...noteMisfits(misfits),
        ...noteMissingWords(manifests),
        ...reused.length === 0
          ? []
          : [noteEntry("unchanged", `unchanged since the last build: ${listSome(reused, 20)}`, { ids: reused })],
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
): Promise<{ readonly definitions?: readonly FieldDefinition[]; readonly entries: readonly LedgerEntry[] }> {
  const { flags, operands, signal } = context;
  const path = flags.text("definitions");
  if (path === undefined && flags.text("registry") === undefined) return { entries: [] };
  const { metadataColumns } = await import("@seqreg/core/tables/lake/build/metadata_columns");
  const columns = await metadataColumns(operands, naming, signal);
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

/** The warning about values that do not fit the types of their columns. */
function noteMisfits(misfits: readonly (readonly [field: string, count: number])[]): LedgerEntry[] {
  const count = misfits.reduce((total, [, values]) => total + values, 0);
  if (count === 0) return [];
  const ids = [...new Set(misfits.map(([field]) => field))];
  const text =
    `${count === 1 ? "1 value does not fit its declared type" : `${count} values do not fit their declared types`} ` +
    `(${listSome(ids, 20)}): null in the typed columns, dates excepted; the original texts are kept in the lake`;
  return [noteEntry("values-invalid", text, { count, ids })];
}

/** The warning about words that say that a value is missing, which are null in typed columns. */
function noteMissingWords(manifests: readonly LakeManifest[]): LedgerEntry[] {
  const [fields, words] = [new Map<string, number>(), new Map<string, number>()];
  for (const { columns, missingValues = {} } of manifests) {
    for (const [field, counts] of Object.entries(missingValues)) {
      if (columns.find(({ name }) => name === field)?.type === "date") continue;
      for (const [word, count] of Object.entries(counts)) {
        fields.set(field, (fields.get(field) ?? 0) + count);
        words.set(word, (words.get(word) ?? 0) + count);
      }
    }
  }
  if (fields.size === 0) return [];
  const count = fields.values().reduce((sum, each) => sum + each, 0);
  const most = (counts: ReadonlyMap<string, number>) => [...counts].sort(([, a], [, b]) => b - a);
  const named = most(words).map(([word]) => word.trim() === "" ? "blank" : JSON.stringify(word));
  const each = most(fields).map(([field, count]) => `${field} ${count}`);
  const values = count === 1 ? "1 value says that it is" : `${count} values say that they are`;
  const text = `${values} missing (${listSome(named, 5)}): null in the typed columns ${listSome(each, 20)}`;
  return [noteEntry("values-missing", text, { count, ids: [...fields.keys()] })];
}
