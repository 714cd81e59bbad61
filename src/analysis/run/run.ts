/** What analyses have in common: finding fields, counting in the engine, closing with a chart or a reason. */
import type { DataFrame, Expr, LazyDataFrame } from "nodejs-polars";
import { listSome } from "@seqreg/core/contract/ledger";
import { Analysis, type AnalysisOptions } from "./analysis.ts";
import { type Chart, chart, type ChartMeta, type ChartSource, type ChartSpec } from "../chart/chart.ts";
import { describeRole, type Role } from "../source/roles.ts";
import { counted, does } from "../chart/words.ts";
import { compareKeys } from "../statistics/compare_keys.ts";
import { caseNote } from "./notes.ts";
import { notePlaceNames } from "./place_names_note.ts";
import { findColumns, type FoundColumns } from "./_find_columns.ts";
import { type NumberTexts, whyText } from "./number_texts.ts";
import { readTexts, valueWords } from "../source/text_keys.ts";
import { keyOf, missingKind, ODD_PATTERN, ODD_TEST, type OtherKeys, otherKeys, PLACEHOLDER } from "../source/texts.ts";
import type { EngineAbilities } from "@seqreg/core/engine/engine";
import { ColumnFacts } from "@seqreg/core/engine/local/column_facts";
import { collectHere } from "@seqreg/core/engine/local/local_engine";
import { chooseRecords, chosenNotes, type ChosenRecords } from "../source/chosen_records.ts";
import { withLocation } from "../source/with_location.ts";
import { type AnalysisSource, type OpenSource, openSource, type Polars } from "../source/source.ts";
import { type SourceColumn, TEXT_TYPE } from "../source/source_column.ts";
import { exactColumn } from "@seqreg/core/engine/frames";

export type { Polars };

export type ColumnType = "String" | "Int64" | "Float64";

/** Columns of an analysis's frame: the same whether there are rows or not. */
export type Shape = Readonly<Record<string, ColumnType>>;

/** A row of an analysis's frame. */
export type NumberRow = Readonly<Record<string, string | number | null>>;

export interface Wanted<Needed extends Role, Useful extends Role> {
  /** Topic, for notes without a chart. */
  readonly title: string;
  readonly shape: Shape;
  /** Roles that the analysis requires. */
  readonly needs: readonly Needed[];
  /** Roles that add something. */
  readonly uses?: readonly Useful[];
}

/** An analysis under way: fields found, nothing counted. */
export class Run<Needed extends Role = Role, Useful extends Role = never> {
  readonly pl: Polars;
  readonly source: OpenSource;
  readonly notes: string[] = [];
  readonly options: AnalysisOptions;
  /** What the engine does well that has the rows. */
  readonly abilities: EngineAbilities;
  readonly #wanted: Wanted<Needed, Useful>;
  readonly #columns: ReadonlyMap<Role, SourceColumn>;
  /** What columns of texts hold that play a role of numbers, or could. */
  readonly #read: ReadonlyMap<Role, NumberTexts>;
  readonly #chosen: ChosenRecords;
  /** Why the analysis is impossible, if fields are missing. */
  readonly absent: readonly Role[];

  private constructor(
    pl: Polars,
    wanted: Wanted<Needed, Useful>,
    options: AnalysisOptions,
    { source, columns, read }: FoundColumns,
    chosen: ChosenRecords,
  ) {
    this.pl = pl;
    this.#chosen = chosen;
    this.source = source;
    this.abilities = source.abilities;
    this.options = options;
    this.#wanted = wanted;
    this.#columns = columns;
    this.#read = read;
    this.absent = wanted.needs.filter((role) => !columns.has(role));
    for (const [role, { missing, unreadable, column }] of read) {
      if (!columns.has(role)) continue;
      this.#noteMissing(column.name, missing);
      const note = unreadable.note(`a text in ${column.name} that is not a number`);
      if (note !== undefined) this.note(note);
    }
  }

