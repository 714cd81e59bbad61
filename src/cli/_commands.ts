/** The commands, in the order of `seqreg --help`. Add a line to add a command. */
import type { Command } from "./support/command.ts";

export interface CommandEntry {
  /** One line that describes it; the same as the command's own, which a test checks. */
  readonly summary: string;
  load(): Promise<Command>;
}

const ENTRIES: readonly (readonly [name: string, file: string, summary: string])[] = [
  ["demo", "demo.ts", "Demonstrate search, export, sequences and a verified archive on the built-in sample"],
  ["search", "search.ts", "Search records: one page, or all"],
  ["download", "download.ts", "Export metadata, accessions or sequences as the registry sends them"],
  ["sequence", "sequence.ts", "Get sequences by accession, as plain FASTA or JSON"],
  ["definitions", "definitions.ts", "Get definitions of public fields"],
  ["dataset", "dataset.ts", "Get dataset archives, verified with their checksum files"],
  ["mirror", "mirror.ts", "Mirror a registry into a folder: its sixteen files, verified, and its field definitions"],
  ["verify", "verify.ts", "Verify archives with their checksum files"],
  ["serve", "serve.ts", "Serve a folder of archives, the built-in sample, or zika as a registry on this machine"],
  ["sample", "sample.ts", "Create a synthetic archive set, the sixteen files of a registry, from a seed"],
  ["pack", "pack.ts", "Create an archive set, the sixteen files of a registry, from your own FASTA and metadata table"],
  ["fasta stats", "fasta/fasta_stats.ts", "Count records and bases of FASTA files"],
  ["fasta table", "fasta/fasta_table.ts", "Write a FASTA file as a table, one row for each record"],
  ["fasta plain", "fasta/fasta_plain.ts", "Write a registry FASTA as plain FASTA, which every other tool reads"],
  ["fasta index", "fasta/fasta_index.ts", "Write a samtools-compatible index of a FASTA file"],
  ["fasta get", "fasta/fasta_get.ts", "Write selected records of a FASTA file, in the order requested"],
  ["fasta digest", "fasta/fasta_digest.ts", "Write the length, GA4GH digest and MD5 of each sequence"],
  ["fasta composition", "fasta/fasta_composition.ts", "Write the dinucleotide odds ratios of each sequence"],
  [
    "fasta to-parquet",
    "fasta/fasta_to_parquet.ts",
    "Write a FASTA file as a folder of Parquet files, which polars, DuckDB and pandas read",
  ],
  [
    "fasta from-parquet",
    "fasta/fasta_from_parquet.ts",
    "Restore the FASTA file (registry or plain) from a folder written by fasta to-parquet",
  ],
  ["lake", "lake/lake.ts", "Convert archives and tables to Parquet files typed by the field definitions"],
  ["lake files", "lake/lake_files.ts", "Print the Parquet files of a lake's current version, table by table"],
  ["lake verify", "lake/lake_verify.ts", "Verify every file of a lake against its checksums"],
  [
    "schema",
    "schema.ts",
    "Describe the fields of a source: declared types and what the values are; or how they changed",
  ],
  ["curate", "curation/curate.ts", "Keep the records that no rule leaves out, and list the others with their reasons"],
  [
    "isolates",
    "curation/isolates.ts",
    "Group records by isolate: one row with its segments, what is missing, duplicate and conflicting",
  ],
  [
    "subsample",
    "curation/subsample.ts",
    "Draw records evenly over groups, such as country and month, with their sequences",
  ],
  ["diff", "diff.ts", "Compare two versions of the data record by record"],
  ["crate", "again/crate.ts", "Put a notebook, its lock and its results into a research object (RO-Crate)"],
  ["cite", "again/cite.ts", "Cite an archive, a lake or a lock, signed by a digest that sha256sum verifies"],
  [
    "alike sketch",
    "alike/alike_sketch.ts",
    "Sketch each record of a FASTA file or a lake as sourmash does, for exchange with other programs",
  ],
  ["alike index", "alike/alike_index.ts", "Index the records of a FASTA file or a lake by their sketches"],
  ["alike nearest", "alike/alike_nearest.ts", "Find the records of an index that are nearest to queries"],
  [
    "alike clusters",
    "alike/alike_clusters.ts",
    "Cluster the records of a FASTA file or a lake around the longest ones: near-duplicates, or species",
  ],
  [
    "alike check",
    "alike/alike_check.ts",
    "Check the clusters of a lake: align a sample of members to their representatives",
  ],
  [
    "alike context",
    "alike/alike_context.ts",
    "Make a context set: the nearest records to queries, spread fairly, with metadata, for a tree",
  ],
  [
    "replay",
    "again/replay.ts",
    "Run a notebook or a script again with the answers of its lock, or compare these with today's",
  ],
  ["lock show", "again/lock_show.ts", "List the calls of a lock"],
  [
    "lock verify",
    "again/lock_verify.ts",
    "Verify that the cache holds every answer of a lock, or that the registry still answers so",
  ],
  ["lock update", "again/lock_update.ts", "Ask the calls of a lock again, and record what the registry answers now"],
  ["lock pack", "again/lock_pack.ts", "Pack a lock and its answers into one file to deposit"],
  ["lock unpack", "again/lock_unpack.ts", "Unpack a packed lock: its calls into the lock, its answers into the cache"],
  ["sql", "lake/sql.ts", "Query a lake or a table with read-only SQL"],
  ["chart", "chart.ts", "Draw an analysis of a lake or a table, or write its numbers"],
  ["cache list", "cache/cache_list.ts", "List the contents of the cache: size, age, origin, digest"],
  [
    "cache verify",
    "cache/cache_verify.ts",
    "Verify every archive, import, copy, lake and answer of a lock in the cache",
  ],
  ["cache prune", "cache/cache_prune.ts", "List unused files of the cache; with --yes, remove them"],
  ["run", "run.ts", "Run a script with the toolkit's imports and the permissions that it needs"],
  ["lab", "lab.ts", "Open JupyterLab with the kernel Deno (seqreg)"],
  ["kernel install", "kernel/kernel_install.ts", "Install the Jupyter kernel Deno (seqreg) for this user"],
  ["kernel remove", "kernel/kernel_remove.ts", "Remove the Jupyter kernel Deno (seqreg)"],
  ["init", "init.ts", "Create a folder with a script and a notebook that use this toolkit"],
  [
    "completions",
    "completions.ts",
    "Write the script by which bash, zsh or fish completes commands, options and values",
  ],
  ["naming", "naming.ts", "Detect the spellings of a deployment, as JSON for --naming"],
  [
    "docs",
    "docs/docs.ts",
    "Show the documentation in a browser: guide, lessons, cookbook and reference, without a network",
  ],
  ["doctor", "doctor.ts", "Report what is installed, where the cache is, and how to fix what is missing"],
  [
    "bundle",
    "bundle.ts",
    "Pack Deno, the toolkit, its packages and the sample into one archive, for use without a network",
  ],
];

/** Ending of every module: `.ts` in a checkout, `.js` in an installed package. */
const ENDING = import.meta.url.slice(-3);

/** Every command by its name. */
export const COMMANDS: ReadonlyMap<string, CommandEntry> = new Map(
  ENTRIES.map(([name, file, summary]) => [name, { summary, load: () => load(file) }]),
);

/** Deno loads modules of a literal `import()` at program start; a computed specifier is loaded on demand. */
async function load(file: string): Promise<Command> {
  const url = new URL(`./commands/${file.replace(/\.ts$/, ENDING)}`, import.meta.url);
  const module: { readonly default: Command } = await import(url.href);
  return module.default;
}
