/** A lake as a card: its tables, their size, and what to do next. */
import type { Lake } from "@seqreg/core/tables";
import { cut, DATA_CLASS, escapeHtml, type MediaBundle, visible } from "@seqreg/core/io/display";
import { tableView } from "./table_view.ts";

/** What a card reads of a lake. */
type LakeLike = Pick<Lake, "folder" | "tables" | "main" | "warnings" | "files">;

export function isLake(value: unknown): value is LakeLike {
  const { folder, tables, main, warnings, sql, files } = Object(value);
  return typeof folder === "string" && typeof main === "string" && tables instanceof Map && Array.isArray(warnings) &&
    typeof sql === "function" && typeof files === "function";
}

export function lakeView({ folder, tables, main, warnings }: LakeLike): MediaBundle {
  const manifests = [...tables.values()];
  const table = tableView({
    caption: `lake of ${manifests.length} ${manifests.length === 1 ? "table" : "tables"}`,
    columns: ["table", "holds", "records", "columns", "MB"],
    rows: manifests.map(({ table, kind, rows, columns, files }) => [
      table === main ? `${table} (main)` : table,
      kind,
      rows,
      columns.length,
      Math.round(files.reduce((sum, { bytes }) => sum + bytes, 0) / 1e4) / 100,
    ]),
    sized: false,
  });
  const lines = [
    ...warnings.map((warning) => `! ${warning}`),
    `next: await lake.table(), lake.scan(), await lake.sql("SELECT count(*) FROM lake"), await live(lake)`,
    folder,
  ];
  return {
    "text/plain": [table["text/plain"], ...lines.map((line) => `  ${visible(line)}`)].join("\n"),
    "text/html": `${table["text/html"]}<div class="seqreg-lake ${DATA_CLASS}"><small>${
      lines.map((line) => escapeHtml(cut(line, 600))).join("<br>")
    }</small></div>`,
  };
}
