/** The rules of a curation as conditions of SQL on the records. */
import { sqlText } from "@seqreg/core/engine/local/scratch_sql";
import { daysOf, rangeOf } from "@seqreg/analysis/run/plausible";
import type { SideColumn } from "@seqreg/again/open_side";
import { createDateTable } from "./_date_table.ts";
import { textAsItCame } from "./_record_lines.ts";
import { numberOf, presentValue, type RecordTable, textOf, valueOf } from "./_record_table.ts";
import { type CurationRules, type RuleWords, VALUE_RULES, WORD_RULES, type WordRule } from "./curation_rules.ts";

export interface RuleCondition {
  readonly name: string;
  readonly meaning: string;
  /** Fields that it reads; without any it cannot be applied. */
  readonly fields: readonly string[];
  /** Whether a record is left out; absent if it cannot be applied. */
  readonly condition?: string;
}

/** Records marked complete from which a species has a median length. */
const LEAST_COMPLETE = 10;

/** All conditions, in order, and the records with what the conditions read. */
export async function ruleConditions(
  records: RecordTable,
  rules: CurationRules,
): Promise<{ readonly conditions: readonly RuleCondition[]; readonly source: string }> {
  const without = new Set(rules.without);
  const joins: string[] = [];
  const applied = (name: string) => !without.has(name);
  const hits = new RuleHits();
  const words = WORD_RULES.filter(({ name }) => applied(name)).map((rule) => wordCondition(records, { rule, hits }));
  const values: RuleCondition[] = [];
  const add = (name: keyof typeof VALUE_RULES, { fields, tests }: Tests) =>
    values.push({
      name,
      meaning: VALUE_RULES[name],
      fields: fields.map(({ name }) => name),
      ...tests.length > 0 && { condition: `coalesce(${tests.map((test) => `(${test})`).join(" OR ")}, false)` },
    });
  if (applied("implausible")) add("implausible", await implausible(records, rules, joins));
  if (applied("ambiguous")) add("ambiguous", ambiguous(records, rules));
  if (applied("short")) add("short", await tooShort(records, rules, joins));
  if (applied("missing-field") && (rules.require ?? []).length > 0) {
    const fields = (rules.require ?? []).map((name) => records.column(name));
    const tests: string[] = [];
    for (const [at, column] of fields.entries()) {
      // A value that does not fit the type of its column is not missing.
      const { text, join } = await textAsItCame(records, { column, alias: `seqreg_required_${at}` });
      joins.push(join);
      tests.push(`${presentValue(text, column)} IS NULL`);
    }
    add("missing-field", { fields, tests });
  }
  const own = (rules.add ?? []).filter(({ name }) => applied(name))
    .map((rule) => wordCondition(records, { rule, hits }));
  const source = `(SELECT *${hits.columns()} FROM records) ${joins.join(" ")}`;
  return { conditions: [...words, ...values, ...own], source };
}

interface Tests {
  readonly fields: readonly SideColumn[];
  readonly tests: readonly string[];
}

/** Whether a field has any word of any rule: few records have, so that few are searched for the words of each. */
class RuleHits {
  readonly #words = new Map<string, { readonly at: number; readonly words: string[] }>();

  /** Registers words of a field, and returns the condition that it has one of them. */
  add(column: SideColumn, words: readonly string[]): string {
    const text = textOf(column);
    const found = this.#words.get(text) ?? { at: this.#words.size, words: [] };
    this.#words.set(text, found);
    found.words.push(...words);
    return `CASE WHEN seqreg_hit_${found.at} THEN regexp_matches(${text}, ${
      sqlText(wordPattern(words))
    }) ELSE false END`;
  }

  /** The columns that the conditions read, after others. */
  columns(): string {
    return [...this.#words].map(([text, { at, words }]) =>
      `, regexp_matches(${text}, ${sqlText(wordPattern([...new Set(words)]))}) AS seqreg_hit_${at}`
    ).join("");
  }
}

function wordCondition(
  records: RecordTable,
  { rule, hits }: { readonly rule: WordRule; readonly hits: RuleHits },
): RuleCondition {
  const tests: string[] = [];
  const fields = new Set<string>();
  for (const { fields: names, words } of rule.matches) {
    for (const column of columnsOf(records, { names, isOwn: !WORD_RULES.includes(rule) })) {
      fields.add(column.name);
      tests.push(hits.add(column, words));
    }
  }
  for (const column of rule.name === "replaced" ? columnsOf(records, { names: ["replacedBy"], isOwn: false }) : []) {
    fields.add(column.name);
    tests.push(`${valueOf(column)} IS NOT NULL`);
  }
  for (const column of rule.name === "laboratory" ? columnsOf(records, { names: ["passage"], isOwn: false }) : []) {
    fields.add(column.name);
    tests.push(`lower(${valueOf(column)}) NOT IN (${UNPASSAGED.map(sqlText).join(", ")})`);
  }
  return {
    name: rule.name,
    meaning: rule.meaning ?? `a word of the rule ${rule.name}`,
    fields: [...fields],
    ...tests.length > 0 && { condition: tests.map((test) => `coalesce(${test}, false)`).join(" OR ") },
  };
}