  /** Opens the source and finds the fields. */
  static async start<Needed extends Role, Useful extends Role = never>(
    source: AnalysisSource,
    options: AnalysisOptions,
    wanted: Wanted<Needed, Useful>,
  ): Promise<Run<Needed, Useful>> {
    options.signal?.throwIfAborted();
    const opened = await openSource(source, { table: options.table });
    const { default: pl } = await import("nodejs-polars");
    const all = await withLocation(pl, opened, options);
    const notes = (opened.gaps ?? []).map((gap) => `The data is incomplete: ${gap}`);
    const { source: some, chosen } = await chooseRecords(pl, all, {
      ...options,
      note: (text) => notes.push(text),
    });
    const { needs, uses = [] } = wanted;
    const found = await findColumns(pl, some, { needs, uses, options });
    const run = new Run(pl, wanted, options, found, chosen);
    for (const text of notes) run.note(text);
    return run;
  }

  name(role: Needed): string {
    return this.#columns.get(role)!.name;
  }

  find(role: Needed | Useful): SourceColumn | undefined {
    return this.#columns.get(role);
  }

  col(role: Needed): Expr {
    return exactColumn(this.pl, this.name(role));
  }

  /** Statistics of columns from local files; `undefined` where these do not hold all rows. Dispose of it when done. */
  facts(): ColumnFacts | undefined {
    return ColumnFacts.open(this.source.files);
  }

  /** Runs a query over rows of the source, where these are. */
  async collect(query: LazyDataFrame): Promise<DataFrame> {
    const { signal } = this.options;
    signal?.throwIfAborted();
    return await this.source.collect(query, { signal });
  }

  /**
   * The rows of queries over single columns, whose results have the same columns: one after the other, since many
   * columns of texts at once fill the memory; some together on an engine where each takes long to start.
   */
  async collectEach(queries: readonly LazyDataFrame[]): Promise<Record<string, unknown>[]> {
    const rows: Record<string, unknown>[] = [];
    const together = this.abilities.collectsColumns ? 1 : TOGETHER;
    for (let at = 0; at < queries.length; at += together) {
      const some = queries.slice(at, at + together);
      rows.push(...(await this.collect(some.length === 1 ? some[0] : this.pl.concat(some))).toRecords());
    }
    return rows;
  }

  /** Runs a query over a frame that was collected. */
  here(query: LazyDataFrame): DataFrame {
    this.options.signal?.throwIfAborted();
    return collectHere(query);
  }

  async countRows(query: LazyDataFrame = this.source.scan()): Promise<number> {
    return Number((await this.collect(query.select(this.pl.len().alias(COUNT)))).toRecords()[0][COUNT]);
  }

  /** Counts rows by keys, each an expression; in the order of the keys, nulls last. */
  async tally(
    keys: Readonly<Record<string, Expr>>,
    query: LazyDataFrame = this.source.scan(),
  ): Promise<TallyRow[]> {
    const names = Object.keys(keys);
    const counted = await this.collect(
      query.select(...names.map((name) => keys[name].alias(name))).groupBy(names).agg(this.pl.len().alias(COUNT)),
    );
    const columns = names.map((name) => counted.getColumn(name).toArray());
    const counts = counted.getColumn(COUNT).toArray();
    return counts.map((count, row) => ({ keys: columns.map((values) => values[row] ?? null), count: Number(count) }))
      .sort((a, b) => compareKeys(a.keys, b.keys));
  }

  /** The texts of a role's column; floats, which are whole here, are written without decimals. */
  text(role: Needed | Useful): Expr {
    const { pl } = this;
    const { name, dtype } = this.#columns.get(role)!;
    const column = exactColumn(pl, name);
    return (/^Float/.test(dtype) ? column.cast(pl.Int64, false) : column).cast(pl.String);
  }

