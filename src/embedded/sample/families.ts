/**
 * Families of related genomes of which everything is known: an ancestor, and members whose identity to it is stated.
 */
import { checkOptions } from "@seqreg/core/options/check_options";
import type { OptionRules } from "@seqreg/core/options/option_rule";
import * as rule from "@seqreg/core/options/rules";
import { randomBases } from "./_genomes.ts";
import { mutateBases } from "./_mutated_bases.ts";
import { Prng, STREAM } from "./_prng.ts";

/** What a member is, besides a mutant of the ancestor. */
export type MemberKind = "ancestor" | "mutant" | "duplicate" | "truncated" | "chimera" | "gapped" | "reverse";

/** A record of a family. */
export interface FamilyMember {
  /** Identifier, such as `f00012m03`: family and member, counted from 1. */
  readonly id: string;
  /** Number of the family, from 1. */
  readonly family: number;
  /** What it is, in the order in which it was made so. */
  readonly kinds: readonly MemberKind[];
  /**
   * Share of the bases of its own stretch that equal the ancestor's: substituted and inserted bases are different, and
   * those of a run of N; deleted ones do not count.
   */
  readonly identity: number;
  /** The stretch of the ancestor that it has: its first base, from 0. */
  readonly start: number;
  /** The base after the last of that stretch. */
  readonly end: number;
  /** Identifier of the ancestor whose beginning is appended, of a chimera; null otherwise. */
  readonly appended: string | null;
  /** Bases of its own family; those after them, or before them on the other strand, were appended. */
  readonly ownBases: number;
  /** Bases, A, C, G, T and N. */
  readonly sequence: Uint8Array;
}

/** Options of {@linkcode familyMembers}. */
export interface FamilyOptions {
  /** Number of families, from 1 to 99,999. */
  readonly families: number;
  /** Members of a family at most, with its ancestor, from 1 to 99; half of it on average (default: 10). */
  readonly members?: number;
  /** Whole number from 0 to 4,294,967,295 (default: 1). */
  readonly seed?: number;
  /** Lowest identity of a mutant to its ancestor, from 0.5 to 1 (default: 0.8). */
  readonly leastIdentity?: number;
}

export const FAMILY_OPTIONS = {
  families: rule.required(rule.wholeNumber({ from: 1, to: 99_999 })),
  members: rule.wholeNumber({ from: 1, to: 99 }),
  seed: rule.wholeNumber({ from: 0, to: 4_294_967_295 }),
  leastIdentity: rule.number({ from: 0.5, to: 1 }),
} satisfies OptionRules<FamilyOptions>;

/** Values of the options that are not given. */
export const FAMILY_DEFAULTS = { members: 10, seed: 1, leastIdentity: 0.8 } as const;

/** Lengths of ancestors, and of 200 families how many have each. */
const LENGTHS: readonly (readonly [bases: number, families: number])[] = [
  [1500, 40],
  [3000, 40],
  [5000, 30],
  [8000, 30],
  [11_000, 24],
  [20_000, 16],
  [40_000, 16],
  [100_000, 3],
  [160_000, 1],
];
/** Shares of the members that are made something besides a mutant, in percent. */
const PERCENT = { duplicate: 5, truncated: 15, chimera: 5, gapped: 5, reverse: 30 } as const;
const N = 78;

/**
 * Makes families of genomes: an ancestor of 1,500 to 200,000 random bases each, and mutants of a stated identity with
 * substitutions, insertions and deletions. Some are exact duplicates, truncated, reverse complements, have a run of N,
 * or are chimeras, to which a part of another family's ancestor is appended. The same options make the same bases on
 * every machine.
 *
 * @param options Number of families, members of each, seed, lowest identity.
 * @returns The members, family after family, each with its ancestor first.
 * @throws {RangeError} If an option is out of its range.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { familyMembers } from "./families.ts";
 *
 * const [ancestor, ...others] = familyMembers({ families: 1, members: 4 });
 *
 * assertEquals([ancestor.id, ancestor.kinds, ancestor.identity], ["f00001m01", ["ancestor"], 1]);
 * assertEquals(others.every(({ identity }) => identity > 0.79), true);
 * ```
 */
