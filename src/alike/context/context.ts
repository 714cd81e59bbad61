/** Context sets: the records that are nearest to queries, thinned fairly, ready for an alignment and a tree. */
import { checkArgument, checkOptions } from "@seqreg/core/options/check_options";
import type { OptionRules } from "@seqreg/core/options/option_rule";
import * as rule from "@seqreg/core/options/rules";
import { closeLedger, type Ledger, listSome } from "@seqreg/core/contract/ledger";
import { noteEntry } from "@seqreg/core/contract/ledger_entries";
import type { ByteSource } from "@seqreg/core/io/bytes";
import { Yielder } from "@seqreg/core/io/tasks";
import { createScratchFolder } from "@seqreg/core/io/files/scratch_folder";
import { headerTemplate, parseHeaderTemplate } from "@seqreg/core/fasta/write/header_template";
import { AlignRoutines, MOST_ALIGNED } from "../align/align_routines.ts";
import { alignTo, type GenomeAlignment } from "../align/align_genomes.ts";
import { AlikeIndex } from "../index/open_index.ts";
import { nearest } from "../nearest/nearest.ts";
import type { NearestAnswer } from "../nearest/nearest_answer.ts";
import { readSequences } from "../sketch/read_sequences.ts";
import type { ContextRecord, ContextSet, LeftOutRecord } from "./context_set.ts";
import { type CandidateRecords, readCandidates, type RegistryRecords } from "./candidate_records.ts";
import { safeNames } from "./safe_names.ts";
import { type SpreadRecords, spreadRecords } from "./spread_records.ts";
import { saveContext } from "./save_context.ts";

/** Options of {@linkcode context}. */
export interface ContextOptions {
  /** The index of the source's sequences. */
  readonly index: AlikeIndex;
  /** Records in the set at most, without the queries, from 1 to 10,000 (default: 50). */
  readonly nearest?: number;
  /**
   * Fields over which the records are spread, by name or role, and `year`, `month` and `isoweek` of the collection
   * date. A quarter of the set are the nearest records; the others are drawn of the nearest `4 × nearest`, as evenly
   * over the groups as these allow (default: none, the nearest records are taken).
   */
  readonly spread?: readonly string[];
  /** Name of each sequence, made of fields, such as `{accession}|{Country}` (default: the accession). */
  readonly header?: string;
  /** Which draw among equally near records of a group; 1 by default. */
  readonly seed?: number;
  /** Named in errors (default: the path of the queries). */
  readonly name?: string;
  /** Ends the work with the signal's reason. */
  readonly signal?: AbortSignal;
}

const CONTEXT_OPTIONS = {
  index: rule.required(rule.instanceOf("an index that openAlikeIndex() opened", AlikeIndex)),
  nearest: rule.wholeNumber({ from: 1, to: 10_000 }),
  spread: rule.texts,
  header: rule.text,
  seed: rule.wholeNumber({ from: 0 }),
  name: rule.text,
  signal: rule.signal,
} satisfies OptionRules<ContextOptions>;

const SOURCE = rule.like<string | RegistryRecords>(
  "the path of a lake, or a registry",
  (value) => typeof value === "string" || typeof value === "object" && value !== null && "metadata" in value,
);

/** Near records of each query that are aligned at least. */
const LEAST_CANDIDATES = 50;
/** Near records for each one that is taken, where they are spread over groups. */
const SPREAD_FACTOR = 4;

