/** What other members use of `io/objects/`. */
export * from "./object_store.ts";
export * from "./store_access.ts";
export * from "./store_options.ts";