  /** Whether the column of a role holds texts, which may have other keys than themselves. */
  isText(role: Needed | Useful): boolean {
    return TEXT_TYPE.test(this.#columns.get(role)!.dtype);
  }

  /** The texts of a role whose group has another key, with it: few of them, found among the distinct ones. */
  async otherKeys(role: Needed | Useful): Promise<OtherKeys> {
    if (!this.mayBeOdd(role)) return new Map();
    const { pl } = this;
    const texts = this.source.scan().select(this.text(role).alias(COUNT));
    // Where texts are not sent, every distinct one is read quicker than a pattern is looked for.
    const some = this.abilities.collectsColumns ? texts : texts.filter(pl.col(COUNT).str.contains(ODD_PATTERN));
    const found = (await this.collect(some.groupBy(COUNT).agg(pl.len()))).getColumn(COUNT).toArray();
    return otherKeys(found, await valueWords(this, this.#columns.get(role)!.name, found));
  }

  /** Whether the column of a role may hold texts whose key differs, by the dictionaries of its files. */
  mayBeOdd(role: Needed | Useful): boolean {
    if (!this.isText(role)) return false;
    using facts = this.facts();
    return facts?.mayHold(this.#columns.get(role)!.name, ODD_TEST) ?? true;
  }

  /** Notes how many values of a role are taken as missing, if any: placeholders and white space. */
  notePlaceholders(role: Needed | Useful, count: number): void {
    this.#noteMissing(this.#columns.get(role)!.name, count);
  }

  #noteMissing(field: string, count: number): void {
    const values = `${counted(count, "values")} of ${field} ${does(count, "say")}`;
    if (count > 0) this.note(`${values} a missing value (such as "?" or "unknown"): treated as missing`);
  }

  /** Notes which groups of a role differ in case alone; those of dates and places are read, whatever their case. */
  noteCase(role: Needed | Useful, groups: readonly { readonly name: unknown; readonly count: number }[]): void {
    if (CASELESS.has(role)) return;
    const records = new Map<string, number>();
    for (const { name, count } of groups) {
      if (typeof name === "string") records.set(name, (records.get(name) ?? 0) + count);
    }
    const note = caseNote(records, this.#columns.get(role)!.name);
    if (note !== undefined) this.note(note);
  }

  /** Counts rows by text columns, by their group keys; placeholders are null. Notes places of several names. */
  async tallyTexts(
    roles: readonly (Needed | Useful)[],
    more: Readonly<Record<string, Expr>> = {},
  ): Promise<TallyRow[]> {
    const rows = await this.tallyPlaces(roles, more);
    for (const [at, role] of roles.entries()) {
      await notePlaceNames(
        this,
        this.#columns.get(role)!.name,
        rows.map(({ keys, count }) => ({ name: keys[at], count })),
      );
    }
    return rows;
  }

  /** Counts the same where names of places are read, so that several of one place are no matter. */
  async tallyPlaces(
    roles: readonly (Needed | Useful)[],
    more: Readonly<Record<string, Expr>> = {},
  ): Promise<TallyRow[]> {
    const keys = Object.fromEntries(roles.map((role, index) => [`key ${index}`, this.text(role)]));
    return this.mergeKeys(roles, await this.tally({ ...keys, ...more }));
  }

  /** Adds up rows of {@linkcode tally} whose first keys, texts of roles, are of the same groups. */
  mergeKeys(roles: readonly (Needed | Useful)[], rows: readonly TallyRow[]): TallyRow[] {
    const merged = new Map<string, { keys: unknown[]; count: number }>();
    const placeholders = roles.map(() => 0);
    const read = roles.map((role, index) =>
      readTexts(this, { role, name: this.#columns.get(role)!.name, texts: rows.map(({ keys }) => keys[index]) })
    );
    for (const row of rows) {
      const values = row.keys.map((value, index) => {
        if (index >= roles.length || value === null) return value;
        const key = keyOf(read[index].textOf(String(value)), read[index].words);
        if (key === null && missingKind(String(value)) === PLACEHOLDER) placeholders[index] += row.count;
        return key;
      });
      const key = JSON.stringify(values);
      const known = merged.get(key);
      if (known === undefined) merged.set(key, { keys: values, count: row.count });
      else known.count += row.count;
    }
    const groups = [...merged.values()];
    for (const [index, role] of roles.entries()) {
      this.notePlaceholders(role, placeholders[index]);
      this.noteCase(role, groups.map(({ keys, count }) => ({ name: keys[index], count })));
    }
    return groups;
  }

  /** Adds a note for the reader; once. */
  note(text: string): void {
    if (!this.notes.includes(text)) this.notes.push(text);
  }

  frame(rows: readonly NumberRow[]): DataFrame {
    const { pl } = this;
    return pl.DataFrame(
      Object.entries(this.#wanted.shape).map(([name, type]) => {
        const values = rows.map((row) => row[name] ?? null);
        return type === "String"
          ? pl.Series(name, values, pl.String)
          : pl.Series(name, values, type === "Int64" ? pl.Int64 : pl.Float64);
      }),
    );
  }

  /** Closes with numbers and their chart. */
  async finish(
    rows: readonly NumberRow[],
    picture: {
      readonly spec: ChartSpec;
      readonly meta: Omit<ChartMeta, "source" | "notes">;
      readonly counts: ChartCounts;
    },
  ): Promise<Analysis> {
    const { signal, width, colours } = this.options;
    signal?.throwIfAborted();
    const { spec } = picture;
    const wide: ChartSpec = width === undefined
      ? spec
      : (plot) => ({ ...typeof spec === "function" ? spec(plot) : spec, width });
    const drawn: Chart = await chart(wide, {
      ...picture.meta,
      colours,
      source: this.#source(picture.counts),
      notes: this.notes,
    });
    return new Analysis({ title: picture.meta.title, frame: this.frame(rows), chart: drawn, notes: this.notes });
  }

  /** Which records are analysed, for an analysis without a chart, whose source line has it. */
  get filterNotes(): readonly string[] {
    return chosenNotes(this.#chosen);
  }

  /** Closes without a chart; says why. */
  stop(why: string = this.#whyAbsent(), rows: readonly NumberRow[] = []): Analysis {
    const notes = [why, ...this.filterNotes, ...this.notes];
    return new Analysis({ title: this.#wanted.title, frame: this.frame(rows), chart: undefined, notes });
  }

  #whyAbsent(): string {
    const name = this.options.name ?? this.source.name ?? "the data";
    const texts = this.absent.flatMap((role) => {
      const read = this.#read.get(role);
      return read === undefined ? [] : [whyText(role, read)];
    });
    const lacking = this.absent.filter((role) => !this.#read.has(role));
    if (lacking.length === 0) return `There is nothing to show: ${texts.join(". ")}`;
    const fields = [...new Set(this.source.columns.map(({ field }) => field))];
    return `There is nothing to show: ${[...texts, ""].join(". ")}${name} lacks ${
      lacking.map(describeRole).join(" and ")
    }. Its fields are ${listSome(fields, 60) || "none"}. Name the field by the option fields, such as { fields: { ${
      lacking[0]
    }: "…" } }, or --field ${
      lacking[0]
    }=… on the command line, or ask for it: registry.metadata(…, { fields }) and the metadata archives have such fields.`;
  }

  #source(counts: ChartCounts): ChartSource {
    const { snapshot } = this.options;
    const { unread = 0 } = this.source;
    const name = this.options.name ?? this.source.name;
    const records = this.options.records ?? this.source.records;
    const fields = [...new Set(this.#wanted.needs.flatMap((role) => this.#columns.get(role)?.field ?? []))];
    // A value that is not a number was null for the engine: left out, but not missing.
    const unreadable = [...this.#read].reduce((sum, [, { unreadable }]) => sum + unreadable.records, 0);
    const moved = Math.min(unreadable, counts.missing ?? 0);
    return {
      ...counts,
      ...moved > 0 && { missing: (counts.missing ?? 0) - moved, excluded: (counts.excluded ?? 0) + moved },
      ...unread > 0 && { unread },
      ...name !== undefined && { name },
      ...records !== undefined && { records },
      ...this.#chosen,
      ...snapshot !== undefined && { snapshot },
      ...fields.length > 0 && { fields },
    };
  }
}

/** What a chart's source line counts. */
export type ChartCounts = Pick<ChartSource, "n" | "unit" | "excluded" | "missing" | "unseen">;

/** Rows that have the same keys. */
export interface TallyRow {
  /** Values of the keys, null for none. */
  readonly keys: readonly unknown[];
  readonly count: number;
}

const COUNT = "seqreg_count";
/** Roles whose values are read, so that upper and lower case make no other group. */
const CASELESS: ReadonlySet<Role> = new Set(["collectionDate", "releaseDate", "country", "submitterCountry"]);
/** Queries that Spark answers as one. It plans all stages anew after each, so many at once take longer. */
const TOGETHER = 4;

export function total(rows: readonly { readonly count: number }[]): number {
  return rows.reduce((sum, { count }) => sum + count, 0);
}

/** Orders by count, the greatest first, then by key: the same order wherever it runs. */
export function byCount(a: TallyRow, b: TallyRow): number {
  return b.count - a.count || compareKeys(a.keys, b.keys);
}
