/** What other members use of `fasta/text/`. */
export * from "./bases_of.ts";
export * from "./fasta_error.ts";
export * from "./text_column.ts";
