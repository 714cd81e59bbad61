/** What other members use of `io/bytes/`. */
export * from "./byte_source.ts";
export * from "./closing.ts";
export * from "./describe_bytes.ts";
export * from "./join_bytes.ts";
export * from "./open_bytes.ts";
export * from "./peek_bytes.ts";
export * from "./random_bytes.ts";
export * from "./read_full.ts";
export * from "./rereadable.ts";
export * from "./source_name.ts";
export * from "./text_lines.ts";
