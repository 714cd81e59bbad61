/** What changed between two versions of the data, record by record. */
import { temporaryError } from "@seqreg/core/io/files/temp_path";
import { createScratchFolder, type ScratchFolder } from "@seqreg/core/io/files/scratch_folder";
import { checkArgument, checkOptions } from "@seqreg/core/options/check_options";
import { type Naming, NAMING_RULE, SPECIFICATION_NAMING } from "@seqreg/core/contract/naming";
import type { OptionRules } from "@seqreg/core/options/option_rule";
import * as rule from "@seqreg/core/options/rules";
import { readPartialDate } from "@seqreg/core/contract/values";
import type { OnProgress } from "@seqreg/core/io/tasks";
import { ScratchSql, withMemory } from "@seqreg/core/engine/local/scratch_sql";
import { alignColumns } from "./_align_columns.ts";
import { type ComparedTable, compareTables } from "./_compare_tables.ts";
import { makeDiff } from "./_make_diff.ts";
import { kindOfSide, openSide, type Side, type SideTable } from "../open_side.ts";
import { RecordFile } from "./_record_file.ts";
import { type SievedTables, type SievedVersion, sieveTables } from "./sieve/sieve_tables.ts";
import { tableDiff, Tally } from "./_tally.ts";
import { keyOf } from "./_table_key.ts";
import { areTaxonNames, readTaxonNames } from "./_taxon_names.ts";
import type { Diff, TableDiff } from "./diff_result.ts";

/** Bound of the database's memory, unless it is too little: a good part of what it reads with comes on top of it. */
const MEMORY_MB = 220;

/** The same for tables with sequences, whose cells are long. */
const SEQUENCES_MB = 400;

/** Options of {@linkcode diffLakes}. */
export interface DiffOptions {
  /** Sheet of workbooks, by name or number from 1; the first visible one that holds data by default. */
  readonly sheet?: string | number;
  /** Encoding of tables of text, as the Encoding standard names it; UTF-8 by default. */
  readonly encoding?: string;
  /** Field that identifies a record; the accession by default. */
  readonly key?: string;
  /** Fields under another name: old name to new name. Their cells are compared. */
  readonly rename?: Readonly<Record<string, string>>;
  /** Fields to compare, by either name; all by default. */
  readonly fields?: readonly string[];
  /**
   * A date such as `2026-01-31`: records released later are left out of both versions, and counted. The field is found
   * by its role, release date.
   */
  readonly asOf?: string;
  /** What the deployment calls things; the specification's spellings by default. */
  readonly naming?: Naming;
  /** Takes progress in bytes of archives that have to be read. */
  readonly onProgress?: OnProgress;
  /** Ends the work with the signal's reason; nothing is left behind. */
  readonly signal?: AbortSignal;
}

const DIFF_OPTIONS = {
  sheet: rule.either(rule.text, rule.wholeNumber({ from: 1 })),
  encoding: rule.text,
  key: rule.text,
  rename: rule.recordOf(rule.text, "new names by old names"),
  fields: rule.texts,
  asOf: rule.like<string>(
    "a date such as 2026-01-31",
    (value) => typeof value === "string" && readPartialDate(value) !== undefined,
  ),
  naming: NAMING_RULE,
  onProgress: rule.callback(),
  signal: rule.signal,
} satisfies OptionRules<DiffOptions>;

