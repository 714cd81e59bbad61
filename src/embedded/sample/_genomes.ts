/**
 * Makes the bases of a sample's sequences.
 *
 * Every species has an ancestor for each segment, every ancestor a few lineages, and a record is its lineage with
 * mutations of its own: so records of a species are related, and those of one lineage more closely.
 */
import { KIND, LINEAGES, type SamplePlan } from "./_plan.ts";
import { Prng, STREAM } from "./_prng.ts";
import { SPECIES } from "./_taxa.ts";

const LETTERS = new TextEncoder().encode("ACGT");
const AMBIGUOUS = new TextEncoder().encode("RYSWKMBDHV");
const N = 78;

/** Bases that a lineage changed from its ancestor, and a record at most from its lineage, of 10,000. */
const LINEAGE_CHANGES = 300;
const RECORD_CHANGES = 120;

/** Makes sequences of a plan, in any order. */
export class Genomes {
  readonly #plan: SamplePlan;
  readonly #lineages = new Map<number, Uint8Array>();
  readonly #prng = new Prng(0, 0);
  #buffer = new Uint8Array(1 << 18);

  constructor(plan: SamplePlan) {
    this.#plan = plan;
  }

  /** The sequence of a record, in a buffer that the next call uses again. */
  sequenceOf(record: number): Uint8Array {
    const { original, kinds } = this.#plan;
    const sequence = this.#originalOf(original[record]);
    // Every third copy differs from its original in case, and is the same sequence all the same.
    if (original[record] !== record && record % 3 === 0) swapCase(sequence);
    else if (original[record] === record && (kinds[record] & KIND.lowerCase) !== 0) this.#lower(sequence, record);
    return sequence;
  }

  #originalOf(record: number): Uint8Array {
    const { seed, species, segment, lineage: lineages, start, length, kinds } = this.#plan;
    const prng = this.#prng;
    prng.restart(seed, STREAM.genome, record);
    const lineage = this.#lineageOf(species[record], segment[record], lineages[record]);
    const sequence = this.#buffer.subarray(0, length[record]);
    sequence.set(lineage.subarray(start[record], start[record] + length[record]));
    mutate(sequence, 1 + prng.below(1 + Math.floor(length[record] * RECORD_CHANGES / 10_000)), prng);
    if ((kinds[record] & KIND.ambiguous) !== 0) makeAmbiguous(sequence, prng);
    return sequence;
  }

  #lineageOf(species: number, segment: number, lineage: number): Uint8Array {
    const key = (species * 16 + segment) * LINEAGES + lineage;
    const known = this.#lineages.get(key);
    if (known !== undefined) return known;
    const { seed } = this.#plan;
    const length = SPECIES[species].segmentLengths[segment];
    const made = randomBases(length, SPECIES[species].gcSixteenths, new Prng(seed, STREAM.ancestor, key - lineage));
    mutate(made, Math.floor(length * LINEAGE_CHANGES / 10_000), new Prng(seed, STREAM.lineage, key));
    this.#lineages.set(key, made);
    return made;
  }

  /** Writes half of the records all in lower-case bases, the others in part, as masked repeats are. */
  #lower(sequence: Uint8Array, record: number): void {
    const whole = record % 2 === 0;
    const first = whole ? 0 : Math.floor(sequence.length / 4);
    const end = whole ? sequence.length : first + Math.floor(sequence.length / 3);
    for (let index = first; index < end; index++) sequence[index] |= 0x20;
  }
}

/** Random bases, of which so many of sixteen are G or C. */
export function randomBases(length: number, gcSixteenths: number, prng: Prng): Uint8Array {
  const table = baseTable(gcSixteenths);
  const bases = new Uint8Array(length);
  for (let index = 0; index < length;) {
    // One word gives eight bases, four bits each.
    for (let word = prng.word(), end = Math.min(index + 8, length); index < end; word >>>= 4) {
      bases[index++] = table[word & 15];
    }
  }
  return bases;
}

function baseTable(gcSixteenths: number): Uint8Array {
  const [a, c, g, t] = LETTERS;
  const table = new Uint8Array(16);
  for (let slot = 0; slot < 16; slot++) {
    table[slot] = slot < gcSixteenths ? (slot % 2 === 0 ? g : c) : slot % 2 === 0 ? a : t;
  }
  return table;
}

function mutate(sequence: Uint8Array, changes: number, prng: Prng): void {
  for (let change = 0; change < changes; change++) {
    sequence[prng.below(sequence.length)] = LETTERS[prng.word() & 3];
  }
}

function makeAmbiguous(sequence: Uint8Array, prng: Prng): void {
  const run = prng.between(1, Math.min(60, sequence.length));
  const start = prng.below(sequence.length - run + 1);
  sequence.fill(N, start, start + run);
  for (let count = prng.between(1, 5); count > 0; count--) {
    sequence[prng.below(sequence.length)] = AMBIGUOUS[prng.below(AMBIGUOUS.length)];
  }
}

function swapCase(sequence: Uint8Array): void {
  for (let index = 0; index < sequence.length; index++) sequence[index] ^= 0x20;
}
