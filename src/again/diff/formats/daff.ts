/** Changes as daff's tabular format in CSV. */
import { csvRow } from "@seqreg/core/io/csv/csv_text";
import type { Diff } from "../diff_result.ts";

/**
 * Writes a comparison of two tables as the CSV that `daff patch OLD DIFF` takes.
 *
 * @param diff The comparison.
 * @returns Rows with their line ends.
 * @throws {TypeError} See {@linkcode Diff.daffRows}.
 */
export async function* diffToDaff(diff: Diff): AsyncGenerator<string> {
  for await (const row of diff.daffRows()) yield `${csvRow(row)}\n`;
}
