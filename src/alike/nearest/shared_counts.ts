/** The records of an index that share hashes with a query. */
import type { AlikeIndex } from "../index/open_index.ts";
import { LAST_SHIFT, SEARCH_K, type SearchSketch } from "../sketch/search_sketch.ts";
import { estimateAni } from "./ani.ts";
import type { NearestAnswer, NearHit } from "./nearest_answer.ts";

/** A hit with its number in the index. */
export interface FoundHit extends NearHit {
  readonly record: number;
  /** Whether the sketches alone make it a hit. Others are candidates, which an alignment decides. */
  readonly isSure: boolean;
}

export interface Found extends Pick<NearestAnswer, "note" | "isBeyondReach"> {
  readonly hits: readonly FoundHit[];
}

/** Identity of a hit at least, and hashes that it shares. */
const LEAST_ANI = 0.8;
const LEAST_SHARED = 3;
/** Hashes to expect of a record that shares at least 3 of them 99 times in 100 (Poisson). */
const SURE_SHARED = 8.41;

/** A record with what it shares, before its interval is computed. */
interface Candidate {
  readonly record: number;
  readonly shift: number;
  readonly shared: number;
  readonly querySize: number;
  readonly size: number;
  readonly containment: number;
  readonly jaccard: number;
  readonly ani: number;
}

function isSure({ shared, ani }: Candidate): boolean {
  return shared >= LEAST_SHARED && ani >= LEAST_ANI;
}

export class SharedCounts {
  readonly #index: AlikeIndex;
  readonly #same: Uint32Array;
  readonly #other: Uint32Array;

  constructor(index: AlikeIndex) {
    this.#index = index;
    this.#same = new Uint32Array(index.records);
    this.#other = new Uint32Array(index.records);
  }

  find(sketch: SearchSketch, { n, isAligned }: { readonly n: number; readonly isAligned: boolean }): Found {
    const [same, other] = [this.#same, this.#other];
    const touched: number[] = [];
    try {
      this.#index.findShared(sketch.values, (record, isSameStrand) => {
        if (same[record] + other[record] === 0) touched.push(record);
        if (isSameStrand) same[record] += 1;
        else other[record] += 1;
      });
      const candidates = touched.map((record) => this.#judge(record, sketch));
      const sure = candidates.filter(isSure);
      const near = (isAligned ? candidates : sure).sort((a, b) => this.#compare(a, b)).slice(0, n);
      const hits = near.map((candidate, position) => this.#describe(candidate, position + 1));
      if (sure.length > 0) return { hits, note: "", isBeyondReach: false };
      const far = candidates.filter(({ shared }) => shared >= LEAST_SHARED);
      return { hits, ...this.#explain(far, sketch) };
    } finally {
      for (const record of touched) same[record] = other[record] = 0;
    }
  }

  #judge(record: number, sketch: SearchSketch): Candidate {
    const shift = Math.max(sketch.shift, this.#index.shiftOf(record));
    const querySize = sketch.sizes[shift];
    const size = this.#index.sizeOf(record, shift);
    const shared = this.#same[record] + this.#other[record];
    return {
      record,
      shift,
      shared,
      querySize,
      size,
      containment: shared / querySize,
      jaccard: shared / (querySize + size - shared),
      ani: (shared / Math.min(querySize, size)) ** (1 / SEARCH_K),
    };
  }

  #compare(a: Candidate, b: Candidate): number {
    const byShare = b.containment - a.containment || b.jaccard - a.jaccard;
    if (byShare !== 0) return byShare;
    const [first, second] = [this.#index.idOf(a.record), this.#index.idOf(b.record)];
    return first < second ? -1 : first > second ? 1 : a.record - b.record;
  }

  #describe(candidate: Candidate, rank: number): FoundHit {
    const { record, shift, shared, querySize, size, containment, jaccard } = candidate;
    const { ani, low, high } = estimateAni({
      shared,
      size: Math.min(querySize, size),
      density: 2 ** -shift,
      k: SEARCH_K,
    });
    return {
      record,
      isSure: isSure(candidate),
      rank,
      accession: this.#index.idOf(record),
      strand: this.#same[record] >= this.#other[record] ? "+" : "-",
      shared,
      containment,
      containmentOfRecord: shared / size,
      jaccard,
      ani,
      aniLow: low,
      aniHigh: high,
      alignment: null,
    };
  }

  /** Why there is no hit: the nearest record is too far, or none shares enough. */
  #explain(far: readonly Candidate[], { sizes }: SearchSketch): Omit<Found, "hits"> {
    if (far.length === 0) {
      // Long records have the sparsest sketch: the query is compared at that density.
      const reach = Math.max(LEAST_ANI, (SURE_SHARED / sizes[LAST_SHIFT]) ** (1 / SEARCH_K));
      const note = reach <= 1
        ? `no record shares ${LEAST_SHARED} hashes: one at ${
          Math.ceil(reach * 100)
        } % ANI or more over the whole query ` +
          "would, 99 times in 100"
        : `beyond reach: hardly any ${SEARCH_K} bases in a row are A, C, G, T or U`;
      return { note, isBeyondReach: reach > 1 };
    }
    const { record, ani } = far.reduce((best, next) => next.ani > best.ani ? next : best);
    const note =
      `beyond reach: the nearest record, ${this.#index.idOf(record)}, is at about ${Math.floor(ani * 100)} % ` +
      `ANI, below ${LEAST_ANI * 100} %`;
    return { note, isBeyondReach: true };
  }
}