/**
 * Makes a context set: finds the records nearest to the queries, aligns them, takes the nearest, spread over groups if
 * requested, and adds the queries. Names are limited to characters that MAFFT and IQ-TREE keep.
 *
 * @param queries Where the FASTA with the queries is; plain, gzip or Zstandard.
 * @param from Path of a lake, or a registry, that has the indexed records.
 * @param options Index, how many, groups, header.
 * @throws {RangeError} If an option is out of its range, or a field does not exist.
 * @throws {TypeError} If the header template is malformed or names an unknown field.
 * @throws {FastaError} If the queries cannot be read, or are proteins.
 * @throws {RegistryError} If the index is damaged, or the source cannot be read.
 *
 * @example The two real genomes that are nearest to one of Thailand
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { Registry } from "@seqreg/core/registry";
 * import { buildAlikeIndex } from "../index/build_index.ts";
 * import { openAlikeIndex } from "../index/open_index.ts";
 * import { context } from "./context.ts";
 *
 * const folder = await Deno.makeTempDir();
 * await using registry = await Registry.open("zika", { cacheFolder: folder });
 * const genomes = await registry.sequences({ query: "*" }, { fields: ["Country"] });
 * await buildAlikeIndex(await genomes.toFasta(`${folder}/zika.fasta`), `${folder}/index`);
 * const [thailand] = genomes.rows.filter((row) => row["Country"] === "Thailand");
 * {
 *   using index = await openAlikeIndex(`${folder}/index`);
 *   const query = new TextEncoder().encode(`>mine\n${thailand.sequence}\n`);
 *   const { records } = await context(query, registry, { index, nearest: 2, header: "{Country}" });
 *   assertEquals(records.map(({ name }) => name), ["mine", "Thailand", "Singapore"]);
 *   assertEquals(records[1].why, "rank 1 for mine, 100.00 % ANI over 100.0 % of it");
 * }
 * await Deno.remove(folder, { recursive: true });
 * ```
 */
export async function context(
  queries: ByteSource,
  from: string | RegistryRecords,
  options: ContextOptions,
): Promise<ContextSet> {
  checkArgument("context()", "from", from, rule.required(SOURCE));
  checkOptions("context()", options, CONTEXT_OPTIONS);
  const { index, nearest: n = 50, spread = [], header, seed = 1, name, signal } = options;
  if (header !== undefined) parseHeaderTemplate(header);
  const reading = { name, signal };
  const known = await readQueries(queries, reading);
  const fasta = new TextEncoder().encode(known.map(({ id, sequence }) => `>${id}\n${sequence}\n`).join(""));
  const candidates = Math.max(LEAST_CANDIDATES, spread.length > 0 ? SPREAD_FACTOR * n : n);
  const answers = await Array.fromAsync(nearest(fasta, index, { ...reading, n: candidates }));
  const accessions = [...new Set(answers.flatMap(({ hits }) => hits.map(({ accession }) => accession)))];
  using scratch = await createScratchFolder("context");
  const folder = `${scratch.path}/records`;
  await Deno.mkdir(folder);
  const records = await readCandidates(from, { accessions, spread, folder, signal });
  const ranked = await rank(answers.map(({ hits }, at) => ({ ...known[at], hits })), records, signal);
  const order = [...ranked.keys()];
  const drawn = spread.length > 0 && order.length > 0
    ? await spreadRecords({ records, order, spread, total: n, seed, folder, signal })
    : nearestOf(order, n);
  const chosen = order.filter((accession) => drawn.chosen.has(accession));
  const leftOut = [
    ...order.filter((accession) => !drawn.chosen.has(accession))
      .map((accession) => ({ accession, reason: drawn.reasonOf.get(accession) ?? "not-drawn" })),
    ...accessions.filter((accession) => !ranked.has(accession)).map((accession) => ({
      accession,
      reason: records.rows.has(accession) ? "no-sequence" : "not-in-source",
    })),
  ];
  const set = {
    records: named(
      known,
      chosen.map((accession) => ({
        accession,
        values: records.rows.get(accession)!,
        why: whyOf(ranked.get(accession)!, drawn.groupOf.get(accession)),
        sequence: records.sequences.get(accession)!,
      })),
      { fields: records.fields, header },
    ),
    fields: records.fields,
    leftOut,
    withoutHit: answers.filter(({ hits }) => hits.length === 0).map(({ query, note }) => ({ query, note })),
    ledger: ledgerOf(answers, leftOut, accessions),
    sources: records.sources,
  };
  const source = typeof from === "string" ? from : from.description;
  const { name: indexed, bytes, sha256 } = index.source;
  const lock = typeof from === "string" ? null : from.lock ?? null;
  const described = { indexed, bytes, sha256 };
  const asked = { nearest: n, spread, header: header ?? null, seed, from: source, lock, index: described };
  return { ...set, save: (folder) => saveContext(set, asked, folder) };
}

interface Query {
  readonly id: string;
  readonly sequence: string;
}

async function readQueries(source: ByteSource, options: { readonly name?: string; readonly signal?: AbortSignal }) {
  await using reading = await readSequences(source, options);
  const queries: Query[] = [];
  for await (const { id, bytes } of reading.sequences()) {
    queries.push({ id, sequence: new TextDecoder("latin1").decode(bytes) });
  }
  return queries;
}

