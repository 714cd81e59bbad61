/** What analyses have in common: finding fields, counting in the engine, closing with a chart or a reason. */
import type { DataFrame, Expr, LazyDataFrame } from "nodejs-polars";
import { listSome } from "../../contract/ledger.ts";
import { nearest } from "../../contract/options/nearest.ts";
import { Analysis, type AnalysisOptions } from "./analysis.ts";
import { type Chart, chart, type ChartMeta, type ChartSource, type ChartSpec } from "../chart/chart.ts";
import { describeRole, findRole, type Role } from "../source/roles.ts";
import { counted, does } from "../chart/words.ts";
import { type AnalysisSource, type OpenSource, openSource, type SourceColumn } from "../source/source.ts";

/** The library, as its default export has it. */
export type Polars = typeof import("nodejs-polars").default;

/** Type of a column of an analysis's frame. */
export type ColumnType = "String" | "Int64" | "Float64";

/** Columns of an analysis's frame: the same whether there are rows or not. */
export type Shape = Readonly<Record<string, ColumnType>>;

/** A row of an analysis's frame. */
export type NumberRow = Readonly<Record<string, string | number | null>>;

/** What an analysis wants. */
export interface Wanted<Needed extends Role, Useful extends Role> {
  /** What it is about, for notes when there is no chart. */
  readonly title: string;
  /** Columns of its frame. */
  readonly shape: Shape;
  /** Roles without which there is nothing to analyse. */
  readonly needs: readonly Needed[];
  /** Roles that add something. */
  readonly uses?: readonly Useful[];
}

/** Texts that say that there is no value. Compared without case and blanks around them. */
export const PLACEHOLDERS: readonly string[] = [
  "?",
  "-",
  "--",
  ".",
  "n/a",
  "na",
  "nan",
  "none",
  "null",
  "unknown",
  "unk",
  "missing",
  "not available",
  "not applicable",
  "not collected",
  "not provided",
  "unspecified",
];

/** Spellings of placeholders that are looked for in the engine: as they are, capitalised, and in capitals. */
export const PLACEHOLDER_SPELLINGS: readonly string[] = [
  ...new Set(PLACEHOLDERS.flatMap((word) => [word, word[0].toUpperCase() + word.slice(1), word.toUpperCase()])),
];

const PLACEHOLDER_SET: ReadonlySet<string> = new Set(PLACEHOLDERS);

/** An analysis under way: fields found, nothing counted. */
export class Run<Needed extends Role = Role, Useful extends Role = never> {
  readonly pl: Polars;
  readonly source: OpenSource;
  readonly notes: string[] = [];
  readonly options: AnalysisOptions;
  readonly #wanted: Wanted<Needed, Useful>;
  readonly #columns: ReadonlyMap<Role, SourceColumn>;
  /** Why there is nothing to analyse, if fields are absent. */
  readonly absent: readonly Role[];

  private constructor(
    pl: Polars,
    source: OpenSource,
    wanted: Wanted<Needed, Useful>,
    found: { readonly columns: ReadonlyMap<Role, SourceColumn>; readonly options: AnalysisOptions },
  ) {
    this.pl = pl;
    this.source = source;
    this.options = found.options;
    this.#wanted = wanted;
    this.#columns = found.columns;
    this.absent = wanted.needs.filter((role) => !found.columns.has(role));
  }

  /** Opens the source and finds the fields. */
  static async start<Needed extends Role, Useful extends Role = never>(
    source: AnalysisSource,
    options: AnalysisOptions,
    wanted: Wanted<Needed, Useful>,
  ): Promise<Run<Needed, Useful>> {
    options.signal?.throwIfAborted();
    const opened = await openSource(source, { ...options.table !== undefined && { table: options.table } });
    const columns = new Map<Role, SourceColumn>();
    for (const role of [...wanted.needs, ...wanted.uses ?? []]) {
      const column = options.fields?.[role] === undefined
        ? role === "accession" && opened.idField !== undefined
          ? opened.columns.find(({ name }) => name === opened.idField)
          : findRole(opened.columns, role)
        : namedColumn(opened, role, options.fields[role]);
      if (column !== undefined) columns.set(role, column);
    }
    const { default: pl } = await import("nodejs-polars");
    return new Run(pl, opened, wanted, { columns, options });
  }

  /** Name of the column that plays a role. */
  name(role: Needed): string {
    return this.#columns.get(role)!.name;
  }

  /** The column that plays a role, if there is one. */
  find(role: Needed | Useful): SourceColumn | undefined {
    return this.#columns.get(role);
  }

  /** The column of a role as an expression. */
  col(role: Needed): Expr {
    return this.pl.col(this.name(role));
  }

  /** Runs a query; streams, so that a lake beyond memory can be read. */
  collect(query: LazyDataFrame): DataFrame {
    this.options.signal?.throwIfAborted();
    return query.collectSync({ engine: "streaming" });
  }

  /** Number of rows. */
  countRows(query: LazyDataFrame = this.source.scan()): number {
    return Number(this.collect(query.select(this.pl.len().alias(COUNT))).toRecords()[0][COUNT]);
  }

  /** Counts rows by keys, each an expression; in the order of the keys, nulls last. */
  tally(keys: Readonly<Record<string, Expr>>, query: LazyDataFrame = this.source.scan()): TallyRow[] {
    const names = Object.keys(keys);
    const counted = this.collect(
      query.select(...names.map((name) => keys[name].alias(name))).groupBy(names).agg(this.pl.len().alias(COUNT)),
    );
    const columns = names.map((name) => counted.getColumn(name).toArray());
    const counts = counted.getColumn(COUNT).toArray();
    return counts.map((count, row) => ({ keys: columns.map((values) => values[row] ?? null), count: Number(count) }))
      .sort((a, b) => compareKeys(a.keys, b.keys));
  }

