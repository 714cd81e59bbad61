/** Clusters of a lake, checked by aligning members to representatives. */
import { checkArgument, checkOptions } from "@seqreg/core/options/check_options";
import type { OptionRules } from "@seqreg/core/options/option_rule";
import * as rule from "@seqreg/core/options/rules";
import { createScratchFolder } from "@seqreg/core/io/files/scratch_folder";
import { AlignRoutines, MOST_ALIGNED } from "../align/align_routines.ts";
import { alignTo, type GenomeAlignment } from "../align/align_genomes.ts";
import { SketchRoutines } from "../sketch/sketch_routines.ts";
import type { StatedPair } from "./cluster_pairs.ts";
import { RepresentativeIndex } from "./representative_index.ts";

/** Options of {@linkcode checkClusters}. */
export interface CheckClustersOptions {
  /** Pairs that are aligned at most, from 1 to 10,000 (default: 200). */
  readonly pairs?: number;
  /** Least identity within a cluster, as a share of 1 (default: 0.95). */
  readonly ani?: number;
  /** Least aligned share of a member (default: 0.85). */
  readonly fraction?: number;
  /** Which draw of pairs; 1 by default. */
  readonly seed?: number;
  /** Ends the work with the signal's reason. */
  readonly signal?: AbortSignal;
}

const CHECK_CLUSTERS_OPTIONS = {
  pairs: rule.wholeNumber({ from: 1, to: 10_000 }),
  ani: rule.number({ from: 0.8, to: 1 }),
  fraction: rule.number({ from: 0, to: 1 }),
  seed: rule.wholeNumber({ from: 0 }),
  signal: rule.signal,
} satisfies OptionRules<CheckClustersOptions>;

/**
 * What the check finds of a pair, the first that holds: `no-sequence`; `too-long` to align; `nearer`: another
 * representative has more bases of the member, at the thresholds or above; `below-threshold`: not near enough to its
 * representative, which is expected where a graph method joined the member through a chain of others;
 * `differs`: near enough, but not as stated; `agrees`.
 */
export type PairVerdict = "agrees" | "differs" | "below-threshold" | "nearer" | "too-long" | "no-sequence";

/** A pair that was drawn. Shares are from 0 to 1. */
export interface CheckedPair extends StatedPair {
  /** Identity of the member's aligned bases with its representative; null if they were not aligned. */
  readonly ani: number | null;
  /** Share of the member's bases that are aligned. */
  readonly fraction: number | null;
  /** The representative that has most of the member's bases; null if none was aligned. */
  readonly nearest: string | null;
  /** What the check finds. */
  readonly verdict: PairVerdict;
}

/** What the check has found. */
export interface CheckedClusters {
  /** Pairs of a representative and another member, in all. */
  readonly total: number;
  /** Pairs, in all, of which the member is longer than its representative. */
  readonly longerMembers: number;
  /** The pairs that were drawn, as many of each stratum of stated identity as there are. */
  readonly pairs: readonly CheckedPair[];
  /** Number of pairs by verdict. */
  readonly verdicts: Readonly<Record<PairVerdict, number>>;
}

/** Greatest differences of an agreement, as shares. */
const [ANI_TOLERANCE, FRACTION_TOLERANCE] = [0.01, 0.05];
/** Other representatives of a member that are aligned at most, those that share most hashes. */
const MOST_RIVALS = 3;
/** Share of a member's hashes that another representative shares at least. */
const LEAST_SHARED = 0.1;
/** Share of the member's bases by which another representative must have more. */
const NEARER = 0.01;
/** All hashes of 49 bits but one of four are left out. */
const SKETCH_BITS = 47;

/**
 * Checks the clusters of a lake: draws pairs of a representative and a member from each stratum of stated identity, and
 * aligns the member to its representative and to the other representatives that share most of its k-mers. Identity and
 * coverage are compared as those of the member; they agree within 1 and 5 points.
 *
 * @param lake Path of a lake, or of a folder of archives, with comparison metrics and sequences.
 * @param options Number of pairs, thresholds.
 * @throws {RangeError} If an option is out of its range.
 * @throws {RegistryError} With code `disk` if the lake cannot be read, or has no pairs or no sequences.
 *
 * @example Real genomes, each of which is a cluster of its own
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { ensureZika } from "@seqreg/embedded/sample";
 * import { checkClusters } from "./check_clusters.ts";
 *
 * const cacheFolder = await Deno.makeTempDir();
 * const { total, longerMembers, pairs } = await checkClusters(await ensureZika({ cacheFolder }));
 *
 * assertEquals([total, longerMembers, pairs], [0, 0, []]);
 * await Deno.remove(cacheFolder, { recursive: true });
 * ```
 */
