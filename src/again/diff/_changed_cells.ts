/** Reads the rows that `_differing_rows.ts` found, in the order of their keys, and compares them cell by cell. */
import type { FieldType } from "@seqreg/core/contract";
import { missingWord, readValue, trimWhiteSpace } from "@seqreg/core/contract/values";
import { findValueWords, mayBeValue, valueKindOf } from "@seqreg/core/contract/values/value_words";
import { type ScratchSql, sqlName, sqlText } from "@seqreg/core/engine/local/scratch_sql";
import { isList } from "../columns.ts";
import { type ComparedTables, nameIn, type Version, VERSIONS } from "./_compared_tables.ts";
import type { SideColumn } from "../open_side.ts";
import { compareSequences, digestOf } from "./_sequence_change.ts";
import { type ChangedField, howChanged } from "./how_changed.ts";
import type { RenamedColumn } from "./propose_renames.ts";
import type { ChangedValue, FieldChange, RecordChange } from "./record_change.ts";

/** Records whose changes are held in memory at a time. */
const RECORDS_AT_ONCE = 10_000;

/** The same of records with sequences. */
const SEQUENCES_AT_ONCE = 64;

/** Values from which the type of a text column is inferred, and the share of them that has to fit. */
const SAMPLED_VALUES = 10_000;
const FITTING_SHARE = 0.9;

/** A cell of both versions as it stands in the files, and the texts that a typed column does not hold. */
interface CellPair {
  readonly old: unknown;
  readonly oldText: string | null;
  readonly now: unknown;
  readonly newText: string | null;
}

/** Compares the cells of suspect rows. One for each pair of tables. */
export class ChangedCells {
  readonly #sql: ScratchSql;
  readonly #tables: ComparedTables;
  readonly #suspects: readonly RenamedColumn[];
  readonly #types = new Map<string, ChangedField>();
  readonly #words = new Map<string, Promise<ReadonlySet<string>>>();

  /** Takes the columns among which those are whose cells differ. */
  constructor(sql: ScratchSql, tables: ComparedTables, suspects: readonly RenamedColumn[]) {
    this.#sql = sql;
    this.#tables = tables;
    this.#suspects = suspects;
  }

  /** Yields what differs, sorted by key; a record whose cells turn out to be equal is left out. */
  async *read(): AsyncGenerator<RecordChange> {
    const { before, after } = this.#tables;
    const size = before.sequence === undefined && after.sequence === undefined ? RECORDS_AT_ONCE : SEQUENCES_AT_ONCE;
    const [[total]] = await this.#sql.all("SELECT count(*) FROM work");
    const columns = await this.#differingColumns();
    for (let from = 0; from < Number(total); from += size) yield* this.#readRange([from, from + size], columns);
  }

