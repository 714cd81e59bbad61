/** `seqreg dataset NAME…`: dataset archives, verified. */
import { isOffline } from "@seqreg/core/options/is_offline";
import { RegistryError } from "@seqreg/core/errors";
import type { Registry } from "@seqreg/core/registry";
import type { CacheMode, PlacedArchive, VerifiedArchive } from "@seqreg/core/datasets";
import { ARCHIVE_IDS, archiveFiles, type ArchiveId, findArchive } from "@seqreg/core/contract/datasets";
import { closeLedger } from "@seqreg/core/contract/ledger";
import type { Naming } from "@seqreg/core/contract";
import { cacheFolder } from "@seqreg/core/io/files/cache_folder";
import { ARCHIVE_OPTIONS, ARCHIVE_PERMISSIONS } from "../support/archive_command.ts";
import { noteAskedTwice } from "../support/asked_twice.ts";
import { type Command, type CommandContext, EXIT, readGiven, UsageError } from "../support/command.ts";
import { reportLedger, startProvenance } from "../support/ledger.ts";
import { startProgress } from "../support/progress.ts";
import { checkRegistryFlags, lockOf, openRegistry, readNaming } from "../support/registry.ts";
import { requireFolder } from "../support/archive_folder.ts";
import { outputOption } from "../arguments/output_option.ts";
import { asWarnings, type LedgerEntry, noteEntry } from "@seqreg/core/contract/ledger_entries";

const command: Command = {
  name: "dataset",
  summary: "Get dataset archives, verified with their checksum files",
  operands: "NAME…",
  operandValues: ARCHIVE_IDS,
  operandCount: [0, Infinity],
  options: {
    all: { type: "boolean", describe: "all eight archives" },
    list: { type: "boolean", describe: "list the file names of the eight archives without downloading" },
    ...outputOption(
      "DIR",
      "copy each archive, its checksum file and definitions.json into DIR (default: keep in the cache only)",
      "into",
    ),
    "prefer-cache": { type: "boolean", describe: "use cached archives without checking for changes" },
    ...ARCHIVE_OPTIONS,
    offline: { type: "boolean", describe: "use the cache only (with --lock: as the lock says); never use the network" },
  },
  examples: [
    "seqreg dataset full_dataset_metadata",
    "seqreg dataset unique_seqs_metadata unique_seqs_sequence -o archives",
    "seqreg dataset --list",
  ],
  permissions: ARCHIVE_PERMISSIONS,
  async run(context) {
    const { flags } = context;
    if (flags.has("list")) return await list(context);
    if (flags.has("offline") && flags.has("prefer-cache")) {
      throw new UsageError("Options --offline and --prefer-cache cannot be combined: use one of them");
    }
    if (flags.text("output") === "") throw new UsageError("Option --output needs a value: --output DIR");
    const output = flags.text("output");
    const folder = output === "-" || output === undefined
      ? undefined
      : requireFolder(output, "seqreg dataset NAME… -o DIR");
    await checkRegistryFlags(context);
    const asked = chooseArchives(context, await readNaming(context));
    const ids = [...new Set(asked)];
    await using registry = await openRegistry(context);
    const mode = chooseMode(context, registry.embedded);
    const { fetchArchive, placeArchive } = await loadDatasets();
    using progress = startProgress(context);
    const { onProgress } = progress;
    const finish = startProvenance("dataset");
    const archives: VerifiedArchive[] = [];
    const placed: PlacedArchive[] = [];
    const missing: string[] = [];
    let failed = false;
    for (const id of ids) {
      try {
        const { signal } = context;
        const cache = cacheFolder(context.env);
        const archive = await fetchArchive(registry.client, id, {
          mode,
          cache,
          registry: registry.place,
          onProgress,
          signal,
        });
        const path = folder === undefined ? archive.path : await placeArchive(archive, folder, { onProgress, signal });
        progress.clear();
        await context.stdout.write(`${path}\n`);
        archives.push(archive);
        placed.push({ id, path });
      } catch (error) {
        if (ids.length === 1 || context.signal.aborted || !isOfOneArchive(error)) throw error;
        progress.clear();
        context.note(error.message);
        missing.push(archiveFiles(id, registry.naming).archive);
        failed ||= !isAbsent(error);
      }
    }
    const definitions = folder === undefined ? [] : await describe(context, registry, { folder, placed, mode });
    const ledger = closeLedger({
      asked: ids.length,
      promised: ids.length,
      received: archives.length,
      missing,
      entries: [
        ...archives.flatMap(({ ledger }) => ledger.entries),
        ...definitions,
        ...noteAskedTwice(asked.map((id) => archiveFiles(id, registry.naming).archive), "archive"),
      ],
    });
    const addresses = archives.flatMap(({ provenance }) => provenance.addresses ?? []);
    const code = await reportLedger(
      context,
      ledger,
      finish({
        registry: registry.place,
        addresses,
        request: { filenames: ids.map((id) => archiveFiles(id, registry.naming).archive), mode },
        bytes: archives.reduce((sum, { bytes }) => sum + bytes, 0),
        sha256: archives.length === 1 && ids.length === 1 ? archives[0].sha256 : null,
      }),
      archives.length === 1 ? "archive" : "archives",
    );
    return failed || archives.length === 0 ? EXIT.failed : code;
  },
};

