/** The functions whose source makes a table of `live()` live in a page. */
export * from "../cells.ts";
export * from "../live_table.ts";
export * from "../page_tools.ts";
export * from "../read_filter.ts";
export * from "./channel.ts";
export * from "./connect_kernel.ts";
export * from "./draw_live.ts";
export * from "./fetch_live.ts";
export * from "./live_heads.ts";
export * from "./live_keys.ts";
export * from "./live_page.ts";
export * from "./live_panels.ts";
export * from "./live_ranges.ts";
export * from "./live_scroll.ts";
export * from "./live_style.ts";
export * from "./renew_live.ts";
export * from "./start_live.ts";
