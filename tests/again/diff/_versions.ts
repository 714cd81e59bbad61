/** Two versions of a table in files, for tests of comparisons. */
import type { RecordChange } from "../../../src/again/diff/record_change.ts";
import { csvRow } from "../../../src/core/io/csv/csv_text.ts";
import { diffLakes, type DiffOptions } from "../../../src/again/diff/diff.ts";
import type { Diff } from "../../../src/again/diff/diff_result.ts";
import { inFolder } from "../../_files.ts";

/** Rows of a table, the header first. */
export type Rows = readonly (readonly string[])[];

/** Writes a table as CSV. */
export async function writeRows(path: string, rows: Rows): Promise<void> {
  await Deno.writeTextFile(path, rows.map((row) => `${csvRow(row)}\n`).join(""));
}

/** Compares two tables, and removes the files. */
export async function withDiff(
  before: Rows,
  after: Rows,
  options: DiffOptions,
  work: (diff: Diff) => void | Promise<void>,
): Promise<void> {
  await inFolder(async (folder) => {
    await writeRows(`${folder}/old.csv`, before);
    await writeRows(`${folder}/new.csv`, after);
    await using diff = await diffLakes(`${folder}/old.csv`, `${folder}/new.csv`, options);
    await work(diff);
  });
}

/** Reads all that differs. */
export async function recordsOf(diff: Diff): Promise<RecordChange[]> {
  return await Array.fromAsync<RecordChange>(diff.records());
}
