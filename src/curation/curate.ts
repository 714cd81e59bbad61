/** Curation: every record is kept, or left out with one first reason and a list of all. */
import { checkArgument, checkOptions } from "@seqreg/core/options/check_options";
import { countOf } from "@seqreg/core/contract/count_of";
import { closeLedger, type Ledger } from "@seqreg/core/contract/ledger";
import { type LedgerEntry, noteEntry } from "@seqreg/core/contract/ledger_entries";
import type { OptionRules } from "@seqreg/core/options/option_rule";
import * as rule from "@seqreg/core/options/rules";
import type { ScratchSql } from "@seqreg/core/engine/local/scratch_sql";
import { tsvRow } from "@seqreg/core/io/csv/csv_text";
import { findDuplicates } from "./_duplicates.ts";
import { recordBytes } from "./_record_lines.ts";
import { RecordTable, textOf } from "./_record_table.ts";
import { bytesOfLines, type Lines, linesOf, writeLinesFolder } from "./_result_folder.ts";
import { ruleConditions } from "./_rule_conditions.ts";
import { SOURCE_RULES, type SourceOptions } from "./source_options.ts";
import { CURATION_RULES, type CurationRules, DUPLICATE_RULE, RULE_NAMES } from "./curation_rules.ts";

/** Options of {@linkcode curate}. */
export interface CurateOptions extends CurationRules, SourceOptions {}

const CURATE_OPTIONS = { ...CURATION_RULES, ...SOURCE_RULES } satisfies OptionRules<CurateOptions>;

/** What one rule did. */
export interface RuleCount {
  /** Name of the rule. */
  readonly rule: string;
  /** What it leaves out, in words. */
  readonly meaning: string;
  /** Fields that it read; without any it was not applied. */
  readonly fields: readonly string[];
  /** Records to which it gave the first reason. */
  readonly first: number;
  /** Records that it leaves out, whatever the others do. */
  readonly matched: number;
}

/** A record that is left out. */
export interface ExcludedRecord {
  /** Its accession; empty if it has none. */
  readonly accession: string;
  /** Name of the first rule that leaves it out. */
  readonly reason: string;
  /** Names of all such rules, in their order. */
  readonly allReasons: readonly string[];
}

/** A curation: `kept` and `excluded` sum to `records`. Close it when it is no longer needed. */
export interface Curation extends AsyncDisposable {
  /** Records of the source. */
  readonly records: number;
  /** Records that no rule leaves out. */
  readonly kept: number;
  /** Records that are left out. */
  readonly excluded: number;
  /** What each rule did, in their order. */
  readonly rules: readonly RuleCount[];
  /** Rows that could not be read, and rules that could not be applied. */
  readonly ledger: Ledger;
  /** Bytes of the source. */
  readonly bytes: number;
  /** Yields the records that are left out, in the order of the source. */
  excludedRecords(): AsyncGenerator<ExcludedRecord>;
  /**
   * Writes the folder: `kept.tsv` (all fields), `excluded.tsv` (`accession`, `reason`, `all_reasons` joined by `;`),
   * `rules.tsv` (what each rule did), `duplicates.tsv` (`accession`, `kept`, `why`) and `curate.json` (the sizes of
   * these). A folder of an earlier curation is replaced; one that holds anything else is refused.
   */
  save(folder: string): Promise<void>;
}

/** Rules that can be added: all rules of a record are the bits of one number. */
const MOST_RULES = 50;

