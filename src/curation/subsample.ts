/** Samples: a number of records of each group, or a total that is spread over the groups. */
import { checkArgument, checkOptions } from "@seqreg/core/options/check_options";
import { closeLedger, type Ledger } from "@seqreg/core/contract/ledger";
import type { OptionRules } from "@seqreg/core/options/option_rule";
import * as rule from "@seqreg/core/options/rules";
import { createCandidates } from "./_candidates.ts";
import { drawnHeaders, drawnSequences, headerColumns } from "./_drawn_sequences.ts";
import { repeatedAccessions } from "./_duplicates.ts";
import { drawPicture } from "./_draw_picture.ts";
import { createDrawn, undrawn, undrawnBytes } from "./_drawn.ts";
import { recordBytes } from "./_record_lines.ts";
import { RecordTable, textOf } from "./_record_table.ts";
import { linesOf, writeLinesFolder } from "./_result_folder.ts";
import { absentExcluded, sampleEntries, withoutSequence } from "./_sample_entries.ts";
import { type DrawnGroup, sharesOfTotal, sharesPerGroup } from "./shares.ts";
import { SOURCE_RULES, type SourceOptions } from "./source_options.ts";
import { type GroupWeight, groupWeights } from "./group_weights.ts";

/** Options of {@linkcode subsample}: either `perGroup` or `total` is given. */
export interface SubsampleOptions extends SourceOptions {
  /**
   * What the groups are made by: fields by name, alias or role (`country`), and `year`, `month` and `isoweek` of the
   * collection date.
   */
  readonly by: readonly string[];
  /** Most records of each group. */
  readonly perGroup?: number;
  /** Records in all, spread over the groups as evenly as their sizes allow, or by weights. */
  readonly total?: number;
  /** Fewest records of each group of a `total`, as far as it has them, whatever its weight. */
  readonly least?: number;
  /** Most records of each group of a `total`. */
  readonly most?: number;
  /** Weights of groups; for a `total`. */
  readonly weights?: readonly GroupWeight[];
  /** Field by which records of a group come first: the greatest number, or words of completeness and quality. */
  readonly priority?: string;
  /** Accessions that are drawn in any case. They count towards the share of their group. */
  readonly include?: readonly string[];
  /** Accessions that are not drawn, unless they are in `include`. Those that no record has are named by the ledger. */
  readonly exclude?: readonly string[];
  /** Which draw: the same seed draws the same records; 1 by default. */
  readonly seed?: number;
  /** Path of the FASTA or the lake that has the sequences. */
  readonly sequences?: string;
  /**
   * Template of the headers of `sequences.fasta`, such as `{id}|{Country}|{Collection Date}`: fields by name, alias or
   * role; `{id}` is the accession, which is the whole header by default.
   */
  readonly fastaHeader?: string;
}

const SUBSAMPLE_OPTIONS = {
  by: rule.required(rule.listOf(rule.text, "names of fields", { from: 1 })),
  perGroup: rule.wholeNumber({ from: 1 }),
  total: rule.wholeNumber({ from: 1 }),
  least: rule.wholeNumber({ from: 1 }),
  most: rule.wholeNumber({ from: 1 }),
  weights: rule.listOf(
    rule.shape<GroupWeight>({
      values: rule.required(
        rule.recordOf(rule.like<string>("a text", (value) => typeof value === "string"), "values by field"),
      ),
      weight: rule.required(rule.number({ from: 0 })),
    }),
    "objects { values, weight }",
  ),
  priority: rule.text,
  include: rule.texts,
  exclude: rule.texts,
  seed: rule.wholeNumber({ from: 0 }),
  sequences: rule.text,
  fastaHeader: rule.text,
  ...SOURCE_RULES,
} satisfies OptionRules<SubsampleOptions>;

/** A group of a sample. */
export interface SampledGroup {
  /** Its values, joined by `|`; `?` for a missing one. */
  readonly group: string;
  /** Records that could be drawn. */
  readonly size: number;
  /** Records that were drawn. */
  readonly drawn: number;
  /** How many records each drawn one stands for: size / drawn, the inverse of its probability; null without any. */
  readonly weight: number | null;
}

/** A record that was not drawn. */
export interface UndrawnRecord {
  /** Its accession; empty if it has none. */
  readonly accession: string;
  /**
   * `not-drawn`, or why it could not be: `excluded`, `no-accession`, `accession-repeated`, `no-year`, `no-month`,
   * `no-isoweek`.
   */
  readonly reason: string;
}

