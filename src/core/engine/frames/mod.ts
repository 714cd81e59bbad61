/** What other members use of `engine/frames/`. */
export * from "./dtypes.ts";
export * from "./frame_columns.ts";
export * from "./frame_members.ts";
