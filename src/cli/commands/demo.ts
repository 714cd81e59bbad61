/** `seqreg demo`: the main operations, end to end, on synthetic records over a real socket. */
import { join } from "node:path";
import type { Ledger, Provenance } from "@seqreg/core/contract";
import type { Registry } from "@seqreg/core/registry";
import { IS_INSTALLED } from "@seqreg/jupyter/kernel/installed_imports";
import { cacheFolder } from "@seqreg/core/io/files/cache_folder";
import { makeTempFolder } from "@seqreg/core/io/files/temp_path";
import { describeLedger } from "@seqreg/jupyter/notebook/ledger_view";
import { PROGRESS_OPTION } from "../progress/progress_option.ts";
import { startProgress } from "../support/progress.ts";
import { type Command, type CommandContext, EXIT } from "../support/command.ts";
import { formatBytes, QUIET_OPTION } from "../support/ledger.ts";

const command: Command = {
  name: "demo",
  summary: "Demonstrate search, export, sequences and a verified archive on the built-in sample",
  operands: "",
  operandCount: [0, 0],
  options: { ...PROGRESS_OPTION, ...QUIET_OPTION },
  examples: ["seqreg demo"],
  permissions: ["--allow-read", "--allow-write", "--allow-net=127.0.0.1", "--allow-env", "--allow-sys", "--allow-ffi"],
  async run(context) {
    const { ensureSample } = await import("@seqreg/embedded/sample");
    const { createRegistryService, openStore, serveRegistry } = await import("@seqreg/embedded/service");
    const { Registry } = await import("@seqreg/core/registry");
    const { signal } = context;
    using line = startProgress(context);
    const { onProgress } = line;
    const cache = cacheFolder(context.env);

    await say(
      context,
      "A registry on this machine",
      "Synthetic records, made from a seed; nothing leaves this machine.",
    );
    const folder = await ensureSample({ cacheFolder: cache, signal, onProgress });
    await using store = await openStore(folder, { cacheFolder: cache, signal, onProgress });
    const server = await serveRegistry(createRegistryService(store), { signal });
    try {
      await tell(
        context,
        `${store.recordCount} records with ${store.fields.length} fields each, served at ${server.url}`,
      );
      // The demonstration asks this machine alone, whatever the environment names or forbids.
      const own = { cacheFolder: cache, offline: false, lock: "", headersFile: "" };
      await using registry = await Registry.open(server.url, own);
      await showSearch(context, registry);
      await showMetadata(context, registry);
      await showSequences(context, registry);
      await showArchive(context, registry);
    } finally {
      await server.shutdown();
    }
    const where = IS_INSTALLED ? "" : " In a checkout, seqreg means";
    await say(context, "Next", `Now try your own queries.${where}`);
    if (!IS_INSTALLED) await tell(context, `npx --yes deno@${Deno.version.deno} task --quiet seqreg`);
    await tell(context, `seqreg search "host_species:Homo\\ sapiens" --sort sequence_length --order desc`);
    await tell(context, "seqreg lab     opens the first lesson in JupyterLab");
    await tell(context, "seqreg --help  lists every command");
    return EXIT.done;
  },
};

async function showSearch(context: CommandContext, registry: Registry): Promise<void> {
  const { signal } = context;
  const query = "country:Germany";
  await say(context, `Search: ${query}`, "Pages of hits, and counts of field values (facets).");
  const first = await registry.search(query, { pageSize: 3, signal });
  const second = await registry.search(query, { pageSize: 3, pageNumber: 2, signal });
  await tell(context, `${first.total} records match; page 1: ${first.accessions.join(", ")}`);
  await tell(context, `page 2: ${second.accessions.join(", ")}`);
  for (const { field, values } of first.facets.slice(0, 3)) {
    const most = values.slice(0, 3).map(({ value, count }) => `${value} ${count}`).join(", ");
    await tell(context, `facet ${field}: ${most}`);
  }
  const longest = await registry.search(query, {
    pageSize: 3,
    sort: { column: "Sequence Length", order: "desc" },
    signal,
  });
  const lengths = longest.rows.map((row) => `${row["Sequence Length"]} bp`).join(", ");
  const scores = longest.hits.map(({ score }) => String(score)).join(", ");
  await tell(context, `the longest: ${lengths}; their scores: ${scores}, since sorted hits have no relevance`);
  await tellLedger(context, first);
}