/** A sample: `drawn` and `excluded` sum to `records`. Close it when it is no longer needed. */
export interface Subsample extends AsyncDisposable {
  /** Records of the source. */
  readonly records: number;
  /** Records that were drawn. */
  readonly drawn: number;
  /** Records that were not. */
  readonly excluded: number;
  /** Every group, by name. */
  readonly groups: readonly SampledGroup[];
  /** Groups that had too few records or got none, accessions that were to be included and do not exist. */
  readonly ledger: Ledger;
  /** Bytes of the source. */
  readonly bytes: number;
  /** Yields the accessions that were drawn, in the order of the source. */
  accessions(): AsyncGenerator<string>;
  /** Yields the records that were not drawn, in the order of the source. */
  excludedRecords(): AsyncGenerator<UndrawnRecord>;
  /**
   * Writes the folder: `metadata.tsv` (all fields), `excluded.tsv` (`accession`, `reason`, `group`), `groups.tsv`
   * (`group`, `size`, `drawn`, `weight`), `draw.svg` (what the draw did to country and month, or year where these are
   * more than 24 months; where both fields are known), `sequences.fasta` if sequences were named, and `subsample.json`
   * (the sizes of these). A folder of an earlier sample is replaced; one that holds anything else is refused.
   *
   * @returns The ledger, with the records that have no sequence.
   */
  save(folder: string): Promise<Ledger>;
}

/**
 * Draws records of a lake, an archive or a table (CSV, TSV, Parquet; plain or compressed), so that no group has more
 * than its part.
 *
 * The choice depends on the accession and the seed: the same records whatever the order of the rows and the format of
 * the source. A missing value of a field is a group of its own, `?`; a record whose date does not tell the year, month
 * or week that is asked for is not drawn.
 *
 * @param source Path of a lake, an archive or a table.
 * @param options Groups, how many, and what comes first.
 * @returns Groups with their sizes and weights, and the records.
 * @throws {RangeError} If neither or both of `perGroup` and `total` are given, a field does not exist, or weights do
 * not cover the groups.
 * @throws {ParseError} If a table cannot be read; {RegistryError} with code `disk` or `damaged`.
 * @see Not shown in the specification: chosen because a tree of all records shows who sequenced most.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { subsample } from "./subsample.ts";
 *
 * const folder = await Deno.makeTempDir();
 * const text = "accession,Country,Date\na,Peru,2016-01-03\nb,Peru,2016-01-09\nc,Peru,2016\nd,Mali,2016-01\n";
 * await Deno.writeTextFile(`${folder}/records.csv`, text);
 * {
 *   await using sample = await subsample(`${folder}/records.csv`, { by: ["country", "month"], perGroup: 1 });
 *   assertEquals(sample.groups, [
 *     { group: "Mali|2016-01", size: 1, drawn: 1, weight: 1 },
 *     { group: "Peru|2016-01", size: 2, drawn: 1, weight: 2 },
 *   ]);
 *   assertEquals([sample.records, sample.drawn, sample.excluded], [4, 2, 2]);
 * }
 * await Deno.remove(folder, { recursive: true });
 * ```
 *
 * @example One of the real genomes from each country
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { ensureZika } from "@seqreg/embedded/sample";
 * import { subsample } from "./subsample.ts";
 *
 * const cacheFolder = await Deno.makeTempDir();
 * const archive = `${await ensureZika({ cacheFolder })}/registryv1_full_dataset_metadata.csv.gz`;
 * {
 *   await using sample = await subsample(archive, { by: ["country"], perGroup: 1 });
 *   assertEquals([sample.records, sample.drawn, sample.groups.length], [34, 15, 15]);
 *   assertEquals(sample.groups[1], { group: "Brazil", size: 5, drawn: 1, weight: 5 });
 * }
 * await Deno.remove(cacheFolder, { recursive: true });
 * ```
 */
export async function subsample(source: string, options: SubsampleOptions): Promise<Subsample> {
  checkArgument("subsample()", "source", source, rule.required(rule.text));
  checkOptions("subsample()", options, SUBSAMPLE_OPTIONS);
  const { perGroup, total, weights } = options;
  if ((perGroup === undefined) === (total === undefined)) {
    throw new RangeError("Cannot draw a sample: expected either a number per group or a total");
  }
  if (weights !== undefined && total === undefined) {
    throw new RangeError("Cannot draw a number per group by weights: expected a total");
  }
  const { least, most } = options;
  if ((least !== undefined || most !== undefined) && total === undefined) {
    throw new RangeError("Cannot bound a number per group: expected a total");
  }
  if (least !== undefined && most !== undefined && least > most) {
    throw new RangeError(
      `Cannot draw at least ${least} and at most ${most} records of a group: expected the least first`,
    );
  }
  if (options.fastaHeader !== undefined && options.sequences === undefined) {
    throw new RangeError("Cannot make headers without sequences: name the FASTA or the lake that has them");
  }
  const records = await RecordTable.open(source, { ...options, purpose: "subsample" });
  try {
    if (options.fastaHeader !== undefined) headerColumns(records, options.fastaHeader);
    return await draw(records, options);
  } catch (error) {
    await records[Symbol.asyncDispose]();
    throw error;
  }
}

interface Group extends DrawnGroup {
  readonly name: string;
  readonly values: readonly string[];
}

