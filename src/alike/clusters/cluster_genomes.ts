/** Near-duplicates: clusters of genomes around the longest ones. */
import { checkOptions } from "@seqreg/core/options/check_options";
import type { Ledger } from "@seqreg/core/contract";
import type { OptionRules } from "@seqreg/core/options/option_rule";
import * as rule from "@seqreg/core/options/rules";
import type { ByteSource } from "@seqreg/core/io/bytes";
import { yieldToEventLoop } from "@seqreg/core/io/tasks";
import { AlignRoutines, MOST_ALIGNED } from "../align/align_routines.ts";
import { alignTo } from "../align/align_genomes.ts";
import { readSequences, type ReadSequencesOptions } from "../sketch/read_sequences.ts";
import { SEARCH_K, SketchRoutines } from "../sketch/sketch_routines.ts";
import { digestsOf, type DuplicateKind, duplicateKind, type GenomeDigests } from "./genome_digest.ts";
import { RepresentativeIndex } from "./representative_index.ts";

/** Options of {@linkcode clusterGenomes}. */
export interface ClusterGenomesOptions extends ReadSequencesOptions {
  /** Least identity of a member with its representative, from 0.9 to 1. */
  readonly ani: number;
  /** Least share of a member's bases that are aligned to its representative, from 0.5 to 1 (default: 0.85). */
  readonly fraction?: number;
}

const CLUSTER_GENOMES_OPTIONS = {
  ani: rule.required(rule.number({ from: 0.9, to: 1 })),
  fraction: rule.number({ from: 0.5, to: 1 }),
  name: rule.text,
  signal: rule.signal,
} satisfies OptionRules<ClusterGenomesOptions>;

/** A record in its cluster. Each record is in one; a representative is its own member. */
export interface ClusterMember {
  /** Id of the longest record of the cluster. */
  readonly representative: string;
  /** Id of the record. */
  readonly member: string;
  /** Identity of the member's aligned bases with the representative. */
  readonly ani: number;
  /** Share of the member's bases that are aligned. */
  readonly fraction: number;
  /** The earlier record, in the order of the clusters, that it equals; null if it is not a duplicate. */
  readonly duplicateOf: string | null;
  /** How it equals this record: byte for byte, in another case, or as the reverse complement, whatever its case. */
  readonly duplicate: DuplicateKind | null;
}

/** The clusters, and what is known of the source. */
export interface GenomeClusters {
  /** Members by cluster, in the order of representatives: longest first, ties by id. */
  readonly members: readonly ClusterMember[];
  /** Number of clusters. */
  readonly clusters: number;
  /** What is known of the source: records received, duplicate and unparsed. */
  readonly ledger: Ledger;
  /** Bytes read, compressed if the source is. */
  readonly bytes: number;
  /** SHA-256 of these bytes. */
  readonly sha256: string | null;
}

/** Hashes of all sequences, about, above which sketches become sparser. */
const MOST_HASHES = 1 << 24;
const HASH_BITS = 49;
const LAST_SHIFT = 4;
/** Share of the hashes to expect of a member that a record shares at least if it is aligned. */
const EXPECTED_SHARE = 0.25;
/** Records between two turns of the event loop. */
const TURN = 64;

/**
 * Clusters genomes greedily, as `checkv aniclust` does: the longest record that has no cluster yet, ties by id, is the
 * representative of all records without a cluster that are near to it. Near is a member of which at least `fraction` of
 * the bases are aligned to the representative, at `ani` or more. Pairs that share k-mers are aligned by
 * `alignGenomes()`. Sequences are held in memory.
 *
 * @param source Where the FASTA is; plain, gzip or Zstandard.
 * @param options Thresholds, name for errors, signal.
 * @throws {RangeError} If an option is out of its range.
 * @throws {FastaError} If the source cannot be read, or has proteins or no bases.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { clusterGenomes } from "./cluster_genomes.ts";
 *
 * const genome = Array.from({ length: 400 }, (_, i) => "ACGT"[i * i * i % 257 % 4]).join("");
 * const fasta = `>piece\n${genome.slice(20)}\n>whole\n${genome}\n>lower\n${genome.toLowerCase()}\n`;
 * const { members, clusters } = await clusterGenomes(new TextEncoder().encode(fasta), { ani: 0.99 });
 *
 * assertEquals(clusters, 1);
 * assertEquals(members.map(({ representative, member }) => `${representative} ${member}`), [
 *   "lower lower",
 *   "lower whole",
 *   "lower piece",
 * ]);
 * assertEquals(members[1].duplicate, "case");
 * ```
 */