/** What a field of passages holds for a record without one. */
const UNPASSAGED = [
  "0",
  "p0",
  "none",
  "no",
  "original",
  "original specimen",
  "primary specimen",
  "clinical specimen",
  "direct",
  "unpassaged",
];

/** Columns of a rule; a caller's own rule must name fields that there are. */
function columnsOf(
  records: RecordTable,
  { names, isOwn }: { readonly names: RuleWords["fields"]; readonly isOwn: boolean },
): SideColumn[] {
  return names.flatMap((name) => (isOwn ? records.column(name) : records.find(name)) ?? []);
}

/** Whole words in any case; between the parts of one stand spaces, hyphens or underscores. */
function wordPattern(words: readonly string[]): string {
  const escape = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const parts = words.map((word) => word.trim().split(/[\s_-]+/).map(escape).join("[\\s_-]+"));
  return `(?i)(?:^|[^\\pL\\pN])(?:${parts.join("|")})(?:$|[^\\pL\\pN])`;
}

async function implausible(records: RecordTable, { plausible }: CurationRules, joins: string[]): Promise<Tests> {
  const fields: SideColumn[] = [];
  const tests: string[] = [];
  for (const role of ["length", "gc"] as const) {
    const column = records.find(role);
    if (column === undefined) continue;
    const [least, most] = rangeOf(plausible, role);
    fields.push(column);
    tests.push(`${numberOf(column)} < ${least} OR ${numberOf(column)} > ${sqlNumber(most)}`);
  }
  const { first, last } = daysOf({ options: { plausible }, source: {} });
  const dates = ["collectionDate", "releaseDate"] as const;
  for (const role of dates) {
    const column = records.find(role);
    if (column === undefined) continue;
    fields.push(column);
    const name = `seqreg_${role}`;
    await createDateTable(records.sql, { name, column });
    joins.push(`LEFT JOIN ${name} ON ${name}.seqreg_text = ${textOf(column)}`);
    tests.push(`${name}.seqreg_latest < ${first} OR ${name}.seqreg_earliest > ${last}`);
  }
  if (dates.every((role) => records.find(role) !== undefined)) {
    tests.push("seqreg_collectionDate.seqreg_earliest > seqreg_releaseDate.seqreg_latest");
  }
  return { fields, tests };
}

/** SQL has no literal for Infinity. */
function sqlNumber(value: number): string {
  return Number.isFinite(value) ? String(value) : "1e308";
}

function ambiguous(records: RecordTable, { mostAmbiguous = 0.05 }: CurationRules): Tests {
  const [bases, length] = [records.find("ambiguous"), records.find("length")];
  if (bases === undefined || length === undefined) return { fields: [], tests: [] };
  return { fields: [bases, length], tests: [`${numberOf(bases)} > ${mostAmbiguous} * ${numberOf(length)}`] };
}

async function tooShort(records: RecordTable, { leastLength = 0.5 }: CurationRules, joins: string[]): Promise<Tests> {
  const [length, species, completeness] = [
    records.find("length"),
    records.find("species"),
    records.find("completeness"),
  ];
  if (length === undefined || species === undefined || completeness === undefined) return { fields: [], tests: [] };
  const segment = records.find("segment");
  const text = (column: SideColumn | undefined) => column === undefined ? "''" : `coalesce(${textOf(column)}, '')`;
  const isKind = `seqreg_species = ${text(species)} AND seqreg_segment = ${text(segment)}`;
  // Each combination of texts is read once; equal values in other words are one kind.
  await records.sql.run(
    "CREATE TABLE seqreg_kinds AS SELECT species AS seqreg_species, segment AS seqreg_segment, " +
      "CASE WHEN a IS NOT NULL THEN dense_rank() OVER (ORDER BY a, b) END AS seqreg_kind FROM (SELECT *, " +
      `${presentValue("species", species)} AS a, coalesce(${
        presentValue("segment", segment)
      }, '') AS b FROM (SELECT DISTINCT ` +
      `${text(species)} AS species, ${text(segment)} AS segment FROM records))`,
  );
  await records.sql.run(
    `CREATE TABLE seqreg_medians AS SELECT seqreg_species, seqreg_segment, seqreg_median FROM seqreg_kinds JOIN (SELECT seqreg_kind, ` +
      `median(${numberOf(length)}) AS seqreg_median FROM records JOIN seqreg_kinds ON ${isKind} ` +
      `WHERE regexp_matches(${textOf(completeness)}, '(?i)^\\s*complete( genome| sequence| cds)?\\s*$') ` +
      `GROUP BY 1 HAVING count(${numberOf(length)}) >= ${LEAST_COMPLETE}) USING (seqreg_kind)`,
  );
  joins.push(`LEFT JOIN seqreg_medians ON ${isKind}`);
  return {
    fields: [length, species, completeness, ...segment === undefined ? [] : [segment]],
    tests: [`${numberOf(length)} < ${leastLength} * seqreg_median`],
  };
}
