/** Decides what each record of a sample is, before any base of it is made. */
import { Prng, STREAM } from "./_prng.ts";
import { OVER_SEQUENCED, SPECIES, type Species } from "./_taxa.ts";

/**
 * Kinds of awkwardness that a record is given, one bit each. In every {@linkcode BLOCK} records each kind falls on one
 * at least, so that no sample of some size lacks one.
 */
export const KIND = {
  yearDate: 1 << 0,
  monthDate: 1 << 1,
  unknownDay: 1 << 2,
  empty: 1 << 3,
  quote: 1 << 4,
  comma: 1 << 5,
  newline: 1 << 6,
  pipe: 1 << 7,
  list: 1 << 8,
  ambiguous: 1 << 9,
  lowerCase: 1 << 10,
  copy: 1 << 11,
} as const;

/** Records among which each kind falls on one. */
const BLOCK = 32;

/** Originals that a copy may be of: the latest so many. */
const ORIGINALS = 64;

export const LINEAGES = 3;

/** Longest sequence that is copied, in nt. */
const LONGEST_COPY = 6000;

/** The plan of a sample: a few numbers a record. */
export interface SamplePlan {
  readonly seed: number;
  readonly records: number;
  /** Bits of {@linkcode KIND}. */
  readonly kinds: Uint16Array;
  readonly species: Uint16Array;
  readonly segment: Uint8Array;
  /** Index of the lineage within the species. */
  readonly lineage: Uint8Array;
  /** Number of the isolate; the segments of one isolate share it. */
  readonly isolate: Uint32Array;
  /** First base of the segment that the record has. */
  readonly start: Uint32Array;
  readonly length: Uint32Array;
  /** The record whose sequence this one repeats, or itself. */
  readonly original: Uint32Array;
}

export function planSample(records: number, seed: number): SamplePlan {
  const plan: SamplePlan = {
    seed,
    records,
    kinds: planKinds(records, seed),
    species: new Uint16Array(records),
    segment: new Uint8Array(records),
    lineage: new Uint8Array(records),
    isolate: new Uint32Array(records),
    start: new Uint32Array(records),
    length: new Uint32Array(records),
    original: new Uint32Array(records),
  };
  new Planner(plan).run();
  return plan;
}

function planKinds(records: number, seed: number): Uint16Array {
  const kinds = new Uint16Array(records);
  const prng = new Prng(seed, STREAM.kinds);
  for (let block = 0; block < records; block += BLOCK) {
    for (const bit of Object.values(KIND)) {
      // Copies come twice as often, so that clusters have members enough.
      for (let times = bit === KIND.copy ? 2 : 1; times > 0; times--) {
        const record = block + prng.below(BLOCK);
        if (record < records) kinds[record] |= bit;
      }
    }
  }
  return kinds;
}

/** Bases from which a sequence counts as large. */
export const LARGE_LENGTH = 150_000;

const SMALL_SPECIES: readonly Species[] = SPECIES.filter(({ segmentLengths }) => segmentLengths[0] < LARGE_LENGTH);
const LARGE_SPECIES: readonly Species[] = SPECIES.filter(({ segmentLengths }) => segmentLengths[0] >= LARGE_LENGTH);

/** Greatest number of records of at least 150,000 nt. */
const LARGE_RECORDS = 10;

class Planner {
  readonly #plan: SamplePlan;
  readonly #prng: Prng;
  readonly #rotation: readonly Species[];
  readonly #large: Set<number>;
  readonly #originals: number[] = [];
  #originalCount = 0;
  #isolates = 0;
  #turn = 0;

  constructor(plan: SamplePlan) {
    this.#plan = plan;
    this.#prng = new Prng(plan.seed, STREAM.plan);
    this.#rotation = shuffle(SMALL_SPECIES, this.#prng);
    const large = Math.min(LARGE_RECORDS, Math.floor(plan.records / 100));
    this.#large = new Set(
      Array.from({ length: large }, (_, index) => Math.floor((index + 0.5) * plan.records / LARGE_RECORDS)),
    );
  }

  run(): void {
    for (let record = 0; record < this.#plan.records;) record = this.#planIsolate(record);
  }

  /** Plans the records of one isolate, from `record` on; returns the record after them. */
  #planIsolate(record: number): number {
    const plan = this.#plan;
    const isolate = this.#isolates++;
    plan.isolate[record] = isolate;
    if (this.#large.has(record)) {
      const species = LARGE_SPECIES[isolate % LARGE_SPECIES.length];
      this.#planRecord(record, species, 0, isolate % LINEAGES);
      return record + 1;
    }
    if ((plan.kinds[record] & KIND.copy) !== 0 && this.#originals.length > 0) {
      this.#planCopy(record);
      return record + 1;
    }
    const species = this.#nextSpecies();
    const lineage = this.#prng.skewed(LINEAGES);
    const segments = species.segmentLengths.length;
    // Most isolates of a segmented virus are deposited whole, the others only in their first segments.
    const last = segments === 1 || this.#prng.percent(70) ? segments : this.#prng.between(1, segments);
    for (let segment = 0; segment < last; segment++) {
      if (record === plan.records || this.#large.has(record)) return record;
      if (segment > 0) plan.kinds[record] &= ~KIND.copy;
      plan.isolate[record] = isolate;
      this.#planRecord(record++, species, segment, lineage);
    }
    return record;
  }

  #nextSpecies(): Species {
    if (this.#prng.below(24) === 0) return OVER_SEQUENCED;
    const rotation = this.#rotation;
    return this.#turn % 2 === 0
      ? rotation[(this.#turn++ >> 1) % rotation.length]
      : (this.#turn++, rotation[this.#prng.skewed(rotation.length)]);
  }

  #planRecord(record: number, species: Species, segment: number, lineage: number): void {
    const plan = this.#plan;
    const whole = species.segmentLengths[segment];
    const length = this.#lengthOf(whole);
    plan.species[record] = species.index;
    plan.segment[record] = segment;
    plan.lineage[record] = lineage;
    plan.start[record] = this.#prng.below(whole - length + 1);
    plan.length[record] = length;
    plan.original[record] = record;
    plan.kinds[record] &= ~KIND.copy;
    if (length <= LONGEST_COPY) this.#originals[this.#originalCount++ % ORIGINALS] = record;
  }

  /** Short segments mostly come whole, of long genomes mostly one gene; the largest always come whole. */
  #lengthOf(whole: number): number {
    if (whole >= LARGE_LENGTH) return whole;
    const wholePercent = whole < 3500 ? 85 : whole < 9000 ? 45 : whole < 13_000 ? 20 : 6;
    if (this.#prng.percent(wholePercent)) return whole;
    return Math.min(whole, this.#prng.between(200, whole < 3500 ? whole : 3600));
  }

  #planCopy(record: number): void {
    const plan = this.#plan;
    const original = this.#originals[this.#prng.skewed(this.#originals.length)];
    plan.species[record] = plan.species[original];
    plan.segment[record] = plan.segment[original];
    plan.lineage[record] = plan.lineage[original];
    plan.start[record] = plan.start[original];
    plan.length[record] = plan.length[original];
    plan.original[record] = original;
  }
}

function shuffle<T>(things: readonly T[], prng: Prng): T[] {
  const shuffled = [...things];
  for (let last = shuffled.length - 1; last > 0; last--) {
    const other = prng.below(last + 1);
    [shuffled[last], shuffled[other]] = [shuffled[other], shuffled[last]];
  }
  return shuffled;
}
