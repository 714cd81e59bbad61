/** The commands, in the order of `seqreg --help`. Add a line to add a command. */
import type { Command } from "./_command.ts";

/** A command that has not been loaded. */
export interface CommandEntry {
  /** One line that says what it does; the same as the command's own, which a test checks. */
  readonly summary: string;
  /** Imports the command's file. */
  load(): Promise<Command>;
}

/** Every command by its name. */
export const COMMANDS: ReadonlyMap<string, CommandEntry> = new Map<string, CommandEntry>([
  ["search", {
    summary: "Search records: one page, or all",
    load: async () => (await import("./search.ts")).default,
  }],
  ["download", {
    summary: "Export metadata, accessions or sequences as the registry sends them",
    load: async () => (await import("./download.ts")).default,
  }],
  ["sequence", {
    summary: "Get sequences by accession, as plain FASTA or JSON",
    load: async () => (await import("./sequence.ts")).default,
  }],
  ["definitions", {
    summary: "Get definitions of public fields",
    load: async () => (await import("./definitions.ts")).default,
  }],
  ["demo", {
    summary: "Show the main job on the built-in sample: search, export, sequences, a verified archive",
    load: async () => (await import("./demo.ts")).default,
  }],
  ["lab", {
    summary: "Open JupyterLab with the kernel Deno (seqreg)",
    load: async () => (await import("./lab.ts")).default,
  }],
  ["kernel install", {
    summary: "Install the Jupyter kernel Deno (seqreg) for this user",
    load: async () => (await import("./kernel_install.ts")).default,
  }],
  ["kernel remove", {
    summary: "Remove the Jupyter kernel Deno (seqreg)",
    load: async () => (await import("./kernel_remove.ts")).default,
  }],
  ["init", {
    summary: "Make a folder with a notebook and a script that use this toolkit",
    load: async () => (await import("./init.ts")).default,
  }],
  ["doctor", {
    summary: "Say what is installed, where the cache is, and what to do about each gap",
    load: async () => (await import("./doctor.ts")).default,
  }],
  ["sample", {
    summary: "Make a synthetic archive set, the sixteen files of a registry, from a seed",
    load: async () => (await import("./sample.ts")).default,
  }],
  ["pack", {
    summary: "Make an archive set, the sixteen files of a registry, from your own FASTA and metadata table",
    load: async () => (await import("./pack.ts")).default,
  }],
  ["fasta stats", {
    summary: "Count the records and letters of FASTA files",
    load: async () => (await import("./fasta_stats.ts")).default,
  }],
  ["fasta table", {
    summary: "Write a FASTA file as a table, one row for each record",
    load: async () => (await import("./fasta_table.ts")).default,
  }],
  ["fasta plain", {
    summary: "Write a registry FASTA as plain FASTA, which every other tool reads",
    load: async () => (await import("./fasta_plain.ts")).default,
  }],
  ["dataset", {
    summary: "Get dataset archives, verified with their checksum files",
    load: async () => (await import("./dataset.ts")).default,
  }],
  ["mirror", {
    summary: "Bring a folder to the state of a registry: its sixteen files, verified, and its definitions",
    load: async () => (await import("./mirror.ts")).default,
  }],
  ["verify", {
    summary: "Verify archives with the checksum files beside them",
    load: async () => (await import("./verify.ts")).default,
  }],
  ["cache list", {
    summary: "List what the cache holds: size, age, origin, digest",
    load: async () => (await import("./cache_list.ts")).default,
  }],
  ["cache verify", {
    summary: "Hash every archive of the cache again",
    load: async () => (await import("./cache_verify.ts")).default,
  }],
  ["cache prune", {
    summary: "Name what may go from the cache; with --yes, remove it",
    load: async () => (await import("./cache_prune.ts")).default,
  }],
  ["serve", {
    summary: "Serve a folder of archives, or the built-in sample, as a registry on this machine",
    load: async () => (await import("./serve.ts")).default,
  }],
  ["fasta index", {
    summary: "Write the index of a FASTA file beside it, as samtools does",
    load: async () => (await import("./fasta_index.ts")).default,
  }],
  ["fasta get", {
    summary: "Write chosen records of a FASTA file, in the order asked",
    load: async () => (await import("./fasta_get.ts")).default,
  }],
  ["fasta digest", {
    summary: "Write the length, GA4GH digest and MD5 of each sequence",
    load: async () => (await import("./fasta_digest.ts")).default,
  }],
  ["lake", {
    summary: "Turn archives into Parquet files typed by the definitions",
    load: async () => (await import("./lake.ts")).default,
  }],
]);