/** The query that a record is nearest to. */
interface Ranked {
  readonly query: string;
  readonly rank: number;
  readonly alignment: GenomeAlignment | null;
}

/** Ranks the candidates of each query by what matches; a record keeps its best rank. The nearest come first. */
async function rank(
  queries: readonly (Query & { readonly hits: readonly { readonly accession: string }[] })[],
  records: CandidateRecords,
  signal: AbortSignal | undefined,
): Promise<ReadonlyMap<string, Ranked>> {
  const routines = new AlignRoutines();
  const encoder = new TextEncoder();
  const yielder = new Yielder();
  const all: (Ranked & { readonly accession: string })[] = [];
  for (const { id, sequence, hits } of queries) {
    const query = encoder.encode(sequence);
    const aligned: { readonly accession: string; readonly alignment: GenomeAlignment | null }[] = [];
    for (const { accession } of hits) {
      const bases = records.sequences.get(accession);
      if (bases === undefined || !records.rows.has(accession)) continue;
      await yielder.yieldWhenDue(signal);
      const isLong = Math.max(query.length, bases.length) > MOST_ALIGNED;
      aligned.push({ accession, alignment: isLong ? null : alignTo(routines, query, encoder.encode(bases)) });
    }
    aligned.sort((a, b) =>
      (b.alignment?.matches ?? 0) - (a.alignment?.matches ?? 0) || (a.accession < b.accession ? -1 : 1)
    );
    for (const [position, hit] of aligned.entries()) all.push({ ...hit, query: id, rank: position + 1 });
  }
  const ranked = new Map<string, Ranked>();
  for (const hit of all.sort((a, b) => a.rank - b.rank)) {
    if (!ranked.has(hit.accession)) ranked.set(hit.accession, hit);
  }
  return ranked;
}

/** Near records that were requested, those that are missing in the source, and queries without one. */
function ledgerOf(
  answers: readonly NearestAnswer[],
  leftOut: readonly LeftOutRecord[],
  accessions: readonly string[],
): Ledger {
  const missing = leftOut.filter(({ reason }) => reason === "not-in-source" || reason === "no-sequence")
    .map(({ accession }) => accession);
  const alone = answers.filter(({ hits }) => hits.length === 0).map(({ query }) => query);
  const [count, verb] = [alone.length, alone.length === 1 ? "query has" : "queries have"];
  return closeLedger({
    asked: accessions.length,
    received: accessions.length - missing.length,
    missing,
    entries: count === 0
      ? []
      : [noteEntry("queries-alone", `${count} ${verb} no near record: ${listSome(alone, 20)}`, { count, ids: alone })],
  });
}

function nearestOf(order: readonly string[], n: number): SpreadRecords {
  return { chosen: new Set(order.slice(0, n)), groupOf: new Map(), reasonOf: new Map() };
}

function whyOf({ query, rank, alignment }: Ranked, group: string | undefined): string {
  const percent = (share: number, digits: number) => `${(100 * share).toFixed(digits)} %`;
  const identity = alignment === null
    ? "too long to align"
    : alignment.isTooFar
    ? "below 80 % ANI"
    : `${percent(alignment.ani, 2)} ANI over ${percent(alignment.alignedFraction, 1)} of it`;
  return `rank ${rank} for ${query}, ${identity}${group === undefined ? "" : `; group ${group}`}`;
}

/** Names queries by their ids and records by the template. */
function named(
  queries: readonly Query[],
  records: readonly Omit<ContextRecord, "name" | "isQuery">[],
  { fields, header }: { readonly fields: readonly string[]; readonly header?: string },
): ContextRecord[] {
  const make = header === undefined || records.length === 0
    ? undefined
    : headerTemplate(header, ["accession", ...fields]);
  const all = [
    ...queries.map(({ id, sequence }) => ({ accession: id, values: fields.map(() => ""), why: "query", sequence })),
    ...records,
  ];
  const names = safeNames(
    all.map(({ accession, values }, at) =>
      at < queries.length || make === undefined ? accession : make([accession, ...values])
    ),
  );
  return all.map((record, at) => ({ ...record, name: names[at], isQuery: at < queries.length }));
}
