/** `seqreg download`: the file that the registry exports. */
import type { AccessionList, ExportRequest, ExportRun } from "@seqreg/core/registry";
import type { RegistryClient } from "@seqreg/core/client";
import { type Ledger, withEntries } from "@seqreg/core/contract/ledger";
import { type LedgerEntry, noteEntry, prefixEntries } from "@seqreg/core/contract/ledger_entries";
import {
  headerFields,
  noteDifference,
  readSequencesFlags,
  SEQUENCES_OPTIONS,
  type SequencesRequest,
  writePlainSequences,
} from "../exports/plain_sequences.ts";
import { downloadMediaType, type Keys } from "@seqreg/core/contract/enumerations";
import { type Command, type CommandContext, EXIT, UsageError } from "../support/command.ts";
import { readFieldList } from "../exports/field_list.ts";
import { describeLedger, LEDGER_OPTION, QUIET_OPTION, reportLedger, writeLedger } from "../support/ledger.ts";
import { OUTPUT_OPTION, withOutput } from "../support/output.ts";
import { startResultProgress } from "../support/progress.ts";
import { FILTER_OPTION, IDS_OPTION, readFilters, readIds } from "../support/records.ts";
import { checkRegistryFlags, openRegistry, readNaming, REGISTRY_OPTIONS } from "../support/registry.ts";

const INFORMATION = ["metadata", "registry_accessions", "sequences"] as const;
const TYPES = ["csv", "xml", "tsv", "fasta"] as const;
const KEYS = ["id", "alias", "human_readable"] as const;

const command: Command = {
  name: "download",
  summary: "Export metadata, accessions or sequences as the registry sends them",
  operands: "[QUERY]",
  operandCount: [0, 1],
  options: {
    ...FILTER_OPTION,
    information: { type: "string", value: INFORMATION.join("|"), describe: "what to export" },
    type: {
      type: "string",
      value: TYPES.join("|"),
      describe: "metadata: csv, xml; accessions: tsv, xml; sequences: fasta",
    },
    keys: { type: "string", value: KEYS.join("|"), describe: "how fields are named in accession and sequence exports" },
    metadata: {
      type: "string",
      multiple: true,
      value: "FIELD,…",
      describe: "public fields to include in metadata or FASTA headers (default: all)",
    },
    ...IDS_OPTION,
    ...SEQUENCES_OPTIONS,
    ...OUTPUT_OPTION,
    ...REGISTRY_OPTIONS,
    ...LEDGER_OPTION,
    ...QUIET_OPTION,
  },
  examples: [
    "seqreg download country:Kenya --information metadata --type csv -o kenya.csv",
    "seqreg download --ids accessions.txt --information sequences --type fasta --metadata 'Country,Collection Date'",
    "seqreg download country:Kenya --information metadata --type csv -o kenya.csv --sequences kenya.fasta.gz " +
    "--fasta-header '{registry_accession}|{Country}|{Collection Date}'",
    "seqreg download '*' --information registry_accessions --type tsv",
  ],
  permissions: ["--allow-read", "--allow-write", "--allow-net", "--allow-env", "--allow-ffi"],
  async run(context) {
    const wanted = await readArguments(context);
    await checkRegistryFlags(context);
    const list = wanted.byIds ? await readIds(context, { naming: await readNaming(context) }) : undefined;
    return await download(context, wanted, list);
  },
};

export default command;

interface DownloadArguments extends Omit<ExportRequest, "scope"> {
  readonly byIds: boolean;
  readonly query: string;
  readonly sequences?: SequencesRequest;
  readonly filter: ReturnType<typeof readFilters>;
}

async function readArguments(context: CommandContext): Promise<DownloadArguments> {
  const { flags, operands } = context;
  const filter = readFilters(context);
  const query = operands[0] ?? "";
  const byIds = flags.text("ids") !== undefined;
  for (const [name, choices] of [["information", INFORMATION], ["type", TYPES]] as const) {
    if (flags.text(name) === undefined) {
      throw new UsageError(`Option --${name} is needed: one of ${choices.join(", ")}`);
    }
  }
  const information = flags.choice("information", INFORMATION, "metadata");
  const fileType = flags.choice("type", TYPES, "csv");
  const keys: Keys | undefined = flags.text("keys") === undefined
    ? undefined
    : flags.choice("keys", KEYS, "human_readable");
  if (fileType === "fasta" && information !== "sequences") {
    throw new UsageError(`Cannot export ${information} as fasta: FASTA is for sequences only; use csv, tsv or xml`);
  }
  if (byIds && (operands.length > 0 || filter.length > 0)) {
    throw new UsageError("Option --ids cannot be combined with QUERY or --filter: a selection ignores them");
  }
  if (!byIds && query.trim() === "" && filter.length === 0) {
    throw new UsageError(
      "Cannot download without QUERY, --filter or --ids: the registry rejects an empty search term " +
        '("*" matches every record on the embedded registry)',
    );
  }
  const metadata = await readFieldList("--metadata", flags.texts("metadata"));
  if (metadata.length > 0 && information === "registry_accessions") {
    throw new UsageError(
      "Cannot use --metadata with --information registry_accessions: lists of accessions have no other fields; use " +
        "--information metadata or sequences",
    );
  }
  const sequences = await readSequencesFlags(context, information);
  return {
    byIds,
    query,
    sequences,
    filter,
    information,
    fileType,
    keys,
    ...metadata.length > 0 && { metadata: [...new Set(metadata)] },
  };
}

