/** Sketches for exchange: the FracMinHash of sourmash, hash for hash. */
import { createHash } from "node:crypto";
import { basesOf } from "@seqreg/core/fasta/text";
import { checkOptions } from "@seqreg/core/options/check_options";
import type { OptionRules } from "@seqreg/core/options/option_rule";
import * as rule from "@seqreg/core/options/rules";
import { SketchRoutines } from "./sketch_routines.ts";

/** What the hashes of an exchange sketch are. */
export interface ExchangeOptions {
  /** Bases of a k-mer, from 1 to 255 (default: 31). */
  readonly k?: number;
  /** One of this many hashes is kept, from 1 to 1,000,000,000 (default: 1000). */
  readonly scaled?: number;
  /** Reads U as T (default: false, a k-mer with U is skipped, as sourmash does). */
  readonly rna?: boolean;
}

export const EXCHANGE_OPTIONS = {
  k: rule.wholeNumber({ from: 1, to: 255 }),
  scaled: rule.wholeNumber({ from: 1, to: 1_000_000_000 }),
  rna: rule.flag,
} satisfies OptionRules<ExchangeOptions>;

/** The values of {@linkcode ExchangeOptions} that are not given. */
export const EXCHANGE_DEFAULTS = { k: 31, scaled: 1000, rna: false } as const;

/** The hashes of one sequence. */
export interface ExchangeSketch {
  /** Bases of a k-mer. */
  readonly k: number;
  /** One of this many hashes is kept. */
  readonly scaled: number;
  /** The greatest hash that is kept. */
  readonly maxHash: bigint;
  /** Distinct hashes, ascending. */
  readonly hashes: BigUint64Array;
  /** MD5 of k and the hashes as decimal numbers: sourmash's `md5sum`, by which it names a sketch. */
  readonly md5: string;
}

/**
 * The greatest hash of a sketch: 2^64 / scaled as a floating-point number, truncated, as sourmash computes it.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { maxHashOf } from "./exchange_sketch.ts";
 *
 * assertEquals(maxHashOf(100), 184467440737095520n);
 * assertEquals(maxHashOf(1), 18446744073709551615n);
 * ```
 */
export function maxHashOf(scaled: number): bigint {
  return scaled === 1 ? 2n ** 64n - 1n : BigInt(Math.trunc(2 ** 64 / scaled));
}

/**
 * Sketches one sequence as sourmash does: MurmurHash3 x64-128 with the seed 42, of which the lower half is kept, of the
 * canonical k-mers in upper case. A k-mer with anything but A, C, G and T is skipped, U too unless it is
 * read as T.
 *
 * @param sequence Bases, as text or bytes.
 * @param options Length of k-mers, density.
 * @throws {TypeError} If the sequence is neither.
 * @throws {RangeError} If an option is out of its range.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { exchangeSketch } from "./exchange_sketch.ts";
 *
 * const { hashes, md5 } = exchangeSketch("GATTACAGATTACANGATTACA", { k: 5, scaled: 1 });
 * const reverse = exchangeSketch("tgtaatcntgtaatctgtaatc", { k: 5, scaled: 1 });
 *
 * assertEquals(hashes.length, 7);
 * assertEquals(reverse.md5, md5);
 * ```
 */
export function exchangeSketch(sequence: string | Uint8Array, options: ExchangeOptions = {}): ExchangeSketch {
  checkOptions("exchangeSketch()", options, EXCHANGE_OPTIONS);
  const bases = basesOf("exchangeSketch()", "sequence", sequence);
  return sketchForExchange(SketchRoutines.start(), bases, options);
}

/** As {@linkcode exchangeSketch}, by a module that is used for many sequences. */
export function sketchForExchange(
  routines: SketchRoutines,
  sequence: Uint8Array,
  options: ExchangeOptions,
): ExchangeSketch {
  const { k = EXCHANGE_DEFAULTS.k, scaled = EXCHANGE_DEFAULTS.scaled, rna = EXCHANGE_DEFAULTS.rna } = options;
  const maxHash = maxHashOf(scaled);
  const hashes = routines.exchange(sequence, { k, most: maxHash, rna });
  return { k, scaled, maxHash, hashes, md5: md5OfHashes(k, hashes) };
}

/** The MD5 by which sourmash names a sketch: of k and the hashes, ascending, as decimal numbers. */
export function md5OfHashes(k: number, hashes: BigUint64Array): string {
  return createHash("md5").update(`${k}${hashes.join("")}`).digest("hex");
}
