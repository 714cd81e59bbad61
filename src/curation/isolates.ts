/**
 * Isolates: the records of one isolate as one row, with the segments that it has, lacks, has twice, and what its
 * records disagree on.
 */
import { checkArgument, checkOptions } from "@seqreg/core/options/check_options";
import { countOf } from "@seqreg/core/contract/count_of";
import { closeLedger, type Ledger, listSome } from "@seqreg/core/contract/ledger";
import { type LedgerEntry, noteEntry } from "@seqreg/core/contract/ledger_entries";
import type { OptionRules } from "@seqreg/core/options/option_rule";
import * as rule from "@seqreg/core/options/rules";
import { writeAtomic } from "@seqreg/core/io/files/atomic_file";
import type { SideColumn } from "@seqreg/again/open_side";
import { groupIsolates } from "./_isolate_parts.ts";
import { type IsolateRow, isolateRows, isolateTsv } from "./_isolate_rows.ts";
import { createSpecies, type IsolateSpecies } from "./_isolate_tables.ts";
import { RecordTable } from "./_record_table.ts";
import { SOURCE_RULES, type SourceOptions } from "./source_options.ts";

/** Options of {@linkcode isolates}. */
export type IsolatesOptions = SourceOptions;

const ISOLATES_OPTIONS = SOURCE_RULES satisfies OptionRules<IsolatesOptions>;

/** The segments of a species. */
export interface SpeciesOfIsolates {
  /** Its name. */
  readonly species: string;
  /** Segments, in order; empty if no record names one. */
  readonly segments: readonly string[];
  /** The publication that names them, or `observed`: all that its records name. */
  readonly source: string;
  /** Texts that cannot be assigned to one segment. */
  readonly ambiguous: readonly string[];
}

/** Isolates of a lake. Close it when it is no longer needed. */
export interface Isolates extends AsyncDisposable {
  /** Records of the source. */
  readonly records: number;
  /** Records that are in an isolate. */
  readonly grouped: number;
  /** Number of isolates. */
  readonly isolates: number;
  /** Isolates that have all segments of their species, of species with segments. */
  readonly complete: number;
  /** Isolates with more than one record of a segment. */
  readonly duplicate: number;
  /** Isolates whose records disagree. */
  readonly conflicting: number;
  /** Isolates with a segment that cannot be identified. */
  readonly ambiguous: number;
  /** The species with their segments, by name. */
  readonly species: readonly SpeciesOfIsolates[];
  /** Records in no isolate, and segments that cannot be identified. */
  readonly ledger: Ledger;
  /** Bytes of the source. */
  readonly bytes: number;
  /** Yields the isolates, by species and name. */
  rows(): AsyncGenerator<IsolateRow>;
  /**
   * Writes a TSV file with a line an isolate, the columns of {@linkcode IsolateRow}: lists joined by `;`, and
   * `accessions` as `segment=accession`, or `accession` of a record without a segment.
   */
  save(file: string): Promise<void>;
  /** Yields the bytes of that file. */
  tsv(): AsyncGenerator<Uint8Array<ArrayBuffer>>;
}

/**
 * Groups the records of a lake, an archive or a table by isolate, and finds which segments each has.
 *
 * An isolate is what the records of one species name in the same words: two laboratories that use one name for
 * different samples come out as one isolate that is *conflicting*. Which texts mean which segment is read from a table
 * with its source ({@linkcode SEGMENT_TABLE}), else all segments that records of the species name count, marked
 * `observed`. A text that could mean several segments counts as no segment and is listed in `ambiguous`. Memory
 * is bounded whatever the size.
 *
 * @param source Path of a lake, an archive or a table.
 * @param options Fields, table.
 * @throws {RangeError} If no field is known to hold the isolate or the accession.
 * @throws {ParseError} If a table cannot be read; {RegistryError} with code `disk` or `damaged`.
 * @see Not shown in the specification: chosen because a genome of several segments has as many records.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { isolates } from "./isolates.ts";
 *
 * const folder = await Deno.makeTempDir();
 * const text = "accession,Species,Isolate,Segment\na,Example virus,i,seg 1\nb,Example virus,i,2\n" +
 *   "c,Example virus,k,1\nd,Example virus,k,Segment 01\n";
 * await Deno.writeTextFile(`${folder}/records.csv`, text);
 * {
 *   await using found = await isolates(`${folder}/records.csv`);
 *   const rows = await Array.fromAsync(found.rows());
 *   assertEquals(rows.map(({ isolate, complete, missing, duplicate }) => [isolate, complete, missing, duplicate]), [
 *     ["i", true, [], []],
 *     ["k", false, ["2"], ["1"]],
 *   ]);
 *   assertEquals(rows[0].source, "observed");
 * }
 * await Deno.remove(folder, { recursive: true });
 * ```
 */
