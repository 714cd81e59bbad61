/** What other members use of `io/digest/`. */
export * from "./checksum_file.ts";
export * from "./sha256.ts";
