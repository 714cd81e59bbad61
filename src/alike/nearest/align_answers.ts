/** Aligns the hits of queries, whose sequences are read from the source of the index. */
import { RegistryError } from "@seqreg/core/errors";
import type { ByteSource } from "@seqreg/core/io/bytes";
import { Yielder } from "@seqreg/core/io/tasks";
import { AlignRoutines, MOST_ALIGNED } from "../align/align_routines.ts";
import { alignTo, type GenomeAlignment } from "../align/align_genomes.ts";
import { readRecords } from "../index/read_records.ts";
import type { AlikeIndex } from "../index/open_index.ts";
import type { NearestAnswer } from "./nearest_answer.ts";
import type { FoundHit } from "./shared_counts.ts";

/** The answer by sketches, and the bases of the query. */
export interface FoundAnswer {
  readonly answer: Omit<NearestAnswer, "hits"> & { readonly hits: readonly FoundHit[] };
  readonly bytes: Uint8Array;
}

export interface AlignAnswersOptions {
  /** Hits that are kept of a query. */
  readonly n: number;
  readonly from?: ByteSource;
  readonly signal?: AbortSignal;
}

/** Bases of queries and hits that are in memory at a time; the source is read once for them. */
const HELD_BASES = 1 << 28;

/** Aligns the hits of each answer, and keeps the n best. */
export async function* alignAnswers(
  answers: AsyncIterable<FoundAnswer>,
  index: AlikeIndex,
  options: AlignAnswersOptions,
): AsyncGenerator<NearestAnswer> {
  const from = options.from ?? index.source.path;
  if (from === null || options.from === undefined && await isGone(index.source.path)) {
    const why = from === null ? "it was not made of a file" : `${from}, which was indexed, is no longer there`;
    const next = "give the FASTA that was indexed with the option from (--from)";
    throw new RegistryError("disk", `Cannot align to the records of ${index.folder}: ${why}; ${next}`);
  }
  const routines = new AlignRoutines();
  let held: FoundAnswer[] = [];
  let bases = 0;
  const wanted = new Set<number>();
  const yielder = new Yielder();
  const flush = async function* () {
    const records = await readRecords(from, index, { wanted, signal: options.signal });
    for (const found of held) {
      await yielder.yieldWhenDue(options.signal);
      yield align(found, records, routines, options.n);
    }
    [held, bases] = [[], 0];
    wanted.clear();
  };
  for await (const { answer, bytes } of answers) {
    held.push({ answer, bytes: bytes.slice() });
    bases += bytes.length;
    for (const { record } of answer.hits) {
      if (!wanted.has(record)) bases += index.lengthOf(record);
      wanted.add(record);
    }
    if (bases >= HELD_BASES) yield* flush();
  }
  if (held.length > 0) yield* flush();
}

async function isGone(path: string | null): Promise<boolean> {
  return path !== null && await Deno.stat(path).catch((error) => error) instanceof Deno.errors.NotFound;
}

/** Aligned bases of a hit that sketches alone do not make one: unrelated genomes have shorter stretches alike. */
const LEAST_ALIGNED_BASES = 100;

function isNear({ aligned, isTooFar }: GenomeAlignment): boolean {
  return aligned >= LEAST_ALIGNED_BASES && !isTooFar;
}

function align(
  { answer, bytes }: FoundAnswer,
  records: ReadonlyMap<number, Uint8Array>,
  routines: AlignRoutines,
  n: number,
): NearestAnswer {
  const isShort = (sequence: Uint8Array) => sequence.length <= MOST_ALIGNED;
  const aligned = answer.hits.flatMap(({ record, isSure, ...hit }) => {
    const sequence = records.get(record)!;
    const alignment = isShort(bytes) && isShort(sequence) ? alignTo(routines, bytes, sequence) : null;
    return isSure || alignment !== null && isNear(alignment) ? [{ ...hit, alignment }] : [];
  });
  const compare = (a: GenomeAlignment | null, b: GenomeAlignment | null) =>
    (b?.matches ?? 0) - (a?.matches ?? 0) || (b?.ani ?? 0) - (a?.ani ?? 0);
  const best = aligned.sort((a, b) =>
    compare(a.alignment, b.alignment) || (a.accession < b.accession ? -1 : a.accession > b.accession ? 1 : 0)
  );
  const hits = best.slice(0, n).map((hit, position) => ({ ...hit, rank: position + 1 }));
  return hits.length > 0 ? { ...answer, hits, note: "", isBeyondReach: false } : { ...answer, hits };
}
