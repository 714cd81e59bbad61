/** Finds identical sequences, ignoring case, in 32 bytes per sequence. */
import { hash } from "node:crypto";

/** Which records have the same sequence. Records count from 0 in the order of the archives. */
export interface Clusters {
  /** Number of records. */
  readonly recordCount: number;
  /** Number of distinct sequences, compared without case: so many clusters. */
  readonly clusterCount: number;
  /** The cluster of a record, counted from 0 in the order of their first records. */
  clusterOf(record: number): number;
  /** Number of records in a cluster. */
  sizeOf(cluster: number): number;
  /** The first record of a cluster, which represents it. */
  representativeOf(cluster: number): number;
}

/** Sorts sequences into clusters as they come. */
export class ClusterBuilder implements Clusters {
  readonly #clusters = new Map<string, number>();
  readonly #clusterOf: number[] = [];
  readonly #sizes: number[] = [];
  readonly #representatives: number[] = [];
  #upper = new Uint8Array(1 << 16);

  /** Adds the next record's sequence; returns whether it is the first of its cluster. */
  add(sequence: Uint8Array): boolean {
    const key = hash("sha256", this.#upperCase(sequence), "base64");
    const record = this.#clusterOf.length;
    const known = this.#clusters.get(key);
    const cluster = known ?? this.#representatives.length;
    if (known === undefined) {
      this.#clusters.set(key, cluster);
      this.#representatives.push(record);
      this.#sizes.push(0);
    }
    this.#clusterOf.push(cluster);
    this.#sizes[cluster]++;
    return known === undefined;
  }

  get recordCount(): number {
    return this.#clusterOf.length;
  }

  get clusterCount(): number {
    return this.#representatives.length;
  }

  clusterOf(record: number): number {
    return this.#clusterOf[record];
  }

  sizeOf(cluster: number): number {
    return this.#sizes[cluster];
  }

  representativeOf(cluster: number): number {
    return this.#representatives[cluster];
  }

  #upperCase(sequence: Uint8Array): Uint8Array {
    if (this.#upper.length < sequence.length) this.#upper = new Uint8Array(sequence.length * 2);
    const upper = this.#upper;
    for (let index = 0; index < sequence.length; index++) {
      const base = sequence[index];
      upper[index] = base >= 97 && base <= 122 ? base - 32 : base;
    }
    return upper.subarray(0, sequence.length);
  }
}

/** Writes the name of a cluster: `C0000001` for the first. */
export function clusterName(cluster: number): string {
  return `C${String(cluster + 1).padStart(7, "0")}`;
}
