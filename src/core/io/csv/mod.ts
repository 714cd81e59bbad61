/** What other members use of `io/csv/`. */
export * from "./check_header.ts";
export * from "./csv_cells.ts";
export * from "./csv_rows.ts";
export * from "./csv_splitter.ts";
export * from "./not_a_table.ts";
export * from "./read_header.ts";
export * from "./separator.ts";
export * from "./text_table.ts";