async function showMetadata(context: CommandContext, registry: Registry): Promise<void> {
  const fields = ["Country", "Host Species", "Collection Date", "Sequence Length", "GC Content"];
  await say(
    context,
    "Metadata as a typed table",
    "Numbers are numbers, dates keep their precision, identifiers stay text.",
  );
  const metadata = await registry.metadata({ query: "country:Germany" }, { fields, signal: context.signal });
  const frame = await metadata.frame();
  await context.stdout.write(`${frame.head(5)}\n`);
  await tell(
    context,
    `${frame.height} rows × ${frame.width} columns; ${metadata.problems.length} values did not fit their type`,
  );
  await tellLedger(context, metadata);
}

async function showSequences(context: CommandContext, registry: Registry): Promise<void> {
  await say(context, "Sequences as a table", "One requested accession does not exist: the ledger reports it.");
  const hits = await registry.search("country:Germany", { pageSize: 5, signal: context.signal });
  const ids = [...hits.accessions, "vj999999999999"];
  const sequences = await registry.sequences({ ids }, { signal: context.signal });
  const frame = await sequences.frame();
  await context.stdout.write(`${frame}\n`);
  await tellLedger(context, sequences);
}

async function showArchive(context: CommandContext, registry: Registry): Promise<void> {
  const { checksumText } = await import("@seqreg/core/io/digest");
  const { verifyArchive } = await import("@seqreg/core/datasets/verify_checksums");
  await say(context, "A dataset archive, verified", "Its bytes are compared with the registry's checksum file.");
  const archive = await registry.dataset("unique_seqs_metadata", { signal: context.signal });
  const how = archive.reused ? "from the cache, unchanged at the registry" : "downloaded";
  await tell(
    context,
    `${archive.name}: ${how}, ${formatBytes(archive.bytes)}, SHA-256 ${archive.sha256.slice(0, 16)}…`,
  );
  await tellLedger(context, archive);

  const folder = await makeTempFolder({ prefix: "seqreg-demo-" });
  try {
    const bytes = await Deno.readFile(archive.path);
    bytes[bytes.length >> 1] ^= 1;
    const copy = join(folder, archive.name);
    await Deno.writeFile(copy, bytes);
    await Deno.writeTextFile(copy.replace(/\.csv\.gz$/, ".sha256"), checksumText(archive.sha256, archive.name));
    const verified = await verifyArchive(copy, { signal: context.signal });
    if (verified.ok) throw new Error("the damaged copy was not noticed");
    await tell(context, `A copy with one bit flipped is refused: ${verified.reason}`);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

async function say(context: CommandContext, title: string, sentence: string): Promise<void> {
  await context.stdout.write(`\n== ${title}\n   ${sentence}\n`);
  // A demonstration is watched: each section is shown when it begins.
  await context.stdout.flush?.();
}

async function tell(context: CommandContext, line: string): Promise<void> {
  await context.stdout.write(`   ${line}\n`);
}

async function tellLedger(
  context: CommandContext,
  { ledger, provenance }: { readonly ledger: Ledger; readonly provenance: Provenance },
): Promise<void> {
  await tell(context, `Ledger. ${describeLedger(ledger, provenance)}`);
  for (const reason of ledger.reasons) await tell(context, `        because ${reason}`);
  for (const warning of ledger.warnings) await tell(context, `        note: ${warning}`);
}

export default command;
