/** What other members use of `query/`. */
export * from "./criteria_error.ts";
export * from "./fields.ts";
export * from "./fold.ts";
export * from "./grammar.ts";
export * from "./keys.ts";
export * from "./query_ast.ts";
export * from "./query_evaluate.ts";
export * from "./query_filter.ts";
export * from "./query_parser.ts";
