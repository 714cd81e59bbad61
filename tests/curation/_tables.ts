/** Tables in files for tests of curation, and the folders that come of them. */
import { csvRow } from "../../src/core/io/csv/csv_text.ts";
import { inFolder } from "../_files.ts";

/** Rows of a table, the header first. */
export type Rows = readonly (readonly string[])[];

export async function writeTable(path: string, rows: Rows): Promise<void> {
  await Deno.writeTextFile(path, rows.map((row) => `${csvRow(row)}\n`).join(""));
}

/** Calls a function with the path of a table, in a folder that is removed afterwards. */
export async function withTable(rows: Rows, work: (path: string, folder: string) => Promise<void>): Promise<void> {
  await inFolder(async (folder) => {
    await writeTable(`${folder}/records.csv`, rows);
    await work(`${folder}/records.csv`, folder);
  });
}

/** The rows of a TSV file, each by the names of its header. */
export async function readTsv(path: string): Promise<Record<string, string>[]> {
  const [header, ...lines] = (await Deno.readTextFile(path)).replace(/\n$/, "").split("\n").map((line) =>
    line.split("\t")
  );
  return lines.map((cells) => Object.fromEntries(header.map((name, at) => [name, cells[at]])));
}