async function download(
  context: CommandContext,
  wanted: DownloadArguments,
  list: AccessionList | undefined,
): Promise<number> {
  await using registry = await openRegistry(context);
  const { client, place } = registry;
  const { signal } = context;
  const { byIds: _, query, filter, sequences, metadata = [], ...request } = wanted;
  const scope = list === undefined ? { query, ...filter.length > 0 && { filter } } : { list };
  const fields = sequences === undefined ? [] : await headerFields(client, sequences.template, signal);
  const form = { scope, information: "sequences", fileType: "fasta", keys: "human_readable" } as const;
  const isPlain = sequences !== undefined && sequences.path === undefined;
  const asked = isPlain ? [...new Set([...metadata, ...fields])] : metadata;
  const { ExportRun } = await import("@seqreg/core/registry/exports");
  const { ReleaseWatch } = await import("@seqreg/core/registry/plan/release_watch");
  // Rows and sequences are one result.
  const watch = new ReleaseWatch();
  const run = new ExportRun(
    client,
    { ...request, scope, ...asked.length > 0 && { metadata: asked }, ...isPlain && { keys: form.keys } },
    { place, readableOnly: isPlain, watch, signal },
  );
  const sequenceRun = sequences?.path === undefined ? undefined : new ExportRun(client, { ...form, metadata: fields }, {
    place,
    operation: "download sequences",
    readableOnly: true,
    watch,
    signal,
  });
  const plain = { template: sequences?.template, naming: client.naming };
  using line = startResultProgress(context);
  const startTask = (task: string) => {
    let done = 0;
    return {
      add: (bytes: number) => line.onProgress({ task, done: done += bytes, unit: "bytes" }),
      end: () => line.onProgress({ task, done, unit: "bytes", finished: true }),
    };
  };
  await withOutput(context, async (output) => {
    try {
      const progress = startTask("downloading");
      if (isPlain) {
        await writePlainSequences(run, output, { ...plain, onBytes: progress.add });
      } else {
        for await (const chunk of run.bytes()) {
          await output.write(chunk);
          progress.add(chunk.length);
        }
      }
      progress.end();
      if (sequenceRun !== undefined && run.matched) {
        const progress = startTask("downloading sequences");
        const flags = { text: () => sequences?.path };
        await withOutput({ flags, stdout: context.stdout, signal }, async (output) => {
          await writePlainSequences(sequenceRun, output, { ...plain, onBytes: progress.add });
          return { keep: sequenceRun.matched };
        });
        progress.end();
      }
    } catch (error) {
      throw adviseClause(error, wanted);
    }
    return { keep: run.matched };
  });
  line.clear();
  const own = run.ledger({ entries: run.named ? [] : await noteNoAccession(client, wanted) });
  const ledger = list === undefined ? await registry.suggest({ query, filter }, own, { signal }) : own;
  if (sequenceRun !== undefined && run.matched) return await reportBoth(context, { run, ledger }, sequenceRun);
  const code = await reportLedger(context, ledger, run.provenance());
  if (run.matched) return code;
  context.note(
    list === undefined
      ? `nothing matched in ${registry.description}`
      : `none of the ${list.accessions.length} accessions is in ${registry.description}`,
  );
  return EXIT.nothing;
}

/** Reports an export and its sequences: `--ledger` contains both, and is complete only if both are. */
async function reportBoth(
  context: CommandContext,
  { run, ledger }: { readonly run: ExportRun; readonly ledger: Ledger },
  sequenceRun: ExportRun,
): Promise<number> {
  const sequences = sequenceRun.ledger({ entries: noteDifference(ledger, sequenceRun.ledger()) });
  const [provenance, sequenceProvenance] = [run.provenance(), sequenceRun.provenance()];
  const joined = {
    ...withEntries(ledger, [...ledger.entries, ...prefixEntries(sequences.entries, "sequences")]),
    sequences: { ...sequenceProvenance, ...sequences },
  };
  await writeLedger(context, { ...provenance, ...joined });
  return Math.max(
    describeLedger(context, ledger, provenance),
    describeLedger(context, sequences, sequenceProvenance, "sequences"),
  );
}

/** Metadata without accessions cannot be joined with anything. */
async function noteNoAccession(
  { naming }: RegistryClient,
  { information, metadata = [] }: DownloadArguments,
): Promise<LedgerEntry[]> {
  if (information !== "metadata" || metadata.length === 0) return [];
  const { isAccessionColumn } = await import("@seqreg/core/registry/exports");
  if (metadata.some((field) => isAccessionColumn(field, naming))) return [];
  const text = `the rows have no accession: add ${JSON.stringify(naming.accessionField)} to --metadata`;
  return [noteEntry("accession-not-requested", text, { field: naming.accessionField })];
}

/** A registry may treat a filter without a query as an empty search term. */
function adviseClause(error: unknown, wanted: DownloadArguments): unknown {
  if (wanted.byIds || wanted.query.trim() !== "" || !(error instanceof Error)) return error;
  if (downloadMediaType(wanted.information, wanted.fileType) === undefined) return error;
  if (!("code" in error) || error.code !== "invalid-request" || namesAnotherFault(error.message, wanted)) return error;
  return new Error(
    `${error.message}; the registry may reject a filter without a query: add a clause, such as country:Kenya`,
    {
      cause: error,
    },
  );
}

/** Whether a refusal is about something other than the missing query, judging by its text. */
function namesAnotherFault(message: string, { metadata = [] }: DownloadArguments): boolean {
  const words = message.toLowerCase();
  const quoted = metadata.flatMap((field) => [`"${field}"`, `'${field}'`]);
  if (quoted.some((field) => words.includes(field.toLowerCase()))) return true;
  return !/term|query/.test(words) && /\b(fields?|metadata|keys)\b/.test(words);
}
