/** The functions of this folder, whose source makes a table live in a page. */
export * from "./cells.ts";
export * from "./column_panel.ts";
export * from "./conditions.ts";
export * from "./draw_rows.ts";
export * from "./export_rows.ts";
export * from "./filter_panel.ts";
export * from "./find_rows.ts";
export * from "./grid_keys.ts";
export * from "./live_table.ts";
export * from "./page_tools.ts";
export * from "./read_filter.ts";
export * from "./start_table.ts";
export * from "./tool_bar.ts";