/**
 * Applies the rules of a curation to a lake, an archive or a table (CSV, TSV, Parquet; plain or compressed).
 *
 * Rules read the fields that play their roles; `docs/curation.md` lists what each matches. A rule whose fields are
 * absent is not applied, and the ledger says so. Memory is bounded whatever the size.
 *
 * @param source Path of a lake, an archive or a table.
 * @param options Rules to leave out and to add, fields that are required, limits.
 * @returns Counts by rule, and the records.
 * @throws {RangeError} If a named rule or field does not exist, or no field is known to hold the accession.
 * @throws {ParseError} If a table cannot be read; {RegistryError} with code `disk` or `damaged`.
 * @see Not shown in the specification: chosen because a set for an analysis needs a list of what was left out and why.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { curate } from "./curate.ts";
 *
 * const folder = await Deno.makeTempDir();
 * const text = "accession,Title,Country\na,Zika virus,Kenya\nb,Sequence 1 from patent US1,\nc,Zika virus,\n";
 * await Deno.writeTextFile(`${folder}/records.csv`, text);
 * {
 *   await using curation = await curate(`${folder}/records.csv`, { require: ["Country"] });
 *   assertEquals([curation.records, curation.kept, curation.excluded], [3, 1, 2]);
 *   assertEquals(await Array.fromAsync(curation.excludedRecords()), [
 *     { accession: "b", reason: "patent", allReasons: ["patent", "missing-field"] },
 *     { accession: "c", reason: "missing-field", allReasons: ["missing-field"] },
 *   ]);
 * }
 * await Deno.remove(folder, { recursive: true });
 * ```
 */
export async function curate(source: string, options: CurateOptions = {}): Promise<Curation> {
  checkArgument("curate()", "source", source, rule.required(rule.text));
  checkOptions("curate()", options, CURATE_OPTIONS);
  checkNames(options);
  const records = await RecordTable.open(source, { ...options, purpose: "curate" });
  try {
    return await judge(records, options);
  } catch (error) {
    await records[Symbol.asyncDispose]();
    throw error;
  }
}

function checkNames({ without = [], add = [] }: CurationRules): void {
  const own = add.map(({ name }) => name);
  const twice = own.find((name, at) => RULE_NAMES.includes(name) || own.indexOf(name) !== at);
  if (twice !== undefined) {
    throw new RangeError(`Cannot add the rule "${twice}": a rule of that name exists; choose another name`);
  }
  if (own.length > MOST_RULES) {
    throw new RangeError(`Cannot add ${own.length} rules: expected at most ${MOST_RULES}; join some of them`);
  }
  const names = [...RULE_NAMES, ...own];
  const unknown = without.find((name) => !names.includes(name));
  if (unknown !== undefined) {
    throw new RangeError(`Cannot leave out the rule "${unknown}": expected one of ${names.join(", ")}`);
  }
}

