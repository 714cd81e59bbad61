/** What other members use of `fasta/index/`. */
export * from "./build_fasta_index.ts";
export * from "./open_fasta.ts";
export * from "./save_index.ts";
