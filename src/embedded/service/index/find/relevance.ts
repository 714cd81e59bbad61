/** The best rows of a result: those with the most hits first, equal ones in the order of the archives. */
import type { Condition } from "./_condition.ts";
import type { FindContext } from "./find_context.ts";
import { blockBatches } from "./row_batches.ts";
import type { FacetCounter } from "./summary.ts";
import type { FoundRows } from "../format/types.ts";
import type { WordMatch } from "./_word_matches.ts";

/** Finds the rows of a page by relevance; shows every row to the counter where there is one. */
export async function findBest(
  context: FindContext,
  condition: Condition,
  { matches, offset, limit, counter }: {
    readonly matches: readonly WordMatch[];
    readonly offset: number;
    readonly limit: number;
    readonly counter?: FacetCounter;
  },
): Promise<FoundRows> {
  const wanted = offset + limit;
  const byScore = new Map<number, number[]>();
  const scores = new Uint32Array(context.files.blockRows);
  let kept = 0;
  /** Rows with this score or less are not wanted any more. */
  let least = 0;
  let isFull = false;
  for await (const batch of blockBatches(context, condition)) {
    counter?.add(batch);
    if (isFull) continue;
    const { block, first, positions, count } = batch;
    scores.fill(1, 0, count);
    for (const match of matches) match.add(block, positions, count, scores);
    for (let at = 0; at < count; at++) {
      const score = scores[at];
      if (score <= least) continue;
      const rows = byScore.get(score);
      if (rows === undefined) byScore.set(score, [first + positions[at]]);
      else if (rows.length < wanted) rows.push(first + positions[at]);
      else continue;
      kept++;
    }
    if (kept >= wanted * 2) {
      least = dropWorst(byScore, wanted);
      kept = sizeOf(byScore);
    }
    // Nothing is relevant to a query without words: the first rows are the best.
    isFull = matches.length === 0 && kept >= wanted;
    if (isFull && counter === undefined) break;
  }
  const rows: number[] = [];
  const found: number[] = [];
  for (const [score, some] of [...byScore].sort(([a], [b]) => b - a)) {
    for (const row of some) {
      if (rows.length === wanted) break;
      rows.push(row);
      found.push(score);
    }
  }
  return { rows: rows.slice(offset), scores: found.slice(offset) };
}

/** Drops the scores that are below what is wanted; rows with such a score or less are wanted no more. */
function dropWorst(byScore: Map<number, number[]>, wanted: number): number {
  let better = 0;
  let least = 0;
  for (const score of [...byScore.keys()].sort((a, b) => b - a)) {
    if (better >= wanted) {
      byScore.delete(score);
      least = Math.max(least, score);
    } else better += byScore.get(score)?.length ?? 0;
  }
  return least;
}

function sizeOf(byScore: ReadonlyMap<number, readonly number[]>): number {
  let size = 0;
  for (const rows of byScore.values()) size += rows.length;
  return size;
}