export async function isolates(source: string, options: IsolatesOptions = {}): Promise<Isolates> {
  checkArgument("isolates()", "source", source, rule.required(rule.text));
  checkOptions("isolates()", options, ISOLATES_OPTIONS);
  const records = await RecordTable.open(source, { ...options, purpose: "isolates" });
  try {
    return await group(records);
  } catch (error) {
    await records[Symbol.asyncDispose]();
    throw error;
  }
}

async function group(records: RecordTable): Promise<Isolates> {
  const { sql, table } = records;
  const isolate = isolateField(records);
  const species = await createSpecies(records, isolate);
  await groupIsolates(records, { isolate, species });
  const has = (list: string) => `count(*) FILTER (WHERE len(${list}) > 0)`;
  const [[count, grouped, complete, duplicate, conflicting, ambiguous]] = await sql.all(
    "SELECT count(*), coalesce(sum(records), 0)::BIGINT, count(*) FILTER (WHERE complete), " +
      `${["duplicate", "conflicting", "ambiguous"].map(has).join(", ")} FROM isolates`,
  );
  const [[all]] = await sql.all("SELECT count(*) FROM records");
  const counts = { records: Number(all), grouped: Number(grouped) };
  const named = species.map(speciesOf);
  const entries = [...records.entries(), ...isolateEntries({ ...counts, isolate: isolate.name, species: named })];
  return {
    ...counts,
    isolates: Number(count),
    complete: Number(complete),
    duplicate: Number(duplicate),
    conflicting: Number(conflicting),
    ambiguous: Number(ambiguous),
    species: named,
    ledger: closeLedger({ received: Number(all), entries }),
    bytes: table.bytes,
    tsv: () => isolateTsv(sql),
    rows: () => isolateRows(sql),
    save: async (file) => void await writeAtomic(file, isolateTsv(sql)),
    [Symbol.asyncDispose]: () => records[Symbol.asyncDispose](),
  };
}

function isolateField(records: RecordTable): SideColumn {
  const found = records.find("isolate");
  if (found !== undefined) return found;
  throw new RangeError(
    `Cannot group the records of ${records.table.name}: no field is known to hold their isolate; name it, as in ` +
      "--field isolate=NAME",
  );
}

function speciesOf({ species, segments, source, texts }: IsolateSpecies): SpeciesOfIsolates {
  const ambiguous = [...texts].flatMap(([text, { isAmbiguous }]) => isAmbiguous ? [text] : []);
  return { species, segments, source, ambiguous: ambiguous.sort() };
}

/** Species that a text names; the entry lists more. */
const NAMED = 5;

function isolateEntries(
  { records, grouped, isolate, species }: {
    readonly records: number;
    readonly grouped: number;
    readonly isolate: string;
    readonly species: readonly SpeciesOfIsolates[];
  },
): LedgerEntry[] {
  const left = records - grouped;
  const unclear = species.flatMap(({ species, ambiguous }) => ambiguous.map((text) => `${text} (${species})`));
  const texts = `${countOf(unclear.length, "name")} of segments cannot be told to be one segment of their species`;
  return [
    ...left === 0 ? [] : [noteEntry(
      "without-isolate",
      `${countOf(left, "record")} without a value in ${isolate}, or without a species, and in no isolate`,
      { count: left },
    )],
    ...unclear.length === 0
      ? []
      : [noteEntry("segments-ambiguous", `${texts}: ${listSome(unclear, NAMED)}`, { ids: unclear })],
  ];
}
