/** The records of an index that are nearest to queries. */
import { checkOptions } from "@seqreg/core/options/check_options";
import type { OptionRules } from "@seqreg/core/options/option_rule";
import * as rule from "@seqreg/core/options/rules";
import { BYTE_SOURCE, type ByteSource } from "@seqreg/core/io/bytes";
import { Yielder } from "@seqreg/core/io/tasks";
import type { AlikeIndex } from "../index/open_index.ts";
import { readSequences, type ReadSequencesOptions } from "../sketch/read_sequences.ts";
import { sketchForSearch } from "../sketch/search_sketch.ts";
import { SketchRoutines } from "../sketch/sketch_routines.ts";
import { alignAnswers, type FoundAnswer } from "./align_answers.ts";
import type { NearestAnswer } from "./nearest_answer.ts";
import { findParts } from "./query_parts.ts";
import { SharedCounts } from "./shared_counts.ts";

/** Options of {@linkcode nearest}. */
export interface NearestOptions extends ReadSequencesOptions {
  /** Hits of a query at most, from 1 to 1,000,000 (default: 10). */
  readonly n?: number;
  /**
   * Aligns the records that share most hashes, at least 50 of them, to the query, and ranks them by what matches
   * (default: false). One shared hash is enough then, which finds more of what is far or short: a hit has 100 aligned
   * bases at 80 % ANI or more. The sequences are read from the index's source.
   */
  readonly align?: boolean;
  /**
   * Also finds the nearest record of each part of the query, in windows of 1,000 bases or a twentieth of the query, by
   * sketches: a chimera, a recombinant or a reassembled genome has parts of several (default: false).
   */
  readonly parts?: boolean;
  /** The FASTA that was indexed, if it is no longer where it was. */
  readonly from?: ByteSource;
}

const NEAREST_OPTIONS = {
  n: rule.wholeNumber({ from: 1, to: 1_000_000 }),
  align: rule.flag,
  parts: rule.flag,
  from: BYTE_SOURCE,
  name: rule.text,
  signal: rule.signal,
} satisfies OptionRules<NearestOptions>;

/** Bases of a query at least, ambiguous ones not counted. */
const LEAST_BASES = 300;
/** Hits that are aligned at least, if there are as many: the order by sketches is not exact. */
const LEAST_ALIGNED = 50;

/**
 * Finds the records nearest to each sequence of a FASTA, on both strands, by their sketches.
 *
 * A hit shares at least 3 hashes and has an estimated identity of at least 80 %. A sketch cannot decide finer than its
 * interval. A query shorter than 300 bases, or whose nearest record is below 80 %, has no hit and a note that says why.
 *
 * @param queries Where the FASTA with the queries is; plain, gzip or Zstandard.
 * @param index An index that `openAlikeIndex()` opened.
 * @param options Number of hits, whether they are aligned, whether parts are found, name for errors, signal.
 * @returns The answers, in the order of the queries.
 * @throws {RangeError} If an option is out of its range.
 * @throws {FastaError} While reading: if the queries cannot be read, or are proteins.
 * @throws {RegistryError} While reading: with code `damaged` if the index is, or if its source has changed.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { buildAlikeIndex } from "../index/build_index.ts";
 * import { openAlikeIndex } from "../index/open_index.ts";
 * import { nearest } from "./nearest.ts";
 *
 * const folder = await Deno.makeTempDir();
 * const genome = Array.from({ length: 400 }, (_, i) => "ACGT"[i * i * i % 257 % 4]).join("");
 * const fasta = new TextEncoder().encode(`>a\n${genome}\n`);
 * await buildAlikeIndex(fasta, `${folder}/index`);
 * {
 *   using index = await openAlikeIndex(`${folder}/index`);
 *   for await (const { query, hits } of nearest(fasta, index)) {
 *     assertEquals([query, hits[0].accession, hits[0].strand, hits[0].ani], ["a", "a", "+", 1]);
 *   }
 * }
 * await Deno.remove(folder, { recursive: true });
 * ```
 *
 * @example Real genomes: the one of Thailand is nearest to one of Singapore
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { Registry } from "@seqreg/core/registry";
 * import { buildAlikeIndex } from "../index/build_index.ts";
 * import { openAlikeIndex } from "../index/open_index.ts";
 * import { nearest } from "./nearest.ts";
 *
 * const folder = await Deno.makeTempDir();
 * await using registry = await Registry.open("zika", { cacheFolder: folder });
 * const genomes = await registry.sequences({ query: "*" }, { fields: ["Country"] });
 * await genomes.toFasta(`${folder}/zika.fasta`);
 * await buildAlikeIndex(`${folder}/zika.fasta`, `${folder}/index`);
 * const [thailand] = genomes.rows.filter((row) => row["Country"] === "Thailand");
 * {
 *   using index = await openAlikeIndex(`${folder}/index`);
 *   const query = new TextEncoder().encode(`>query\n${thailand.sequence}\n`);
 *   const [{ hits }] = await Array.fromAsync(nearest(query, index, { n: 2 }));
 *   const countryOf = new Map(genomes.rows.map((row) => [row["Registry Accession"], row["Country"]]));
 *   assertEquals(hits.map(({ accession }) => countryOf.get(accession)), ["Thailand", "Singapore"]);
 *   assertEquals([hits[1].aniLow, hits[1].aniHigh].map((ani) => (100 * ani).toFixed(2)), ["99.37", "99.71"]);
 * }
 * await Deno.remove(folder, { recursive: true });
 * ```
 */
export function nearest(
  queries: ByteSource,
  index: AlikeIndex,
  options: NearestOptions = {},
): AsyncGenerator<NearestAnswer> {
  checkOptions("nearest()", options, NEAREST_OPTIONS);
  return answers(queries, index, options);
}

async function* answers(
  queries: ByteSource,
  index: AlikeIndex,
  options: NearestOptions,
): AsyncGenerator<NearestAnswer> {
  const { n = 10, align = false } = options;
  const found = findAnswers(queries, index, { ...options, align, n: align ? Math.max(n, LEAST_ALIGNED) : n });
  if (align) return yield* alignAnswers(found, index, { ...options, n });
  for await (const { answer } of found) yield answer;
}

/** Finds the hits of each query by their sketches. The bases of a query are valid until the next is requested. */
async function* findAnswers(
  queries: ByteSource,
  index: AlikeIndex,
  { n, align, parts: hasParts = false, name, signal }: NearestOptions & { readonly n: number; readonly align: boolean },
): AsyncGenerator<FoundAnswer> {
  await using source = await readSequences(queries, { name, signal });
  const routines = SketchRoutines.start();
  const counts = new SharedCounts(index);
  const yielder = new Yielder();
  for await (const { id, bytes, length, ambiguous } of source.sequences()) {
    const answer = { query: id, length };
    if (length - ambiguous < LEAST_BASES) {
      const note = `beyond reach: the query has fewer than ${LEAST_BASES} unambiguous bases`;
      yield { answer: { ...answer, hits: [], parts: hasParts ? [] : null, note, isBeyondReach: true }, bytes };
      continue;
    }
    const sketch = sketchForSearch(routines, bytes);
    const found = counts.find(sketch, { n, isAligned: align });
    const parts = hasParts ? findParts(bytes, { counts, routines, nearest: found.hits.at(0) }) : null;
    yield { answer: { ...answer, parts, ...found }, bytes };
    await yielder.yieldWhenDue(signal);
  }
}
