/** Sequences by accession, in requests as large as the registry takes. */
import { type RegistryClient, type SequenceAnswer, StatusError } from "../../client/mod.ts";
import { splitBatches } from "../plan/accession_list.ts";
import { limitsOf } from "../plan/learned_limits.ts";
import type { ReleaseWatch } from "../plan/release_watch.ts";

export interface AskedSequences {
  readonly accessions: readonly string[];
  readonly answer: SequenceAnswer;
  /** Whether one request asked for all. */
  readonly isWhole: boolean;
}

/**
 * Asks for sequences: `most` accessions in a request, fewer once the registry has refused so many at once. Accessions
 * that a registry names when it refuses a request are unknown to it: the others are asked for without them.
 *
 * @throws {RegistryError} As the client throws, for what a smaller request cannot mend.
 */
export async function* askSequences(
  client: RegistryClient,
  accessions: readonly string[],
  { most, watch, signal }: { readonly most: number; readonly watch: ReleaseWatch; readonly signal?: AbortSignal },
): AsyncGenerator<AskedSequences> {
  const limits = limitsOf(client);
  let isWhole = true;
  let answered = 0;
  let waiting = splitBatches(accessions, limits.within("sequence", most));
  while (waiting.length > 0) {
    const [batch, ...others] = waiting;
    try {
      const answer = await client.sequence({ accessions: batch }, { signal });
      waiting = others;
      watch.see(answer.receipt, `request ${++answered}`);
      yield { accessions: batch, answer, isWhole: isWhole && batch.length === accessions.length };
    } catch (error) {
      const names = [client.naming.accessionsKey, "accessions"];
      const next = limits.learnFrom(error, "sequence", batch.length, names);
      const unknown = namedIn(error, batch);
      if (next !== undefined) waiting = waiting.flatMap((each) => splitBatches(each, next));
      else if (unknown.length > 0) {
        const known = batch.filter((accession) => !unknown.includes(accession));
        waiting = [...known.length === 0 ? [] : [known], ...others];
        isWhole = false;
      } else throw batch.length > 1 ? adviseOfUnknown(error, batch.length) : error;
    }
  }
}

/** Statuses with which a registry may refuse a request for one of its accessions. */
const REFUSED = [400, 404, 422];

/** The accessions of a request that its refusal names. */
function namedIn(error: unknown, batch: readonly string[]): readonly string[] {
  if (!(error instanceof StatusError) || !REFUSED.includes(error.status)) return [];
  const named = new Set(`${error.detail} ${error.excerpt}`.match(/\bvj[0-9]{12}\b/g));
  const indices = new Set(error.issues.map(({ loc }) => loc.at(-1)));
  return batch.filter((accession, index) => named.has(accession) || indices.has(index));
}

/** A refusal that names no accession may still be about one of them. */
function adviseOfUnknown(error: unknown, count: number): unknown {
  if (!(error instanceof StatusError) || ![400, 404].includes(error.status) || error.detail === "") return error;
  return new StatusError(
    error.code,
    `${
      error.message.replace(/; check the base URL$/, "")
    }; one of the ${count} accessions may be unknown: ask for the ` +
      "others alone, in shorter lists",
    error,
    { cause: error },
  );
}
