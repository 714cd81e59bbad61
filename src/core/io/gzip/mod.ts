/** What other members use of `io/gzip/`. */
export * from "./gunzip.ts";
export * from "./gzip_parts.ts";