async function judge(records: RecordTable, options: CurateOptions): Promise<Curation> {
  const { sql, table, chunks } = records;
  const { conditions, source } = await ruleConditions(records, options);
  const bits = conditions.flatMap(({ condition }, at) =>
    condition === undefined ? [] : `CASE WHEN ${condition} THEN ${1n << BigInt(at)}::UBIGINT ELSE 0::UBIGINT END`
  );
  await sql.run(
    `CREATE TABLE excluded AS SELECT * FROM (SELECT seqreg_row AS row, ${bits.join(" | ") || "0::UBIGINT"} AS rules ` +
      `FROM ${source}) WHERE rules <> 0`,
  );
  const isJudged = !(options.without ?? []).includes(DUPLICATE_RULE.name);
  const compared = isJudged ? await findDuplicates(records) : undefined;
  const named = [
    ...conditions,
    ...isJudged ? [{ ...DUPLICATE_RULE, fields: compared === undefined ? [] : [compared.name] }] : [],
  ];
  if (compared !== undefined) await addDuplicates(sql, 1n << BigInt(conditions.length));
  const [[all]] = await sql.all("SELECT count(*) FROM records");
  const found = (await sql.all("SELECT rules, count(*) FROM excluded GROUP BY 1"))
    .map(([rules, count]) => ({ rules: BigInt(String(rules)), count: Number(count) }));
  const names = named.map(({ name }) => name);
  await insertReasons(sql, found.map(({ rules }) => ({ rules, names: namesOf(rules, names) })));
  const count = (isMeant: (rules: bigint) => boolean) =>
    found.reduce((sum, { rules, count }) => isMeant(rules) ? sum + count : sum, 0);
  const rules = named.map(({ name, meaning, fields }, at) => ({
    rule: name,
    meaning,
    fields,
    first: count((rules) => (rules & -rules) === 1n << BigInt(at)),
    matched: count((rules) => (rules >> BigInt(at) & 1n) === 1n),
  }));
  const excluded = count(() => true);
  const accession = `coalesce(${textOf(records.accession())}, '')`;
  const accessions = (rows: string) => `(SELECT seqreg_row AS row, ${accession} AS accession FROM ${rows})`;
  return {
    records: Number(all),
    kept: Number(all) - excluded,
    excluded,
    rules,
    ledger: closeLedger({
      received: Number(all),
      entries: [...records.entries(), ...compared?.entries ?? [], ...idleEntries(rules, table.name)],
    }),
    bytes: table.bytes,
    async *excludedRecords() {
      const rows = `SELECT accession, rules FROM ${accessions("records")} JOIN excluded USING (row) ORDER BY row`;
      for await (const batch of sql.stream(rows)) {
        const [ids, masks] = [batch.column(0), batch.column(1)];
        for (let row = 0; row < batch.rows; row++) {
          const allReasons = namesOf(BigInt(String(masks[row])), names);
          yield { accession: String(ids[row]), reason: allReasons[0], allReasons };
        }
      }
    },
    save: (folder) =>
      writeLinesFolder(folder, { operation: "curate", reads: [records.side.place] }, async (write) => {
        await write("kept.tsv", recordBytes(records, "ANTI JOIN excluded chosen"));
        const excludedLines = chunks.map(({ rows }) =>
          `SELECT tsv_cell(accession), first_reason, all_reasons FROM ${accessions(rows)} JOIN excluded USING (row) ` +
          "JOIN reasons USING (rules) ORDER BY row"
        );
        const header = tsvRow(["accession", "reason", "all_reasons"]);
        await write("excluded.tsv", bytesOfLines(sql, { header, queries: excludedLines }));
        await write("rules.tsv", ruleLines(rules));
        if (compared === undefined) return;
        const duplicates = "SELECT tsv_cell(accession), tsv_cell(kept), why FROM duplicates ORDER BY row";
        const columns = tsvRow(["accession", "kept", "why"]);
        await write("duplicates.tsv", bytesOfLines(sql, { header: columns, queries: [duplicates] }));
      }),
    [Symbol.asyncDispose]: () => records[Symbol.asyncDispose](),
  };
}

async function addDuplicates(sql: ScratchSql, rule: bigint): Promise<void> {
  await sql.run("ALTER TABLE excluded RENAME TO by_rules");
  await sql.run(
    `CREATE TABLE excluded AS SELECT coalesce(r.row, d.row) AS row, coalesce(rules, 0::UBIGINT) | ` +
      `(CASE WHEN d.row IS NULL THEN 0 ELSE ${rule} END)::UBIGINT AS rules FROM by_rules r FULL JOIN duplicates d ` +
      "ON r.row = d.row",
  );
}

/** The names of the rules in a set of bits, in order. */
function namesOf(rules: bigint, names: readonly string[]): string[] {
  return names.filter((_, at) => (rules >> BigInt(at) & 1n) === 1n);
}

/** Creates the table `reasons`, with the texts of each set of rules that occurs. */
async function insertReasons(
  sql: ScratchSql,
  sets: readonly { readonly rules: bigint; readonly names: readonly string[] }[],
): Promise<void> {
  await sql.run("CREATE TABLE reasons (rules UBIGINT, first_reason VARCHAR, all_reasons VARCHAR)");
  await sql.insert("reasons", [
    sets.map(({ rules }) => String(rules)),
    sets.map(({ names }) => names[0]),
    sets.map(({ names }) => names.join(";")),
  ]);
}

function idleEntries(rules: readonly RuleCount[], table: string): LedgerEntry[] {
  const idle = rules.filter(({ fields }) => fields.length === 0).map(({ rule }) => rule);
  if (idle.length === 0) return [];
  const text = `${countOf(idle.length, "rule")} not applied, since ${table} lacks the fields that they read: `;
  return [noteEntry("rules-not-applied", text + idle.join(", "), { ids: idle })];
}

function ruleLines(rules: readonly RuleCount[]): Lines {
  return linesOf(
    ["rule", "meaning", "fields", "first", "matched"],
    rules.map(({ rule, meaning, fields, first, matched }) => [
      rule,
      meaning,
      fields.join(";"),
      String(first),
      String(matched),
    ]),
  );
}