export default command;

/** Writes the definitions next to the archives; returns which are missing, which is not a failure. */
async function describe(
  context: CommandContext,
  { client }: Registry,
  { folder, placed, mode }: {
    readonly folder: string;
    readonly placed: readonly PlacedArchive[];
    readonly mode: CacheMode;
  },
): Promise<readonly LedgerEntry[]> {
  if (mode === "offline") {
    const text = "definitions.json was not written: --offline does not contact the registry";
    return asWarnings([noteEntry("definitions-not-written", text)]);
  }
  const { placeDefinitions } = await loadDatasets();
  return (await placeDefinitions(client, folder, placed, { signal: context.signal })).entries;
}

async function list(context: CommandContext): Promise<number> {
  if (context.operands.length > 0) {
    throw new UsageError(`Unexpected argument ${JSON.stringify(context.operands[0])}: --list takes no names`);
  }
  const unused = ["output", "ledger", "prefer-cache"].find((name) => context.flags.isGiven(name));
  if (unused !== undefined) {
    throw new UsageError(`Options --list and --${unused} cannot be combined: nothing is downloaded`);
  }
  const naming = await readNaming(context);
  for (const id of ARCHIVE_IDS) await context.stdout.write(`${archiveFiles(id, naming).archive}\n`);
  return EXIT.done;
}

function chooseArchives({ operands, flags }: CommandContext, naming: Naming): readonly ArchiveId[] {
  if (flags.has("all")) {
    if (operands.length === 0) return ARCHIVE_IDS;
    throw new UsageError(
      `Unexpected argument ${JSON.stringify(operands[0])}: --all already includes all eight archives`,
    );
  }
  if (operands.length === 0) {
    throw new UsageError(
      "Too few arguments: expected seqreg dataset NAME…, or --all; see seqreg dataset --list",
    );
  }
  return readGiven(() => operands.map((name) => findArchive(name, naming)), [RangeError]);
}

/** If the network is forbidden, a live registry's archives can only come from the cache. */
function chooseMode(context: CommandContext, embedded: boolean): CacheMode {
  const { flags, env } = context;
  // A lock answers for the registry, with the checksum files that it holds.
  if (lockOf(context) !== undefined) return "online";
  if (flags.has("offline") || isOffline(env("SEQREG_OFFLINE")) && !embedded) return "offline";
  return flags.has("prefer-cache") ? "prefer-cache" : "online";
}

/** Whether a failure means that the archive does not exist: incomplete, if others were fetched. */
function isAbsent({ code, cause }: RegistryError): boolean {
  return code === "offline" ||
    code === "status" && typeof cause === "object" && cause !== null && "status" in cause && cause.status === 404;
}

/** Whether a failure concerns one archive only, so that the others can still be fetched. */
function isOfOneArchive(error: unknown): error is RegistryError {
  return error instanceof RegistryError &&
    ["checksum", "unexpected-response", "status", "offline", "damaged"].includes(error.code);
}

/** A computed specifier: Deno reads every source that a literal one leads to, which `--list` never runs. */
const loadDatasets = (): Promise<typeof import("@seqreg/core/datasets")> =>
  import(import.meta.resolve("@seqreg/core/datasets"));
