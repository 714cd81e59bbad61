/** The commands, in the order of `seqreg --help`. Add a line to add a command. */
import type { Command } from "./support/command.ts";
import { moduleFile } from "./installation/installation.ts";

/** One line that describes it; the same as the command's own summary, which a test checks. */
export interface CommandEntry {
  /** One line that says what it does; the same as the command's own, which a test checks. */
  readonly summary: string;
  /** Imports the command's file. */
  load(): Promise<Command>;
}

/** Every command by its name. */
export const COMMANDS: ReadonlyMap<string, CommandEntry> = new Map<string, CommandEntry>([
  ["demo", entry("demo.ts", "Demonstrate search, export, sequences and a verified archive on the built-in sample")],
  ["search", entry("search.ts", "Search records: one page, or all")],
  ["download", entry("download.ts", "Export metadata, accessions or sequences as the registry sends them")],
  ["sequence", entry("sequence.ts", "Get sequences by accession, as plain FASTA or JSON")],
  ["definitions", entry("definitions.ts", "Get definitions of public fields")],
  ["dataset", entry("dataset.ts", "Get dataset archives, verified with their checksum files")],
  [
    "mirror",
    entry("mirror.ts", "Mirror a registry into a folder: its sixteen files, verified, and its field definitions"),
  ],
  ["verify", entry("verify.ts", "Verify archives with their checksum files")],
  ["serve", entry("serve.ts", "Serve a folder of archives, or the built-in sample, as a registry on this machine")],
  ["sample", entry("sample.ts", "Create a synthetic archive set, the sixteen files of a registry, from a seed")],
  [
    "pack",
    entry("pack.ts", "Create an archive set, the sixteen files of a registry, from your own FASTA and metadata table"),
  ],
  ["fasta stats", entry("fasta/fasta_stats.ts", "Count records and bases of FASTA files")],
  ["fasta table", entry("fasta/fasta_table.ts", "Write a FASTA file as a table, one row for each record")],
  ["fasta plain", entry("fasta/fasta_plain.ts", "Write a registry FASTA as plain FASTA, which every other tool reads")],
  ["fasta index", entry("fasta/fasta_index.ts", "Write a samtools-compatible index of a FASTA file")],
  ["fasta get", entry("fasta/fasta_get.ts", "Write selected records of a FASTA file, in the order requested")],
  ["fasta digest", entry("fasta/fasta_digest.ts", "Write the length, GA4GH digest and MD5 of each sequence")],
  [
    "fasta to-parquet",
    entry(
      "fasta/fasta_to_parquet.ts",
      "Write a FASTA file as a folder of Parquet files, which polars, DuckDB and pandas read",
    ),
  ],
  [
    "fasta from-parquet",
    entry(
      "fasta/fasta_from_parquet.ts",
      "Restore the FASTA file (registry or plain) from a folder written by fasta to-parquet",
    ),
  ],
  ["lake", entry("lake.ts", "Convert archives to Parquet files typed by the field definitions")],
  ["lake verify", entry("lake_verify.ts", "Verify every file of a lake against its checksums")],
  ["sql", entry("sql.ts", "Query a lake with read-only SQL")],
  ["chart", entry("chart.ts", "Draw an analysis of a lake or a table, or write its numbers")],
  ["cache list", entry("cache/cache_list.ts", "List the contents of the cache: size, age, origin, digest")],
  ["cache verify", entry("cache/cache_verify.ts", "Verify every archive, import and lake of the cache")],
  ["cache prune", entry("cache/cache_prune.ts", "List unused files of the cache; with --yes, remove them")],
  ["run", entry("run.ts", "Run a script with the toolkit's imports and the permissions that it needs")],
  ["lab", entry("lab.ts", "Open JupyterLab with the kernel Deno (seqreg)")],
  ["kernel install", entry("kernel/kernel_install.ts", "Install the Jupyter kernel Deno (seqreg) for this user")],
  ["kernel remove", entry("kernel/kernel_remove.ts", "Remove the Jupyter kernel Deno (seqreg)")],
  ["init", entry("init.ts", "Create a folder with a script and a notebook that use this toolkit")],
  [
    "completions",
    entry("completions.ts", "Write the script by which bash, zsh or fish completes commands, options and values"),
  ],
  ["naming", entry("naming.ts", "Detect the spellings of a deployment, as JSON for --naming")],
  ["doctor", entry("doctor.ts", "Report what is installed, where the cache is, and how to fix what is missing")],
  [
    "bundle",
    entry(
      "bundle.ts",
      "Pack Deno, the toolkit, its packages and the sample into one archive, for use without a network",
    ),
  ],
]);

/** Deno loads modules of a literal `import()` at program start; a computed specifier is loaded on demand. */
function entry(file: string, summary: string): CommandEntry {
  return {
    summary,
    load: async () => {
      const url = new URL(`./commands/${moduleFile(file)}`, import.meta.url);
      const module: { readonly default: Command } = await import(url.href);
      return module.default;
    },
  };
}