/**
 * Compares two versions of the data record by record: archives, folders of archives, lakes, or tables (CSV, TSV,
 * Parquet; plain or compressed), in any combination.
 *
 * Rows are hashed first, with 64 bits, and only those whose hashes differ are compared cell by cell, so that memory is
 * bounded whatever the size; the temporary directory holds 16 to 40 bytes for each row of both versions, and the rows
 * that differ. Versions whose records come in nearly the same order are compared fastest. Archives and tables are read
 * completely and checked, as {@linkcode buildLake} reads them; of two large ones with the same columns only the rows
 * become Parquet whose lines differ, by hashes of 128 bits. Tables with the same name are compared with one another; if
 * both versions have a single one, whatever their names.
 *
 * @param before The old version: path of a lake, of an archive or table, or of a folder of archives.
 * @param after The new version, likewise.
 * @param options Key, renamed fields, fields to compare, day of the state.
 * @returns Counts, changes of fields, and an iterator over the records that differ.
 * @throws {RangeError} If no field is known to identify records, or a named field does not exist.
 * @throws {ParseError} If a table cannot be read; {RegistryError} with code `disk` or `damaged`.
 * @see Not shown in the specification: chosen because archives are published again and again without a list of changes.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { diffLakes } from "./diff.ts";
 *
 * const folder = await Deno.makeTempDir();
 * await Deno.writeTextFile(`${folder}/old.csv`, "accession,Country\na,Kenya\nb,Peru\nc,Togo\n");
 * await Deno.writeTextFile(`${folder}/new.csv`, "accession,Country\na,kenya\nc,Togo\nd,Mali\n");
 * {
 *   await using diff = await diffLakes(`${folder}/old.csv`, `${folder}/new.csv`);
 *   const { added, removed, changed, unchanged } = diff.counts;
 *   assertEquals({ added, removed, changed, unchanged }, { added: 1, removed: 1, changed: 1, unchanged: 1 });
 *   const [first] = await Array.fromAsync(diff.records());
 *   assertEquals([first.key, first.fields.Country.how], ["a", "case"]);
 * }
 * await Deno.remove(folder, { recursive: true });
 * ```
 *
 * @example A corrected copy of the real genomes
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { Registry } from "@seqreg/core/registry";
 * import { diffLakes } from "./diff.ts";
 *
 * const folder = await Deno.makeTempDir();
 * const [old, corrected] = [`${folder}/zika.csv`, `${folder}/corrected.csv`];
 * await using registry = await Registry.open("zika", { cacheFolder: folder });
 * await (await registry.metadata({ query: "*" })).toCSV(old);
 * await Deno.writeTextFile(corrected, (await Deno.readTextFile(old)).replace("2016-12-XX", "2015-12-XX"));
 * {
 *   await using diff = await diffLakes(old, corrected);
 *   const [{ key, fields }] = await Array.fromAsync(diff.records());
 *   assertEquals([diff.counts.unchanged, key, Object.keys(fields)], [33, "vj000000000033", ["Collection Date"]]);
 * }
 * await Deno.remove(folder, { recursive: true });
 * ```
 */
export async function diffLakes(before: string, after: string, options: DiffOptions = {}): Promise<Diff> {
  checkArgument("diffLakes()", "before", before, rule.required(rule.text));
  checkArgument("diffLakes()", "after", after, rule.required(rule.text));
  checkOptions("diffLakes()", options, DIFF_OPTIONS);
  return await compare([before, after], options);
}

/** Compares two versions; `leastBytes` is the size from which tables of text are made small first. */
export async function compare(
  places: readonly [string, string],
  options: DiffOptions & { readonly leastBytes?: number },
): Promise<Diff> {
  const folder = await createScratchFolder("diff");
  try {
    return await compareIn(folder, places, options);
  } catch (error) {
    folder[Symbol.dispose]();
    throw error;
  }
}

async function compareIn(
  folder: ScratchFolder,
  places: readonly [string, string],
  options: DiffOptions & { readonly leastBytes?: number },
): Promise<Diff> {
  const { sides: opened, sieved } = await openSides(folder, places, options);
  const { pairs: found, unpaired } = pairTables(opened);
  const pairs = found.map(alignColumns);
  const aligned = new Map(found.flatMap((pair, index) => pair.map((table, at) => [table, pairs[index][at]] as const)));
  const [before, after] = opened.map((side): Side => (
    { ...side, tables: side.tables.map((table) => aligned.get(table) ?? table) }
  ));
  const sides = [before, after] as const;
  const files = sides.flatMap(({ tables }) => tables.flatMap((table) => [...table.files, ...table.raw]));
  const hasSequences = sides.some(({ tables }) => tables.some(({ sequence }) => sequence !== undefined));
  return await withMemory(hasSequences ? SEQUENCES_MB : MEMORY_MB, (memoryMb) => compareSides(memoryMb));

  async function compareSides(memoryMb: number): Promise<Diff> {
    const { signal } = options;
    const records = new RecordFile(`${folder.path}/records.jsonl`);
    const tables: TableDiff[] = [];
    const scratch = await Deno.makeTempDir({ dir: folder.path })
      .catch((cause) => Promise.reject(temporaryError(cause)));
    const sql = await ScratchSql.open({
      files,
      folder: scratch,
      memoryMb,
      signal,
    });
    try {
      for (const { files, renamed } of pairs.flat()) if (renamed !== undefined) await sql.callColumns(files, renamed);
      const isRenamed = await readTaxonNames(sql, sides);
      let last: ComparedTable | undefined;
      for (const pair of pairs) {
        last = await compareTables(sql, pair, {
          ...options,
          ...sieved && { key: sieved.key },
          same: sieved?.same ?? 0,
          isOnly: pairs.length === 1,
        });
        const tally = new Tally(isRenamed);
        await records.append(last.changes(), (change) => tally.add(change));
        tables.push(await tableDiff(last, tally));
      }
      return makeDiff({
        folder,
        sql,
        places,
        sides,
        tables,
        unpaired,
        records,
        last: sieved === undefined ? last! : { daffRows: () => wholeDaffRows(places, options) },
        ...options.asOf && { asOf: options.asOf },
        signal,
      });
    } catch (error) {
      await sql[Symbol.asyncDispose]();
      // Another try needs the room.
      await Deno.remove(scratch, { recursive: true }).catch(() => {});
      throw error;
    }
  }
}

