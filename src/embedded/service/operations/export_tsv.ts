/** Accession lists as TSV: one column with a header. */
import { tsvRow } from "@seqreg/core/io/csv/csv_text";
import { spend } from "./_batches.ts";
import type { StoredRecord } from "../store/store.ts";

/**
 * Writes an accession list.
 *
 * @param batches Records; each batch is emptied when it is written.
 * @returns The header, then one text per batch.
 * @see Specification 4.2, `text/tab-separated-values`. That there is a header is not shown: chosen because `keys` names
 * the column.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { accessionsTsv } from "./export_tsv.ts";
 *
 * const batches = (async function* () {
 *   yield [{ accession: "vj000000000001", values: [] }];
 * })();
 * const texts = await Array.fromAsync(accessionsTsv(batches, "Registry Accession"));
 *
 * assertEquals(texts.join(""), "Registry Accession\nvj000000000001\n");
 * ```
 */
export async function* accessionsTsv(
  batches: AsyncIterable<StoredRecord[]>,
  header: string,
): AsyncGenerator<string> {
  yield tsvRow([header]) + "\n";
  for await (const records of batches) {
    yield spend(records, ({ accession }) => `${tsvRow([accession])}\n`);
  }
}
