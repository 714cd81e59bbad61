/** What other members use of `registry/exports/`. */
export * from "./export_fields.ts";
export * from "./export_run.ts";
export * from "./scan_fasta.ts";
