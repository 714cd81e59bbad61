/** What other members use of `io/files/`. */
export * from "./disk_error.ts";
export * from "./folder_use.ts";
export * from "./list_folders.ts";
export * from "./staging_folder.ts";
export * from "./system_code.ts";
export * from "./write_all.ts";
