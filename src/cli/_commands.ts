/** The commands, in the order of `seqreg --help`. Add a line to add a command. */
import type { Command } from "./support/command.ts";

/** A command that has not been loaded. */
export interface CommandEntry {
  /** One line that says what it does; the same as the command's own, which a test checks. */
  readonly summary: string;
  /** Imports the command's file. */
  load(): Promise<Command>;
}

/** Every command by its name. */
export const COMMANDS: ReadonlyMap<string, CommandEntry> = new Map<string, CommandEntry>([
  ["demo", entry("demo.ts", "Show the main job on the built-in sample: search, export, sequences, a verified archive")],
  ["search", entry("search.ts", "Search records: one page, or all")],
  ["download", entry("download.ts", "Export metadata, accessions or sequences as the registry sends them")],
  ["sequence", entry("sequence.ts", "Get sequences by accession, as plain FASTA or JSON")],
  ["definitions", entry("definitions.ts", "Get definitions of public fields")],
  ["dataset", entry("dataset.ts", "Get dataset archives, verified with their checksum files")],
  [
    "mirror",
    entry("mirror.ts", "Bring a folder to the state of a registry: its sixteen files, verified, and its definitions"),
  ],
  ["verify", entry("verify.ts", "Verify archives with the checksum files beside them")],
  ["serve", entry("serve.ts", "Serve a folder of archives, or the built-in sample, as a registry on this machine")],
  ["sample", entry("sample.ts", "Make a synthetic archive set, the sixteen files of a registry, from a seed")],
  [
    "pack",
    entry("pack.ts", "Make an archive set, the sixteen files of a registry, from your own FASTA and metadata table"),
  ],
  ["fasta stats", entry("fasta/fasta_stats.ts", "Count the records and bases of FASTA files")],
  ["fasta table", entry("fasta/fasta_table.ts", "Write a FASTA file as a table, one row for each record")],
  ["fasta plain", entry("fasta/fasta_plain.ts", "Write a registry FASTA as plain FASTA, which every other tool reads")],
  ["fasta index", entry("fasta/fasta_index.ts", "Write the index of a FASTA file beside it, as samtools does")],
  ["fasta get", entry("fasta/fasta_get.ts", "Write chosen records of a FASTA file, in the order asked")],
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
      "Write the FASTA that a folder of fasta to-parquet was made of, registry or plain as it was",
    ),
  ],
  ["lake", entry("lake.ts", "Turn archives into Parquet files typed by the definitions")],
  ["lake verify", entry("lake_verify.ts", "Hash every file of a lake and compare it with the lake's checksums")],
  ["sql", entry("sql.ts", "Ask a lake in SQL, which only reads")],
  ["cache list", entry("cache_list.ts", "List what the cache holds: size, age, origin, digest")],
  ["cache verify", entry("cache_verify.ts", "Hash every archive, import and lake of the cache again")],
  ["cache prune", entry("cache_prune.ts", "Name what may go from the cache; with --yes, remove it")],
  ["lab", entry("lab.ts", "Open JupyterLab with the kernel Deno (seqreg)")],
  ["kernel install", entry("kernel_install.ts", "Install the Jupyter kernel Deno (seqreg) for this user")],
  ["kernel remove", entry("kernel_remove.ts", "Remove the Jupyter kernel Deno (seqreg)")],
  ["init", entry("init.ts", "Make a folder with a notebook and a script that use this toolkit")],
  ["naming", entry("naming.ts", "Find what a deployment calls things, as JSON for --naming")],
  ["doctor", entry("doctor.ts", "Say what is installed, where the cache is, and what to do about each gap")],
  [
    "bundle",
    entry(
      "bundle.ts",
      "Pack Deno, the toolkit, its packages and the sample into one archive, for a room without a network",
    ),
  ],
]);

/** Deno loads what a literal `import()` names when the program starts: a name made here is loaded when it is needed. */
function entry(file: string, summary: string): CommandEntry {
  return {
    summary,
    load: async () => {
      const module: { readonly default: Command } = await import(new URL(`./commands/${file}`, import.meta.url).href);
      return module.default;
    },
  };
}
