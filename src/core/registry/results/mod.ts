/** What other members use of `registry/results/`. */
export * from "./citation.ts";
export * from "./cite.ts";
export * from "./provenance_log.ts";