  /**
   * Counts rows by text columns. Blanks around a value do not count, and placeholders such as `?` and `unknown` are no
   * value; how many there were is said in a note.
   */
  tallyTexts(
    roles: readonly (Needed | Useful)[],
    more: Readonly<Record<string, Expr>> = {},
    query: LazyDataFrame = this.source.scan(),
  ): TallyRow[] {
    const texts = roles.map((role) => this.#columns.get(role)!.name);
    const keys = Object.fromEntries(
      texts.map((name, index) => [`key ${index}`, this.pl.col(name).cast(this.pl.String)]),
    );
    const merged = new Map<string, { keys: unknown[]; count: number }>();
    const placeholders = new Map<string, number>();
    for (const row of this.tally({ ...keys, ...more }, query)) {
      const values = row.keys.map((value, index) => {
        if (index >= texts.length || value === null) return value;
        const text = String(value).trim();
        if (!isPlaceholder(text)) return text;
        if (text !== "") placeholders.set(texts[index], (placeholders.get(texts[index]) ?? 0) + row.count);
        return null;
      });
      const key = JSON.stringify(values);
      const known = merged.get(key);
      if (known === undefined) merged.set(key, { keys: values, count: row.count });
      else known.count += row.count;
    }
    for (const [name, times] of placeholders) {
      this.note(
        `${counted(times, "values")} of ${name} ${
          does(times, "say")
        } that there is none (such as "?" or "unknown"): taken as missing`,
      );
    }
    return [...merged.values()];
  }

  /** Says something to the reader; once. */
  note(text: string): void {
    if (!this.notes.includes(text)) this.notes.push(text);
  }

  /** Makes the frame of the numbers. */
  frame(rows: readonly NumberRow[], shape: Shape = this.#wanted.shape): DataFrame {
    const { pl } = this;
    return pl.DataFrame(
      Object.entries(shape).map(([name, type]) => {
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
    const { signal } = this.options;
    signal?.throwIfAborted();
    const drawn: Chart = await chart(picture.spec, {
      ...picture.meta,
      source: this.#source(picture.counts),
      notes: this.notes,
    });
    return new Analysis({ title: picture.meta.title, frame: this.frame(rows), chart: drawn, notes: this.notes });
  }

  /** Closes without a chart; says why. */
  stop(why: string = this.#whyAbsent(), rows: readonly NumberRow[] = []): Analysis {
    const { title } = this.#wanted;
    return new Analysis({ title, frame: this.frame(rows), chart: undefined, notes: [why, ...this.notes] });
  }

  #whyAbsent(): string {
    const fields = [...new Set(this.source.columns.map(({ field }) => field))];
    const name = this.options.name ?? this.source.name ?? "the data";
    return `There is nothing to show: ${name} lacks ${this.absent.map(describeRole).join(" and ")}. Its fields are ${
      listSome(fields, 60) || "none"
    }. Name the field by the option fields, such as { fields: { ${
      this.absent[0]
    }: "…" } }, or ask for it: registry.metadata(…, { fields }) and the metadata archives have such fields.`;
  }

  #source(counts: ChartCounts): ChartSource {
    const { snapshot } = this.options;
    const name = this.options.name ?? this.source.name;
    const records = this.options.records ?? this.source.records;
    return {
      ...counts,
      ...name !== undefined && { name },
      ...records !== undefined && { records },
      ...snapshot !== undefined && { snapshot },
    };
  }
}

/** What a chart's source line counts. */
export type ChartCounts = Pick<ChartSource, "n" | "unit" | "excluded" | "missing" | "unseen">;

/** Rows that have the same keys. */
export interface TallyRow {
  /** Values of the keys, null for none. */
  readonly keys: readonly unknown[];
  /** Number of rows. */
  readonly count: number;
}

/**
 * A column as 64-bit numbers, so that millions of different texts can be told apart without holding them. Two of fifteen
 * million texts have the same number with a chance of 6 in a million; a null has one too. Another kind gives the same
 * texts other numbers.
 */
export function hashed(column: Expr, pl: Polars, kind = 1): Expr {
  // The cast changes no number: it tells the streaming engine of polars 0.54 the type, which it takes for the column's.
  return column.hash(kind, 2, 3, 4).cast(pl.UInt64);
}

const COUNT = "seqreg_count";

/** Tells whether a text, without blanks around, says that there is no value. */
export function isPlaceholder(text: string): boolean {
  return text === "" || PLACEHOLDER_SET.has(text.toLowerCase());
}

/** Sums counts. */
export function total(rows: readonly { readonly count: number }[]): number {
  return rows.reduce((sum, { count }) => sum + count, 0);
}

/** Orders by count, the greatest first, then by key: the same order wherever it runs. */
export function byCount(a: TallyRow, b: TallyRow): number {
  return b.count - a.count || compareKeys(a.keys, b.keys);
}

function compareKeys(a: readonly unknown[], b: readonly unknown[]): number {
  for (const [index, one] of a.entries()) {
    const other = b[index];
    if (one === other) continue;
    if (one === null) return 1;
    if (other === null) return -1;
    if (typeof one === "number" && typeof other === "number") {
      if (one < other) return -1;
      if (one > other) return 1;
      continue;
    }
    return String(one) < String(other) ? -1 : 1;
  }
  return 0;
}

function namedColumn({ columns }: OpenSource, role: Role, name: string): SourceColumn {
  const found = columns.find((column) => column.name === name);
  if (found !== undefined) return found;
  const names = columns.map((column) => column.name);
  throw new RangeError(
    `Cannot use ${JSON.stringify(name)} as ${role}: there is no such field; did you mean ${
      JSON.stringify(nearest(name, names))
    }?`,
  );
}
