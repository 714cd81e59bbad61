/** What is found near a query. */
import type { GenomeAlignment } from "../align/align_genomes.ts";

/** A record that is near a query. Shares are from 0 to 1. */
export interface NearHit {
  /**
   * From 1: by containment of the query, then Jaccard index, then accession; if hits are aligned, by matching bases,
   * then identity, then accession.
   */
  readonly rank: number;
  /** Id of the record. */
  readonly accession: string;
  /** `+` if the record has most of the shared k-mers on the query's own strand, else `-`. */
  readonly strand: "+" | "-";
  /** Hashes that both sketches have, at the sparser of their densities. */
  readonly shared: number;
  /** Share of the query's hashes that the record has. */
  readonly containment: number;
  /** Share of the record's hashes that the query has. */
  readonly containmentOfRecord: number;
  /** Shared hashes among all hashes of both. */
  readonly jaccard: number;
  /** Estimated average nucleotide identity of the one with fewer hashes, over its whole length. */
  readonly ani: number;
  /** Lower bound of its interval at 95 %. */
  readonly aniLow: number;
  /** Upper bound. */
  readonly aniHigh: number;
  /** Its alignment to the query; null if none was requested, or one of both is longer than 33,554,432 bases. */
  readonly alignment: GenomeAlignment | null;
}

/** A part of a query, and the record that it is nearest to. */
export interface QueryPart {
  /** First base, from 0. */
  readonly start: number;
  /** The base after the last. */
  readonly end: number;
  /** Id of the record; null if no record is near this part. */
  readonly accession: string | null;
  /** Estimated average nucleotide identity of the part; null if no record is near it. */
  readonly ani: number | null;
}

/** The answer to one query. */
export interface NearestAnswer {
  /** Id of the query. */
  readonly query: string;
  /** Its bases. */
  readonly length: number;
  /** Hits, the nearest first. */
  readonly hits: readonly NearHit[];
  /**
   * The nearest record of each part, in the order of the query, if parts were requested: of a chimera more than one
   * record. Neighbouring parts have different records; null if none were requested.
   */
  readonly parts: readonly QueryPart[] | null;
  /** Why there is no hit; empty if there is one. */
  readonly note: string;
  /** Whether there is no hit since the query, or the nearest record, is beyond the reach of sketches. */
  readonly isBeyondReach: boolean;
}