/** Shares of a total, each of them between the least and the most. */
function boundedShares(
  groups: readonly Group[],
  { total = 0, least = 0, most = Infinity }: SubsampleOptions,
): number[] {
  const bounded = groups.map((group) => {
    const size = Math.min(group.size, Math.max(most, group.forced));
    return { ...group, size, forced: Math.max(group.forced, Math.min(least, size)) };
  });
  const smallest = bounded.reduce((sum, { forced }) => sum + forced, 0);
  if (least > 0 && smallest > total) {
    throw new RangeError(
      `Cannot draw at least ${least} of each of ${groups.length} groups: that is ${smallest} records of ${total}; ` +
        "expected a greater total, fewer of each, or coarser groups",
    );
  }
  return sharesOfTotal(bounded, total);
}

async function draw(records: RecordTable, options: SubsampleOptions): Promise<Subsample> {
  const { sql } = records;
  const { by, perGroup, total, weights, include = [], exclude = [], seed = 1, signal } = options;
  const candidates = await createCandidates(records, { by, include, exclude, seed, priority: options.priority });
  const rows = await sql.all("SELECT name, size, forced, turn, key FROM groups ORDER BY id");
  const unweighted = rows.map(([name, size, forced, turn, key]) => ({
    name: String(name),
    size: Number(size),
    forced: Number(forced),
    order: BigInt(String(turn)),
    values: String(key).split("\u001f"),
  }));
  const weightOf = weights === undefined ? unweighted.map(() => 1) : groupWeights(unweighted, { by, weights });
  const groups: Group[] = unweighted.map((group, at) => ({ ...group, weight: weightOf[at] }));
  const shares = total === undefined ? sharesPerGroup(groups, perGroup!) : boundedShares(groups, options);
  await createDrawn(records, { candidates, shares });
  const [[all, drawn]] = await sql.all("SELECT (SELECT count(*) FROM records), (SELECT count(*) FROM drawn)");
  const absent = await sql.all(
    "SELECT seqreg_included FROM included ANTI JOIN drawn ON accession = seqreg_included ORDER BY 1",
  );
  const unknown = await sql.all(
    `SELECT seqreg_left_out FROM left_out ANTI JOIN (SELECT ${
      textOf(records.accession())
    } AS accession FROM records) ` +
      "ON accession = seqreg_left_out ORDER BY 1",
  );
  const entries = [
    ...records.entries(),
    ...absentExcluded(unknown.map(([name]) => String(name)), records.table.name),
    ...sampleEntries(groups, shares, options),
  ];
  const missing = absent.map(([name]) => String(name));
  const sampled = groups.map(({ name, size }, at) => ({
    group: name,
    size,
    drawn: shares[at],
    weight: shares[at] === 0 ? null : size / shares[at],
  }));
  const counts = { asked: total ?? null, received: Number(drawn), missing };
  let saves = 0;
  return {
    records: Number(all),
    drawn: Number(drawn),
    excluded: Number(all) - Number(drawn),
    groups: sampled,
    ledger: closeLedger({ ...counts, entries }),
    bytes: records.table.bytes,
    async *accessions() {
      for await (const batch of sql.stream("SELECT accession FROM drawn ORDER BY row")) {
        yield* batch.column(0).map(String);
      }
    },
    async *excludedRecords() {
      for await (const batch of sql.stream(`SELECT accession, reason FROM ${undrawn(candidates)} ORDER BY row`)) {
        const [accessions, why] = [batch.column(0), batch.column(1)];
        for (let row = 0; row < batch.rows; row++) {
          yield { accession: String(accessions[row]), reason: String(why[row]) };
        }
      }
    },
    async save(folder) {
      const extra = [...entries];
      const reads = [records.side.place, options.sequences];
      await writeLinesFolder(folder, { operation: "subsample", reads }, async (write, pathOf) => {
        await write("metadata.tsv", recordBytes(records, "SEMI JOIN drawn chosen"));
        await write("excluded.tsv", undrawnBytes(records, candidates));
        const header = ["group", "size", "drawn", "weight"];
        await write(
          "groups.tsv",
          linesOf(
            header,
            sampled.map(({ group, size, drawn, weight }) => [
              group,
              String(size),
              String(drawn),
              weight === null ? "" : String(weight),
            ]),
          ),
        );
        // Two may be saved at once.
        const picture = await drawPicture(records, `seqreg_picture_${saves++}`);
        await picture?.save(pathOf("draw.svg"), { signal });
        if (options.sequences === undefined) return;
        const headers = await drawnHeaders(records, options.fastaHeader);
        const repeated = new Set<string>();
        const others = new Set<string>();
        const asked = { headers, repeated, others, sampled: records, signal };
        await write("sequences.fasta", drawnSequences(options.sequences, asked));
        extra.push(
          ...repeatedAccessions([...repeated].toSorted(), `in ${options.sequences}, of which the first was taken`),
        );
        extra.push(...withoutSequence([...headers.keys()].toSorted(), options.sequences, [...others]));
      });
      return closeLedger({ ...counts, entries: extra });
    },
    [Symbol.asyncDispose]: () => records[Symbol.asyncDispose](),
  };
}