  /** The columns with a cell that differs, or that may differ by a text that a typed column does not hold. */
  async #differingColumns(): Promise<readonly RenamedColumn[]> {
    const { before, after } = this.#tables;
    const columns = this.#suspects;
    // Sequences are too long to be compared one more time, and such tables have few columns.
    if (before.sequence !== undefined || after.sequence !== undefined || columns.length === 0) return columns;
    const counts = columns.map((pair) => `count(*) FILTER (WHERE ${this.#differs(pair)})`).join(", ");
    const [cells] = await this.#sql.all(`SELECT ${counts} FROM old_rows o JOIN new_rows n ON o.idx = n.idx`);
    const textsOf = (version: Version, other: Version) =>
      `(SELECT * FROM ${version}_raw EXCEPT SELECT * FROM ${other}_raw)`;
    const rows = await this.#sql.all(
      `SELECT DISTINCT field FROM (${textsOf("old", "new")} UNION ALL ${textsOf("new", "old")}) ` +
        "SEMI JOIN (SELECT idx FROM work WHERE kind = 'changed') USING (idx)",
    );
    const texts = new Set(rows.map(([field]) => String(field)));
    // The texts of a renamed column have another name in each version.
    return columns.filter(([old, now], index) => Number(cells[index]) > 0 || old !== now || texts.has(now));
  }

  async *#readRange(
    [from, to]: readonly [number, number],
    columns: readonly RenamedColumn[],
  ): AsyncGenerator<RecordChange> {
    const fields = new Map<number, Record<string, FieldChange>>();
    const put = (idx: number, field: string, change: FieldChange) => {
      const record = fields.get(idx) ?? emptyFields();
      record[field] = change;
      fields.set(idx, record);
    };
    for (const pair of columns) await this.#comparePair(pair, [from, to], put);
    for (const version of VERSIONS) await this.#readWhole(version, [from, to], put);
    const rows = await this.#sql.all(
      "SELECT idx, key, kind FROM work WHERE idx >= $1 AND idx < $2 AND kind IN ('added', 'removed', 'changed') ORDER BY idx",
      [BigInt(from), BigInt(to)],
    );
    // What counts these records later must not take them for changed.
    const equal = rows.filter(([idx, , kind]) => kind === "changed" && !fields.has(Number(idx))).map(([idx]) => idx);
    if (equal.length > 0) await this.#sql.run(`UPDATE work SET kind = 'equal' WHERE idx IN (${equal.join(", ")})`);
    for (const [idx, key, kind] of rows) {
      const changed = fields.get(Number(idx));
      if (kind === "changed" && changed === undefined) continue;
      yield {
        table: this.#tables.after.name,
        kind: kind as RecordChange["kind"],
        key: String(key),
        fields: changed ?? emptyFields(),
      };
    }
  }

  /** Compares one column of the records that are in both versions. */
  async #comparePair(pair: RenamedColumn, [from, to]: readonly [number, number], put: PutChange): Promise<void> {
    const [before, after] = pair;
    const [o, n] = [this.#shown(pair, "old"), this.#shown(pair, "new")];
    const hasTexts = this.#tables.before.raw.length + this.#tables.after.raw.length > 0;
    const differs = this.#differs(pair);
    const rows = "old_rows o JOIN new_rows n ON o.idx = n.idx";
    const isIn = "o.idx >= $1 AND o.idx < $2 AND n.idx >= $1 AND n.idx < $2";
    const query = hasTexts
      ? `SELECT o.idx, ${o}, ${n}, ot.value, nt.value FROM ${rows} ` +
        `LEFT JOIN old_raw ot ON ot.idx = o.idx AND ot.field = ${sqlText(before)} ` +
        `LEFT JOIN new_raw nt ON nt.idx = o.idx AND nt.field = ${sqlText(after)} ` +
        `WHERE ${isIn} AND (${differs} OR ot.value IS DISTINCT FROM nt.value)`
      : `SELECT o.idx, ${o}, ${n} FROM ${rows} WHERE ${isIn} AND ${differs}`;
    const isSequence = after === this.#tables.after.sequence && before === this.#tables.before.sequence;
    for await (const batch of this.#sql.stream(query, [BigInt(from), BigInt(to)])) {
      const [ids, old, now] = [0, 1, 2].map((index) => batch.column(index));
      const [oldTexts, newTexts] = hasTexts ? [3, 4].map((index) => batch.column(index)) : [[], []];
      for (let row = 0; row < batch.rows; row++) {
        const change = isSequence
          ? compareSequences(textOf(old[row]), textOf(now[row]))
          : await this.#compareCell(pair, {
            old: old[row],
            now: now[row],
            oldText: (oldTexts[row] ?? null) as string | null,
            newText: (newTexts[row] ?? null) as string | null,
          });
        if (change !== undefined) put(Number(ids[row]), after, change);
      }
    }
  }

  async #compareCell(pair: RenamedColumn, { old, now, oldText, newText }: CellPair): Promise<FieldChange | undefined> {
    const [before, after] = [oldText ?? textOf(old), newText ?? textOf(now)];
    if (before === after) return undefined;
    const how = howChanged(before, after, await this.#fieldOf(pair));
    return how && { old: oldText ?? valueOf(old), new: newText ?? valueOf(now), how };
  }

  /** Puts every value of a record that is in one version alone. */
  async #readWhole(version: Version, [from, to]: readonly [number, number], put: PutChange): Promise<void> {
    const side = version === "old" ? this.#tables.before : this.#tables.after;
    const kind = version === "old" ? "removed" : "added";
    const names = side.columns.map(({ name }) => name)
      .filter((name) => this.#tables.key === undefined || name !== nameIn(this.#tables.key, version));
    const cells = names.map((name) => `, r.${sqlName(name)}`).join("");
    const range = [BigInt(from), BigInt(to)];
    const isIn = `w.kind = '${kind}' AND w.idx >= $1 AND w.idx < $2`;
    const putValue = (idx: number, name: string, value: ChangedValue, words: ReadonlySet<string>) => {
      if (value === null) return;
      const change = version === "old" ? { old: value, new: null } : { old: null, new: value };
      const isPlaceholder = typeof value === "string" && missingWord(value) && !words.has(trimWhiteSpace(value));
      put(idx, name, { ...change, how: isPlaceholder ? "placeholder" : "value" });
    };
    for await (
      const batch of this.#sql.stream(
        `SELECT w.idx${cells} FROM ${version}_whole r JOIN work w ON r.idx = w.idx WHERE ${isIn}`,
        range,
      )
    ) {
      const ids = batch.column(0);
      for (const [index, name] of names.entries()) {
        const values = batch.column(index + 1);
        const words = await this.#wordsAmong(values, version, name);
        for (let row = 0; row < batch.rows; row++) {
          const value = valueOf(values[row]);
          const shown = name === side.sequence && value !== null ? digestOf(String(value)) : value;
          putValue(Number(ids[row]), name, shown, words);
        }
      }
    }
    const texts = await this.#sql.all(
      `SELECT w.idx, r.field, r.value FROM ${version}_raw r JOIN work w ON r.idx = w.idx WHERE ${isIn}`,
      range,
    );
    for (const [idx, field, value] of texts) {
      const words = await this.#wordsAmong([value], version, String(field));
      putValue(Number(idx), String(field), valueOf(value), words);
    }
  }

  /** A cell in SQL, a list as the text that it was. */
  #shown(pair: RenamedColumn, version: Version): string {
    const name = `${version[0]}.${sqlName(nameIn(pair, version))}`;
    return isList(this.#column(pair, version)?.dtype) ? `array_to_string(${name}, ';')` : name;
  }

  /** The condition in SQL that the cells of a column differ. */
  #differs(pair: RenamedColumn): string {
    const [o, n] = [this.#shown(pair, "old"), this.#shown(pair, "new")];
    const isSame = this.#column(pair, "old")?.dtype === this.#column(pair, "new")?.dtype;
    return isSame ? `${o} IS DISTINCT FROM ${n}` : `${o}::VARCHAR IS DISTINCT FROM ${n}::VARCHAR`;
  }

  #column(pair: RenamedColumn, version: Version): SideColumn | undefined {
    const side = version === "old" ? this.#tables.before : this.#tables.after;
    return side.columns.find(({ name }) => name === nameIn(pair, version));
  }

  /** The type by which values of a column are read: declared in either version, else what most old values are. */
  async #fieldOf(pair: RenamedColumn): Promise<ChangedField> {
    const known = this.#types.get(pair[1]);
    if (known !== undefined) return known;
    const columns = VERSIONS.map((version) => this.#column(pair, version));
    const declared = columns.find((column) => column?.type !== undefined && column.type !== "string") ??
      columns.find((column) => column?.type !== undefined);
    const { type, unit } = declared ?? { type: await this.#inferType(pair), unit: undefined };
    const field = {
      ...type !== undefined && { type },
      ...unit !== undefined && { unit },
      ...type === "string" && { valueWords: await this.#valueWords(pair) },
    };
    this.#types.set(pair[1], field);
    return field;
  }

  /** The words for missing among some values of one version that are values of their column. */
  async #wordsAmong(values: readonly unknown[], version: Version, name: string): Promise<ReadonlySet<string>> {
    if (valueKindOf(name) === undefined || !values.some(mayBeValue)) return new Set();
    const pair = this.#tables.columns.find((pair) => nameIn(pair, version) === name);
    return await this.#valueWords(pair ?? (version === "old" ? [name, undefined] : [undefined, name]));
  }

  /** Words for missing that are values of a column, in the company of the versions that have it. */
  #valueWords(pair: readonly [old: string | undefined, now: string | undefined]): Promise<ReadonlySet<string>> {
    const key = JSON.stringify(pair);
    const words = this.#words.get(key) ?? this.#findValueWords(pair);
    this.#words.set(key, words);
    return words;
  }

  async #findValueWords([old, now]: readonly [string | undefined, string | undefined]): Promise<ReadonlySet<string>> {
    const kind = valueKindOf(now ?? old ?? "");
    if (kind === undefined) return new Set();
    const texts: unknown[] = [];
    for (const [name, { files }] of [[old, this.#tables.before], [now, this.#tables.after]] as const) {
      if (name === undefined) continue;
      const from = await this.#sql.parquet(files);
      const rows = await this.#sql.all(`SELECT DISTINCT ${sqlName(name)}::VARCHAR FROM ${from}`);
      texts.push(...rows.map(([text]) => text));
    }
    return findValueWords(kind, texts);
  }

  async #inferType(pair: RenamedColumn): Promise<FieldType> {
    const name = sqlName(nameIn(pair, "old"));
    const rows = await this.#sql.all(
      `SELECT DISTINCT ${name}::VARCHAR FROM (SELECT ${name} FROM ${await this.#sql.parquet(
        this.#tables.before.files,
      )} ` +
        `WHERE ${name} IS NOT NULL LIMIT ${SAMPLED_VALUES})`,
    );
    const texts = rows.map(([text]) => String(text)).filter((text) => missingWord(text) === undefined);
    const fits = (type: FieldType) => {
      const fitting = texts.filter((text) => readValue(text, { type, unit: "" }).kind === "value").length;
      return texts.length > 0 && fitting >= FITTING_SHARE * texts.length;
    };
    // A year alone is a whole number as well: only other forms make a column one of dates.
    const isYear = texts.every((text) => /^\d{4}$/.test(text.trim()));
    return (["integer", "float", "date", "boolean"] as const)
      .find((type) => fits(type) && !(isYear && type !== "date")) ?? "string";
  }
}

type PutChange = (idx: number, field: string, change: FieldChange) => void;

/** Names of fields are the user's: none of them may reach the prototype. */
function emptyFields(): Record<string, FieldChange> {
  return Object.create(null);
}

/** The text of a typed cell, as the archive had it; null for none. */
function textOf(value: unknown): string | null {
  return value === null || value === undefined || value === "" ? null : String(value);
}

function valueOf(value: unknown): ChangedValue {
  if (typeof value === "number" || typeof value === "boolean") return value;
  if (typeof value === "bigint") return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  if (typeof value === "object" && value !== null && "items" in value && Array.isArray(value.items)) {
    return value.items.map(String).join(";");
  }
  return textOf(value);
}
