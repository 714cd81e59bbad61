/** Which record each part of a query is nearest to: a chimera has parts of several. */
import type { SketchRoutines } from "../sketch/sketch_routines.ts";
import { sketchForSearch } from "../sketch/search_sketch.ts";
import type { QueryPart } from "./nearest_answer.ts";
import type { FoundHit, SharedCounts } from "./shared_counts.ts";

/** Bases of a window at least: a shorter one shares too few hashes to tell records apart. */
const LEAST_WINDOW = 1000;
/** Windows of a query at most. */
const MOST_WINDOWS = 20;
/** Records that are compared within a window. */
const MOST_HITS = 1000;

export interface PartSearch {
  readonly counts: SharedCounts;
  readonly routines: SketchRoutines;
  /** The record that is nearest to the whole query. */
  readonly nearest: FoundHit | undefined;
}

/**
 * Finds the nearest record of each part of a query. A part extends as long as its record can be the nearest one: as
 * long as the interval of its identity reaches that of the record which shares most with the window.
 */
export function findParts(bases: Uint8Array, { counts, routines, nearest }: PartSearch): QueryPart[] {
  const size = Math.max(LEAST_WINDOW, Math.ceil(bases.length / MOST_WINDOWS));
  const parts: (QueryPart & { readonly record: number | undefined })[] = [];
  for (let start = 0; start < bases.length;) {
    // What is left over after the last whole window belongs to it.
    const end = bases.length - start < 2 * size ? bases.length : start + size;
    const sketch = sketchForSearch(routines, bases.subarray(start, end));
    const { hits } = counts.find(sketch, { n: MOST_HITS, isAligned: false });
    const last = parts.at(-1);
    const hit = asNear(hits, last?.record) ?? asNear(hits, nearest?.record) ?? hits.at(0);
    if (last !== undefined && last.record === hit?.record) {
      const ani = hit === undefined ? null : mean(last, { start, end, ani: hit.ani });
      parts[parts.length - 1] = { ...last, end, ani };
    } else parts.push({ start, end, accession: hit?.accession ?? null, ani: hit?.ani ?? null, record: hit?.record });
    start = end;
  }
  return parts.map(({ record: _, ...part }) => part);
}

/** The hit of a record, if it can be the nearest one of a window. */
function asNear(hits: readonly FoundHit[], record: number | undefined): FoundHit | undefined {
  if (record === undefined) return undefined;
  return hits.find((hit) => hit.record === record && hit.aniHigh >= hits[0].aniLow);
}

type Stretch = Pick<QueryPart, "start" | "end" | "ani">;

/** The identity of two stretches together, by their bases. */
function mean(first: Stretch, second: Stretch): number {
  const [a, b] = [first, second].map(({ start, end }) => end - start);
  return (a * first.ani! + b * second.ani!) / (a + b);
}
