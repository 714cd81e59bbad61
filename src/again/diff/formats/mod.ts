/** What other members use of `diff/formats/`. */
export * from "./csv.ts";
export * from "./daff.ts";
export * from "./html.ts";
export * from "./jsonl.ts";
export * from "../text.ts";
