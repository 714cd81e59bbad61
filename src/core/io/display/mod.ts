/** What other members use of `io/display/`. */
export * from "./display.ts";
export * from "./html.ts";
export * from "./notebook_host.ts";
