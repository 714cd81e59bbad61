/** What other members use of `schema/formats/`. */
export * from "./frictionless.ts";
export * from "./text.ts";
export * from "./typescript.ts";