export function familyMembers(options: FamilyOptions): Generator<FamilyMember> {
  checkOptions("familyMembers()", options, FAMILY_OPTIONS);
  return makeMembers(options);
}

function* makeMembers(options: FamilyOptions): Generator<FamilyMember> {
  const { families, members = FAMILY_DEFAULTS.members, seed = FAMILY_DEFAULTS.seed } = options;
  const { leastIdentity = FAMILY_DEFAULTS.leastIdentity } = options;
  const prng = new Prng(0, 0);
  let other: Uint8Array | undefined;
  for (let family = 1; family <= families; family++) {
    prng.restart(seed, STREAM.family, family);
    const ancestor = randomBases(lengthOf(prng), prng.between(6, 10), prng);
    const count = prng.between(1, members);
    for (let member = 1; member <= count; member++) {
      prng.restart(seed, STREAM.member, family * 128 + member);
      const id = idOf(family, member);
      if (member === 1) yield ancestorRecord(id, family, ancestor);
      else yield makeMember({ id, family, ancestor, other, leastIdentity }, prng);
    }
    other = ancestor;
  }
}

function lengthOf(prng: Prng): number {
  let rest = prng.below(LENGTHS.reduce((sum, [, families]) => sum + families, 0));
  const [bases] = LENGTHS.find(([, families]) => (rest -= families) < 0)!;
  return bases + prng.below(Math.floor(bases / 4));
}

function idOf(family: number, member: number): string {
  return `f${String(family).padStart(5, "0")}m${String(member).padStart(2, "0")}`;
}

function ancestorRecord(id: string, family: number, ancestor: Uint8Array): FamilyMember {
  const { length } = ancestor;
  const stretch = { start: 0, end: length, ownBases: length, appended: null };
  return { id, family, kinds: ["ancestor"], identity: 1, ...stretch, sequence: ancestor.slice() };
}

interface MemberSource {
  readonly id: string;
  readonly family: number;
  readonly ancestor: Uint8Array;
  /** Ancestor of the family before. */
  readonly other: Uint8Array | undefined;
  readonly leastIdentity: number;
}

function makeMember({ id, family, ancestor, other, leastIdentity }: MemberSource, prng: Prng): FamilyMember {
  const isDuplicate = prng.percent(PERCENT.duplicate);
  const kinds: MemberKind[] = [isDuplicate ? "duplicate" : "mutant"];
  let [start, end] = [0, ancestor.length];
  if (!isDuplicate && prng.percent(PERCENT.truncated)) {
    kinds.push("truncated");
    start = prng.below(Math.floor(ancestor.length * 0.3));
    end -= prng.below(Math.floor(ancestor.length * 0.3));
  }
  const changed = isDuplicate ? 0 : prng.below(Math.floor((1 - leastIdentity) * 10_000) + 1) / 10_000;
  const stretch = ancestor.subarray(start, end);
  const mutated = mutateBases(stretch, changed, prng);
  let [sequence, equal] = [mutated.bases, mutated.equal];
  const ownBases = sequence.length;
  if (!isDuplicate && prng.percent(PERCENT.gapped)) {
    kinds.push("gapped");
    const run = prng.between(1, Math.floor(ownBases / 20));
    const first = prng.below(ownBases - run + 1);
    equal -= mutated.equalWithin(first, first + run);
    sequence.fill(N, first, first + run);
  }
  let appended: string | null = null;
  if (!isDuplicate && other !== undefined && prng.percent(PERCENT.chimera)) {
    kinds.push("chimera");
    appended = idOf(family - 1, 1);
    const part = Math.floor(other.length * prng.between(20, 60) / 100);
    const joined = new Uint8Array(ownBases + part);
    joined.set(sequence);
    joined.set(other.subarray(0, part), ownBases);
    sequence = joined;
  }
  if (prng.percent(PERCENT.reverse)) {
    kinds.push("reverse");
    sequence = reverseComplement(sequence);
  }
  return { id, family, kinds, identity: equal / ownBases, start, end, appended, ownBases, sequence };
}

const PAIRED = new Uint8Array(256).fill(N);
for (const [base, paired] of ["AT", "CG", "GC", "TA"]) PAIRED[base.charCodeAt(0)] = paired.charCodeAt(0);

function reverseComplement(bases: Uint8Array): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(bases, (base) => PAIRED[base]).reverse();
}