export async function clusterGenomes(source: ByteSource, options: ClusterGenomesOptions): Promise<GenomeClusters> {
  checkOptions("clusterGenomes()", options, CLUSTER_GENOMES_OPTIONS);
  const { ani, fraction = 0.85, signal } = options;
  await using reading = await readSequences(source, { name: options.name, signal });
  const genomes: Genome[] = [];
  let bases = 0;
  for await (const { id, bytes } of reading.sequences()) {
    genomes.push({ id, sequence: bytes.slice() });
    bases += bytes.length;
    signal?.throwIfAborted();
  }
  genomes.sort((a, b) => b.sequence.length - a.sequence.length || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));
  const clusters = new GreedyClusters({ ani, fraction, shift: shiftFor(bases) });
  for (const [position, genome] of genomes.entries()) {
    clusters.add(genome);
    if (position % TURN === 0) {
      await yieldToEventLoop();
      signal?.throwIfAborted();
    }
  }
  const { ledger, bytes, sha256 } = reading.reader;
  return { members: clusters.clusters.flat(), clusters: clusters.clusters.length, ledger, bytes, sha256 };
}

/** One of 2^shift hashes is compared. */
function shiftFor(bases: number): number {
  return Math.min(LAST_SHIFT, Math.max(0, Math.ceil(Math.log2(bases / MOST_HASHES))));
}

interface Genome {
  readonly id: string;
  readonly sequence: Uint8Array;
}

interface Thresholds {
  readonly ani: number;
  readonly fraction: number;
  readonly shift: number;
}

/** Clusters so far. Genomes come longest first, so that a representative is there before its members. */
class GreedyClusters {
  readonly clusters: ClusterMember[][] = [];
  readonly #representatives: Genome[] = [];
  readonly #thresholds: Thresholds;
  readonly #index = new RepresentativeIndex();
  readonly #sketcher = SketchRoutines.start();
  readonly #aligner = new AlignRoutines();
  readonly #distinct = new Map<
    string,
    { readonly digests: GenomeDigests; readonly cluster: number; readonly member: ClusterMember }
  >();

  constructor(thresholds: Thresholds) {
    this.#thresholds = thresholds;
  }

  /** Puts a genome into the first cluster that it is near to, or into a new one. */
  add({ id, sequence }: Genome): void {
    const digests = digestsOf(sequence);
    const earlier = this.#distinct.get(digests.canonical);
    if (earlier !== undefined) {
      const { cluster, member } = earlier;
      const duplicate = duplicateKind(digests, earlier.digests);
      this.clusters[cluster].push({ ...member, member: id, duplicateOf: member.member, duplicate });
      return;
    }
    const hashes = this.#hash(sequence);
    const near = this.#findNear(sequence, hashes);
    const cluster = near?.cluster ?? this.#start({ id, sequence }, hashes);
    const member = {
      representative: this.#representatives[cluster].id,
      member: id,
      ani: near?.ani ?? 1,
      fraction: near?.fraction ?? 1,
      duplicateOf: null,
      duplicate: null,
    };
    this.clusters[cluster].push(member);
    this.#distinct.set(digests.canonical, { digests, cluster, member });
  }

  /** Distinct hashes of a sequence, of either strand. */
  #hash(sequence: Uint8Array): Float64Array {
    return this.#sketcher.search(sequence, HASH_BITS - this.#thresholds.shift).map((value) => Math.floor(value / 2));
  }

  /** Starts a cluster; returns its number. */
  #start(genome: Genome, hashes: Float64Array): number {
    const cluster = this.clusters.push([]) - 1;
    this.#representatives.push(genome);
    this.#index.add(cluster, hashes);
    return cluster;
  }

  /** The first cluster whose representative a genome is near to. */
  #findNear(
    sequence: Uint8Array,
    hashes: Float64Array,
  ): { readonly cluster: number; readonly ani: number; readonly fraction: number } | undefined {
    const { ani, fraction } = this.#thresholds;
    if (sequence.length > MOST_ALIGNED) return undefined;
    const least = EXPECTED_SHARE * fraction * ani ** SEARCH_K * hashes.length;
    const candidates = [...this.#index.countShared(hashes)].filter(([, shared]) => shared >= least)
      .map(([cluster]) => cluster).sort((a, b) => a - b);
    for (const cluster of candidates) {
      const record = this.#representatives[cluster].sequence;
      if (record.length > MOST_ALIGNED) continue;
      const alignment = alignTo(this.#aligner, sequence, record);
      if (alignment.ani >= ani && alignment.alignedFraction >= fraction) {
        return { cluster, ani: alignment.ani, fraction: alignment.alignedFraction };
      }
    }
    return undefined;
  }
}
