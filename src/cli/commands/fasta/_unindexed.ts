/** Records of a FASTA that an index cannot contain: those without a sequence, and later ones with the same id. */
import type { FastaBatch } from "@seqreg/core/fasta";
import { readFastaBatches } from "@seqreg/core/fasta/records/read_fasta_batches";
import { FastaError, textAt } from "@seqreg/core/fasta/text";

/**
 * Maximum bytes of a file that is read completely to find equal ids, although an index finds the record: some 50 ms.
 */
const SMALL_FILE = 64 << 20;

/** What is known about records outside the index. */
export interface Unindexed {
  /** Headers of records without a sequence whose id is unique, by id. */
  readonly empty: ReadonlyMap<string, string>;
  /** Number of records per id, for ids with several records. */
  readonly repeated: ReadonlyMap<string, number>;
}

/**
 * Looks for requested ids among the records that an index does not contain.
 *
 * @param options Whether some ids are not in the index: otherwise only a small file is read completely.
 * @returns `undefined` if the file was not read.
 */
export async function findUnindexed(
  path: string,
  ids: ReadonlySet<string>,
  options: { readonly isMissing: boolean; readonly signal: AbortSignal },
): Promise<Unindexed | undefined> {
  if (!options.isMissing && (await Deno.stat(path)).size > SMALL_FILE) return undefined;
  try {
    return await readWanted(readFastaBatches(path, { sequences: false, signal: options.signal }), ids);
  } catch (error) {
    // Results from the index stay unchanged; `fasta stats` reports what is wrong with the file.
    if (!(error instanceof FastaError)) throw error;
    return undefined;
  }
}

/**
 * Reads a FASTA to its end.
 *
 * @param take Receives the rows of wanted records that have a sequence.
 */
export async function readWanted(
  batches: AsyncIterable<FastaBatch>,
  ids: ReadonlySet<string>,
  take: (batch: FastaBatch, row: number) => void = () => {},
): Promise<Unindexed> {
  const counts = new Map<string, number>();
  const empty = new Map<string, string>();
  for await (const batch of batches) {
    for (const [row, id] of batch.ids.entries()) {
      if (!ids.has(id)) continue;
      counts.set(id, (counts.get(id) ?? 0) + 1);
      if (batch.length[row] > 0) {
        empty.delete(id);
        take(batch, row);
      } else if (counts.get(id) === 1) empty.set(id, textAt(batch.headers, row));
    }
  }
  return { empty, repeated: new Map([...counts].filter(([, count]) => count > 1)) };
}