export async function checkClusters(lake: string, options: CheckClustersOptions = {}): Promise<CheckedClusters> {
  checkArgument("checkClusters()", "lake", lake, rule.required(rule.text));
  checkOptions("checkClusters()", options, CHECK_CLUSTERS_OPTIONS);
  const { pairs: most = 200, ani = 0.95, fraction = 0.85, seed = 1, signal } = options;
  const { ClusterPairs } = await import("./cluster_pairs.ts");
  using folder = await createScratchFolder("clusters");
  await using source = await ClusterPairs.open(lake, folder.path, signal);
  const { pairs: total, longerMembers } = await source.count();
  const drawn = await source.draw(most, seed);
  const sequences = await source.sequencesOf(drawn.flatMap(({ representative, member }) => [representative, member]));
  const rivals = await findRivals(drawn, sequences, source.representatives(), signal);
  const aligner = new AlignRoutines();
  const pairs: CheckedPair[] = [];
  for (const pair of drawn) {
    pairs.push(judge(pair, { sequences, rivals: rivals.get(pair.member) ?? new Map(), aligner, ani, fraction }));
    signal?.throwIfAborted();
  }
  const verdicts = { agrees: 0, differs: 0, "below-threshold": 0, nearer: 0, "too-long": 0, "no-sequence": 0 };
  for (const { verdict } of pairs) verdicts[verdict] += 1;
  return { total, longerMembers, pairs, verdicts };
}

/** Finds for each member the representatives, except its own, that share most of its hashes. */
async function findRivals(
  drawn: readonly StatedPair[],
  sequences: ReadonlyMap<string, Uint8Array>,
  representatives: AsyncIterable<{ readonly id: string; readonly sequence: Uint8Array }>,
  signal: AbortSignal | undefined,
): Promise<ReadonlyMap<string, ReadonlyMap<string, Uint8Array>>> {
  const rivals = new Map<string, Map<string, Uint8Array>>();
  if (drawn.length === 0) return rivals;
  const routines = SketchRoutines.start();
  const sketch = (sequence: Uint8Array) => routines.search(sequence, SKETCH_BITS).map((value) => Math.floor(value / 2));
  const members = new RepresentativeIndex();
  const least = drawn.map(({ member }, at) => {
    const hashes = sketch(sequences.get(member) ?? new Uint8Array(0));
    members.add(at, hashes);
    return Math.max(1, LEAST_SHARED * hashes.length);
  });
  const best = drawn.map((): { readonly id: string; readonly shared: number; readonly sequence: Uint8Array }[] => []);
  for await (const { id, sequence } of representatives) {
    for (const [at, shared] of members.countShared(sketch(sequence))) {
      if (shared < least[at] || id === drawn[at].representative || id === drawn[at].member) continue;
      best[at].push({ id, shared, sequence });
      best[at].sort((a, b) => b.shared - a.shared || (a.id < b.id ? -1 : 1));
      if (best[at].length > MOST_RIVALS) best[at].pop();
    }
    signal?.throwIfAborted();
  }
  for (const [at, { member }] of drawn.entries()) {
    rivals.set(member, new Map(best[at].map(({ id, sequence }) => [id, sequence])));
  }
  return rivals;
}

interface JudgeOptions {
  readonly sequences: ReadonlyMap<string, Uint8Array>;
  readonly rivals: ReadonlyMap<string, Uint8Array>;
  readonly aligner: AlignRoutines;
  readonly ani: number;
  readonly fraction: number;
}

function judge(pair: StatedPair, { sequences, rivals, aligner, ani, fraction }: JudgeOptions): CheckedPair {
  const [member, representative] = [sequences.get(pair.member), sequences.get(pair.representative)];
  const unknown = { ...pair, ani: null, fraction: null, nearest: null };
  if (member === undefined || representative === undefined) return { ...unknown, verdict: "no-sequence" };
  if (Math.max(member.length, representative.length) > MOST_ALIGNED) return { ...unknown, verdict: "too-long" };
  const isNear = (alignment: GenomeAlignment) => alignment.ani >= ani && alignment.alignedFraction >= fraction;
  const own = alignTo(aligner, member, representative);
  let [nearest, matches] = [own.matches > 0 ? pair.representative : null, own.matches + NEARER * member.length];
  for (const [id, sequence] of rivals) {
    if (sequence.length > MOST_ALIGNED) continue;
    const other = alignTo(aligner, member, sequence);
    if (isNear(other) && other.matches > matches) [nearest, matches] = [id, other.matches];
  }
  const found = { ...pair, ani: own.ani, fraction: own.alignedFraction, nearest };
  if (nearest !== pair.representative && nearest !== null) return { ...found, verdict: "nearer" };
  if (!isNear(own)) return { ...found, verdict: "below-threshold" };
  const isClose = (stated: number | null, actual: number, tolerance: number) =>
    stated === null || Math.abs(stated - actual) <= tolerance;
  const agrees = isClose(pair.identity, own.ani, ANI_TOLERANCE) &&
    isClose(pair.coverage, own.alignedFraction, FRACTION_TOLERANCE);
  return { ...found, verdict: agrees ? "agrees" : "differs" };
}
