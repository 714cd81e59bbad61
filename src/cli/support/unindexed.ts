/** Records of a FASTA that an index cannot hold: those without a sequence, and later ones of an id. */
import { readFastaBatches } from "../../fasta/records/read_fasta_batches.ts";
import { FastaError } from "../../fasta/text/fasta_error.ts";
import { textAt } from "../../fasta/text/text_column.ts";

/** Bytes of a file up to which it is read through to find equal ids, though an index finds the record: some 50 ms. */
const SMALL_FILE = 64 << 20;

/** What is known of records beyond the index. */
export interface Unindexed {
  /** Headers of records without a sequence whose id no other record has, by id. */
  readonly empty: ReadonlyMap<string, string>;
  /** How many records have an id, of those that several have. */
  readonly repeated: ReadonlyMap<string, number>;
}

/**
 * Looks for asked ids among the records that an index does not hold.
 *
 * @param path The file.
 * @param ids The ids asked for.
 * @param options Whether some are not in the index: else only a small file is read through.
 * @returns `undefined` where the file was not read.
 */
export async function findUnindexed(
  path: string,
  ids: ReadonlySet<string>,
  options: { readonly isMissing: boolean; readonly signal: AbortSignal },
): Promise<Unindexed | undefined> {
  if (!options.isMissing && (await Deno.stat(path)).size > SMALL_FILE) return undefined;
  const counts = new Map<string, number>();
  const empty = new Map<string, string>();
  try {
    for await (const batch of readFastaBatches(path, { sequences: false, signal: options.signal })) {
      for (const [row, id] of batch.ids.entries()) {
        if (!ids.has(id)) continue;
        counts.set(id, (counts.get(id) ?? 0) + 1);
        if (batch.length[row] > 0) empty.delete(id);
        else if (counts.get(id) === 1) empty.set(id, textAt(batch.headers, row));
      }
    }
  } catch (error) {
    // What the index found stays as it is; `fasta stats` names what is wrong with the file.
    if (!(error instanceof FastaError)) throw error;
    return undefined;
  }
  return { empty, repeated: new Map([...counts].filter(([, count]) => count > 1)) };
}
