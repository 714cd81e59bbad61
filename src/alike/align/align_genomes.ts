/** How alike two genomes are, base by base. */
import { basesOf } from "@seqreg/core/fasta/text";
import { AlignRoutines } from "./align_routines.ts";

/** The alignment of a query to a record. Shares are from 0 to 1. */
export interface GenomeAlignment {
  /** Average nucleotide identity: matching bases among the aligned bases of the query; 0 if none is aligned. */
  readonly ani: number;
  /** Aligned bases among all bases of the query. */
  readonly alignedFraction: number;
  /** Aligned bases among all bases of the record. */
  readonly alignedFractionOfRecord: number;
  /** Bases of the query that equal the record's. */
  readonly matches: number;
  /** Aligned bases of the query. */
  readonly aligned: number;
  /** `+` if most matching bases are on the query's own strand, else `-`. */
  readonly strand: "+" | "-";
  /** Whether the identity is below 80 %: genomes so far apart are compared by their proteins. */
  readonly isTooFar: boolean;
}

/** Minimum identity of a reliable alignment of nucleotides. */
export const LEAST_IDENTITY = 0.8;
/** Bases that a region must add to those that are covered. */
const LEAST_ADDED = 35;

/**
 * Aligns a genome to another: exact matches are extended and chained within a band, on both strands, wherever the
 * stretches are. The query is compared with the record: within an aligned stretch a base of the query that the record
 * lacks counts as a mismatch, and a base of the record that the query lacks does not count. Swap the two for the other
 * direction.
 *
 * @param query Bases, as text or bytes; U is read as T, white space is ignored, any other character matches nothing.
 * @param record The sequence that it is compared with.
 * @throws {TypeError} If a sequence is neither text nor bytes.
 * @throws {RangeError} If a sequence has more than 33,554,432 bases.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { alignGenomes } from "./align_genomes.ts";
 *
 * const genome = Array.from({ length: 400 }, (_, i) => "ACGT"[i * i * i % 257 % 4]).join("");
 * const { ani, alignedFraction, alignedFractionOfRecord } = alignGenomes(genome.slice(0, 200), genome);
 *
 * assertEquals([ani, alignedFraction, alignedFractionOfRecord], [1, 1, 0.5]);
 * ```
 */
export function alignGenomes(query: string | Uint8Array, record: string | Uint8Array): GenomeAlignment {
  const bytesOf = (name: string, sequence: string | Uint8Array) => basesOf("alignGenomes()", name, sequence);
  return alignTo(new AlignRoutines(), bytesOf("query", query), bytesOf("record", record));
}

/** As {@linkcode alignGenomes}, by a module that is used for many pairs: fastest with one record for many queries. */
export function alignTo(routines: AlignRoutines, query: Uint8Array, record: Uint8Array): GenomeAlignment {
  routines.setReference(record);
  const regions = routines.align(query).sort((a, b) => b.matches - a.matches || a.start - b.start);
  let [matches, aligned, alignedOfRecord, ofComplement] = [0, 0, 0, 0];
  for (const region of regions) {
    const added = routines.coverQuery(region);
    if (added < LEAST_ADDED) continue;
    const share = region.matches * added / (region.end - region.start);
    aligned += added;
    matches += share;
    if (region.isComplement) ofComplement += share;
    alignedOfRecord += routines.coverReference(region);
  }
  const ani = aligned === 0 ? 0 : matches / aligned;
  return {
    ani,
    alignedFraction: query.length === 0 ? 0 : aligned / query.length,
    alignedFractionOfRecord: record.length === 0 ? 0 : alignedOfRecord / record.length,
    matches,
    aligned,
    strand: ofComplement > matches / 2 ? "-" : "+",
    isTooFar: ani < LEAST_IDENTITY,
  };
}