/** What differs in daff's format, which has every row. */
async function* wholeDaffRows(places: readonly [string, string], options: DiffOptions): AsyncGenerator<string[]> {
  await using diff = await compare(places, { ...options, leastBytes: Infinity });
  yield* diff.daffRows();
}

interface OpenedSides {
  readonly sides: readonly [Side, Side];
  /** Present where rows were left out that are the same. */
  readonly sieved?: SievedTables;
}

/** Opens both versions; a lake first, since it determines the types of the other. */
async function openSides(
  folder: ScratchFolder,
  places: readonly [string, string],
  options: DiffOptions & { readonly leastBytes?: number },
): Promise<OpenedSides> {
  const { sheet, encoding, naming, onProgress, signal, asOf, rename = {} } = options;
  const kinds = [await kindOfSide(places[0]), await kindOfSide(places[1])];
  const open = (index: number, types: Side | "text" = "text") =>
    openSide(places[index], {
      folder: `${folder.path}/${index}`,
      types,
      // Of two versions, one may be a lake.
      ...kinds[index] === "archives" && { sheet, encoding },
      naming,
      onProgress,
      signal,
    });
  if ((sheet !== undefined || encoding !== undefined) && !kinds.includes("archives")) {
    throw new RangeError(`Cannot use a sheet or an encoding with ${places.join(" and ")}: expected tables`);
  }
  const isLakeAndArchive = (lake: number, other: number) => kinds[lake] === "lake" && kinds[other] === "archives";
  if (isLakeAndArchive(1, 0)) {
    const after = await open(1);
    return { sides: [await open(0, after), after] };
  }
  // Records that were left out by their date are counted, and those under other names differ in every row.
  const isPlain = kinds.every((kind) => kind === "archives") && asOf === undefined &&
    Object.keys(rename).length === 0 &&
    sheet === undefined && encoding === undefined;
  const sieved = isPlain
    ? await sieveTables(places, {
      ...options,
      folder: folder.path,
      chooseKey: (names) => chooseKey(names, options),
    })
    : undefined;
  if (sieved !== undefined) {
    const [before, after] = sieved.versions;
    const [old, now] = await Promise.all([openSieved(before, 0), openSieved(after, 1)]);
    return { sides: [old, now], sieved };
  }
  const before = await open(0);
  return { sides: [before, await open(1, isLakeAndArchive(0, 1) ? before : "text")] };

  async function openSieved({ path, about }: SievedVersion, index: number): Promise<Side> {
    const { tables: [table] } = await openSide(path, {
      folder: `${folder.path}/${index}`,
      types: "text",
      naming,
      signal,
    });
    return { place: places[index], tables: [{ ...table, entries: [], ...about }] };
  }
}

/** The key of a table whose equal rows may be left out; each row of the taxonomy archive explains what changed. */
function chooseKey(
  names: readonly string[],
  { key, naming = SPECIFICATION_NAMING }: DiffOptions,
): string | undefined {
  const columns = names.map((name) => ({ name }));
  if (areTaxonNames(columns) || key !== undefined && !names.includes(key)) return undefined;
  const { accessionField } = naming;
  const before = { columns, ...names.includes(accessionField) && { idField: accessionField } };
  return keyOf(before, { columns }, { key })?.[0];
}

function pairTables([before, after]: readonly [Side, Side]) {
  if (before.tables.length === 1 && after.tables.length === 1) {
    return { pairs: [[before.tables[0], after.tables[0]] as const], unpaired: { old: [], new: [] } };
  }
  const partner = ({ name }: SideTable, side: Side) => side.tables.find((table) => table.name === name);
  const pairs = before.tables.flatMap((table) => {
    const other = partner(table, after);
    return other === undefined ? [] : [[table, other] as const];
  });
  const alone = (side: Side, other: Side) =>
    side.tables.filter((table) => partner(table, other) === undefined).map(({ name }) => name);
  if (pairs.length === 0) {
    const names = (side: Side) => side.tables.map(({ name }) => name).join(", ");
    throw new RangeError(
      `Cannot compare ${before.place} with ${after.place}: no table of the one has the name of a table of the other ` +
        `(${names(before)}; ${names(after)}); name one archive or table of each`,
    );
  }
  return { pairs, unpaired: { old: alone(before, after), new: alone(after, before) } };
}
