/** Sequences by accession, in requests as large as the registry takes. */
import type { RegistryClient, SequenceAnswer } from "../../client/mod.ts";
import { splitBatches } from "../plan/accession_list.ts";
import { limitsOf } from "../plan/learned_limits.ts";

/** An answer, and what was asked for. */
export interface AskedSequences {
  /** Accessions of the request. */
  readonly accessions: readonly string[];
  /** The answer to it. */
  readonly answer: SequenceAnswer;
  /** Whether one request asked for all. */
  readonly isWhole: boolean;
}

/**
 * Asks for sequences: `most` accessions in a request, fewer once the registry has refused so many at once.
 *
 * @throws {RegistryError} As the client throws, for what a smaller request cannot mend.
 */
export async function* askSequences(
  client: RegistryClient,
  accessions: readonly string[],
  { most, signal }: { readonly most: number; readonly signal?: AbortSignal },
): AsyncGenerator<AskedSequences> {
  const limits = limitsOf(client);
  let waiting = splitBatches(accessions, limits.within("sequence", most));
  while (waiting.length > 0) {
    const [batch, ...others] = waiting;
    try {
      const answer = await client.sequence({ accessions: batch }, { ...signal && { signal } });
      waiting = others;
      yield { accessions: batch, answer, isWhole: batch.length === accessions.length };
    } catch (error) {
      const names = [client.naming.accessionsKey, "accessions"];
      const next = limits.learnFrom(error, "sequence", batch.length, names);
      if (next === undefined) throw error;
      waiting = waiting.flatMap((each) => splitBatches(each, next));
    }
  }
}
