/**
 * A lake that is read: lazy frames, SQL, tables with a ledger, joins by accession.
 *
 * @module
 */
import type { DataFrame, Expr, LazyDataFrame } from "nodejs-polars";
import { join } from "node:path";
import { RegistryError } from "../errors.ts";
import { closeLedger, type Ledger, listSome, type Problem } from "../spec/ledger.ts";
import { nearest } from "../spec/nearest.ts";
import { isDate } from "./_cast_expressions.ts";
import { quoteValue } from "./_columns.ts";
import { escapeGlob } from "./_glob.ts";
import { LakeSql, type SqlParameters } from "./_lake_sql.ts";
import { buildProblemsFrame, loadPolars, type Polars } from "./_polars.ts";
import { type BuiltTable, lakeTables } from "./build_lake.ts";
import { castText } from "./cast.ts";
import type { LakeColumn, LakeManifest } from "./lake_manifest.ts";
import type { TypedTable, WriteTableOptions } from "./table.ts";
import { writeFrame } from "./write_frame.ts";

/** Options of {@linkcode Lake.table}. */
export interface LakeTableOptions {
  /** Which table; the main one by default. */
  readonly table?: string;
  /** Columns wanted, in this order; all by default. */
  readonly columns?: readonly string[];
  /** Most problems that are kept in full; 100,000 by default. All are counted. */
  readonly maxProblems?: number;
  /** Ends the work with the signal's reason. */
  readonly signal?: AbortSignal;
}

/** A table of a lake with its ledger. Its frame is read from Parquet when asked for. */
export type LakeTable = Omit<TypedTable, "texts">;

/** Two tables of a lake joined by accession, and what has no partner on either side. */
export interface LakeJoin {
  /** Metadata columns, then those of the sequences. Lazy: nothing is read yet. */
  scan(): LazyDataFrame;
  /** Accessions with metadata and no sequence. */
  readonly withoutSequence: readonly string[];
  /** Accessions with a sequence and no metadata. */
  readonly withoutMetadata: readonly string[];
  /** Received: pairs. Complete when nothing is without a partner. */
  readonly ledger: Ledger;
}

/** Options of {@linkcode Lake.join}. */
export interface LakeJoinOptions {
  /** Metadata table; the main one by default. */
  readonly metadata?: string;
  /** Sequence table; that of the same archive set by default. */
  readonly sequences?: string;
  /** Whether letters come too; `drop` by default, which leaves length, gc and ambiguous. */
  readonly sequence?: "keep" | "drop";
}

/** A lake that is open. Close it when done: `await using lake = await openLake(…)`. */
export interface Lake extends AsyncDisposable {
  /** Folder of the lake. */
  readonly folder: string;
  /** Every table, by name. */
  readonly tables: ReadonlyMap<string, LakeManifest>;
  /** Name of the table that is meant when none is named: all metadata, else the first metadata table, else the first. */
  readonly main: string;
  /**
   * Columns of the main table as polars expressions, for completion; a wrong name says which was meant.
   *
   * @throws {RangeError} On reading a name that is no column.
   */
  readonly fields: Readonly<Record<string, Expr>>;
  /** Rows of a table, lazily. Columns are called by public field names. @throws {RangeError} If there is no such table. */
  scan(table?: string): LazyDataFrame;
  /** One column of a table as a polars expression. @throws {RangeError} If there is none; says which was meant. */
  column(name: string, table?: string): Expr;
  /** Columns of a table with ledger and problems. @throws {RangeError} If the table or a column is not there. */
  table(options?: LakeTableOptions): Promise<LakeTable>;
  /**
   * Runs one SQL statement that only reads. Each table is a view of its name, the main one also `lake`; nothing outside
   * the lake's folder can be reached.
   *
   * @param text One SELECT; values stand as `?` or `$name`.
   * @throws {TypeError} If the statement is wrong, or does more than read.
   */
  sql(
    text: string,
    parameters?: SqlParameters,
    options?: { readonly signal?: AbortSignal },
  ): Promise<DataFrame>;
  /** Metadata joined to sequences by accession, with both anti-joins. @throws {RangeError} If a table is not there. */
  join(options?: LakeJoinOptions): Promise<LakeJoin>;
  /** Metadata of the representatives of clusters, lazily. @throws {RangeError} If the lake has none. */
  representatives(): LazyDataFrame;
  /**
   * Metadata of the members of one cluster, with the columns of the comparison metrics, lazily.
   *
   * @param cluster The cluster's name or the accession of its representative.
   * @throws {RangeError} If the lake has no comparison metrics or no metadata.
   */
  members(cluster: string): LazyDataFrame;
}

/**
 * Opens a lake that {@linkcode buildLake} built.
 *
 * @param folder Its folder.
 * @throws {RegistryError} With code `disk` if there is no such folder, or no table in it.
 * @throws {ParseError} If a manifest is damaged.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { gzipSync } from "node:zlib";
 * import pl from "nodejs-polars";
 * import { buildLake } from "./build_lake.ts";
 * import { openLake } from "./open_lake.ts";
 *
 * const folder = await Deno.makeTempDir();
 * await Deno.writeFile(`${folder}/a.csv.gz`, gzipSync("Registry Accession,Country\nvj000000000001,Kenya\n"));
 * await buildLake(`${folder}/a.csv.gz`, `${folder}/lake`);
 * {
 *   await using lake = await openLake(`${folder}/lake`);
 *   const kenya = await lake.scan().filter(lake.column("Country").eq(pl.lit("Kenya"))).collect();
 *   assertEquals(kenya.height, 1);
 *   assertEquals((await lake.sql("SELECT count(*) AS n FROM lake")).toRecords(), [{ n: 1 }]);
 * }
 * await Deno.remove(folder, { recursive: true });
 * ```
 */
export async function openLake(folder: string): Promise<Lake> {
  const found = await findTables(folder);
  const pl = await loadPolars();
  return new OpenLake(folder, found, pl);
}

async function findTables(folder: string): Promise<BuiltTable[]> {
  let tables: BuiltTable[];
  try {
    tables = await lakeTables(folder);
  } catch (cause) {
    if (!(cause instanceof Deno.errors.NotFound) && !(cause instanceof Deno.errors.NotADirectory)) throw cause;
    throw new RegistryError("disk", `Cannot open the lake ${folder}: there is no such folder; build it first`, {
      cause,
    });
  }
  if (tables.length > 0) return tables;
  throw new RegistryError("disk", `Cannot open the lake ${folder}: no table is in it; build it first`);
}

class OpenLake implements Lake {
  readonly folder: string;
  readonly tables: ReadonlyMap<string, LakeManifest>;
  readonly main: string;
  readonly fields: Readonly<Record<string, Expr>>;
  readonly #built: ReadonlyMap<string, BuiltTable>;
  readonly #pl: Polars;
  #sql: Promise<LakeSql> | undefined;

  constructor(folder: string, built: readonly BuiltTable[], pl: Polars) {
    this.folder = folder;
    this.#pl = pl;
    this.#built = new Map(built.map((table) => [table.manifest.table, table]));
    this.tables = new Map(built.map(({ manifest }) => [manifest.table, manifest]));
    const manifests = [...this.tables.values()];
    const main = this.tables.get("full_dataset_metadata") ??
      manifests.find(({ kind, idField }) => kind === "metadata" && idField !== null) ?? manifests[0];
    this.main = main.table;
    this.fields = this.#accessor(main);
  }

  scan(table: string = this.main): LazyDataFrame {
    const { manifest } = this.#find(table);
    return this.#scanAll(table).select(...manifest.columns.map(({ name }) => this.#pl.col(name)));
  }

  column(name: string, table: string = this.main): Expr {
    return this.#pl.col(this.#column(this.#find(table).manifest, name).name);
  }

  async table(options: LakeTableOptions = {}): Promise<LakeTable> {
    const { manifest } = this.#find(options.table ?? this.main);
    const columns = options.columns === undefined
      ? manifest.columns
      : options.columns.map((name) => this.#column(manifest, name));
    const { maxProblems = 100_000, signal } = options;
    signal?.throwIfAborted();
    const fields = new Set(columns.map(({ field }) => field));
    const misfits = Object.entries(manifest.misfits).filter(([field]) => fields.has(field));
    const problems: Problem[] = manifest.problems.slice(0, maxProblems);
    for (const [field, count] of misfits) {
      signal?.throwIfAborted();
      const room = Math.min(count, maxProblems - problems.length);
      if (room > 0) problems.push(...await this.#misfits(manifest, field, room));
    }
    const count = misfits.reduce((sum, [, each]) => sum + each, 0) +
      Math.max(manifest.unparsed, manifest.problems.length);
    const ledger = ledgerOf(manifest, misfits, { listed: problems.length, count });
    return this.#lakeTable(manifest, columns, { problems, problemCount: count, ledger });
  }

  async sql(
    text: string,
    parameters: SqlParameters = [],
    options: { readonly signal?: AbortSignal } = {},
  ): Promise<DataFrame> {
    const opening = this.#sql ??= LakeSql.open(this.folder, [...this.#built.values()], this.main);
    opening.catch(() => {
      if (this.#sql === opening) this.#sql = undefined;
    });
    return await (await opening).query(text, parameters, options.signal);
  }

  async join(options: LakeJoinOptions = {}): Promise<LakeJoin> {
    const { sequence = "drop" } = options;
    const metadata = this.#find(options.metadata ?? this.main).manifest;
    const sequences = this.#find(options.sequences ?? this.#partner(metadata)).manifest;
    const [left, right] = [idOf(metadata), idOf(sequences)];
    const pl = this.#pl;
    const ids = (table: string, id: string) => this.#scanAll(table).select(pl.col(id).alias("id"));
    const without = async (one: LazyDataFrame, other: LazyDataFrame): Promise<string[]> =>
      (await one.join(other, { on: "id", how: "anti" }).collect()).getColumn("id").toArray().map(String);
    const withoutSequence = await without(ids(metadata.table, left), ids(sequences.table, right));
    const withoutMetadata = await without(ids(sequences.table, right), ids(metadata.table, left));
    const kept = sequences.columns.filter(({ name }, index) =>
      name !== right && (sequence === "keep" || index !== sequences.columns.length - 1)
    );
    const scan = () =>
      this.scan(metadata.table).join(
        this.scan(sequences.table).select(pl.col(right).alias(left), ...kept.map(({ name }) => pl.col(name))),
        { on: left, how: "inner" },
      );
    const pairs = Number((await scan().select(pl.len().alias("n")).collect()).getColumn("n").toArray()[0] ?? 0);
    const reason = (names: readonly string[], what: string) =>
      names.length === 0 ? [] : [`${names.length} records ${what}: ${listSome(names, 20)}`];
    const ledger = closeLedger({
      received: pairs,
      reasons: [
        ...reason(withoutSequence, "have metadata and no sequence"),
        ...reason(withoutMetadata, "have a sequence and no metadata"),
      ],
    });
    return { scan, withoutSequence, withoutMetadata, ledger };
  }

  representatives(): LazyDataFrame {
    if (this.tables.has("votu_clusters_metadata")) return this.scan("votu_clusters_metadata");
    const { representative } = this.#metrics();
    const metadata = this.#find(this.main).manifest;
    const id = idOf(metadata);
    const ids = this.scan("votu_cluster_comparison_metrics").select(this.#pl.col(representative).alias(id)).unique();
    return this.scan(metadata.table).join(ids, { on: id, how: "semi" });
  }

  members(cluster: string): LazyDataFrame {
    const { representative, member, names } = this.#metrics();
    const metadata = this.#find(this.main).manifest;
    const id = idOf(metadata);
    const pl = this.#pl;
    const meant = [representative, ...names].map((name) => pl.col(name).eq(pl.lit(cluster)))
      .reduce((one, other) => one.or(other));
    const rows = this.scan("votu_cluster_comparison_metrics").filter(meant).withColumns(pl.col(member).alias(id));
    return this.scan(metadata.table).join(rows, { on: id, how: "inner", suffix: " (metrics)" });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const sql = await this.#sql;
    this.#sql = undefined;
    await sql?.[Symbol.asyncDispose]();
  }

  #find(table: string): BuiltTable {
    const found = this.#built.get(table);
    if (found !== undefined) return found;
    throw new RangeError(
      `Cannot read the table ${JSON.stringify(table)}: the lake has ${
        [...this.tables.keys()].join(", ")
      }; did you mean ${nearest(table, [...this.tables.keys()])}?`,
    );
  }

  #column({ table, columns }: LakeManifest, name: string): LakeColumn {
    const found = columns.find((column) => column.name === name);
    if (found !== undefined) return found;
    throw new RangeError(
      `Cannot read the column ${JSON.stringify(name)}: ${table} has none of that name; did you mean ${
        JSON.stringify(nearest(name, columns.map((column) => column.name)))
      }?`,
    );
  }

  #accessor(manifest: LakeManifest): Readonly<Record<string, Expr>> {
    const fields: Record<string, Expr> = Object.fromEntries(
      manifest.columns.map(({ name }) => [name, this.#pl.col(name)]),
    );
    return new Proxy(Object.freeze(fields), {
      get: (target, name) =>
        // What consoles and promises ask of any object is no misspelt column.
        typeof name === "symbol" || name === "then" || name === "toJSON" || Object.hasOwn(target, name)
          ? Reflect.get(target, name)
          : this.column(name),
    });
  }

  /** All columns, those of raw texts too. */
  #scanAll(table: string): LazyDataFrame {
    return this.#pl.scanParquet(join(escapeGlob(this.#find(table).folder), "part-*.parquet"), { cache: false });
  }

  /** The sequence table that belongs to a metadata table: of the same archive set, else the only one. */
  #partner({ table }: LakeManifest): string {
    const sequences = [...this.tables.values()].filter(({ kind }) => kind === "sequence");
    const same = sequences.find((other) => other.table === table.replace(/metadata$/, "sequence"));
    const partner = same ?? (sequences.length === 1 ? sequences[0] : undefined);
    if (partner !== undefined) return partner.table;
    throw new RangeError(
      `Cannot join ${table} to sequences: name one of ${listSome(sequences.map((s) => s.table), 20) || "none"}`,
    );
  }

  /** Which columns of the metrics hold what: by their names, which the specification does not show, else by their place. */
  #metrics(): { representative: string; member: string; names: string[] } {
    const { columns } = this.#find("votu_cluster_comparison_metrics").manifest;
    const texts = columns.filter(({ dtype }) => dtype === "String").map(({ name }) => name);
    const representative = texts.find((name) => /representative/i.test(name));
    const member = texts.find((name) => /member/i.test(name));
    if (representative === undefined || member === undefined) {
      throw new RangeError(
        `Cannot tell representatives from members: expected columns of such names, found ${
          texts.join(", ")
        }; use scan() or sql()`,
      );
    }
    return { representative, member, names: texts.filter((name) => /cluster|votu/i.test(name)) };
  }

  /** Values of one field that do not fit, in the order of the rows. */
  async #misfits(manifest: LakeManifest, field: string, most: number): Promise<Problem[]> {
    const pl = this.#pl;
    const column = this.#column(manifest, field);
    const definition = manifest.definitions.find(({ name }) => name === field) ?? { type: column.type, unit: "" };
    const raw = column.raw ?? field;
    const isMisfit = column.raw === undefined
      ? isDate(pl, pl.col(field)).not()
      : pl.col(raw).isNotNull().and(pl.col(field).isNull());
    const { idField } = manifest;
    const frame = await this.#scanAll(manifest.table).withRowIndex("row", 1)
      .filter(isMisfit).limit(most)
      .select(pl.col("row"), pl.col(raw).alias("value"), ...idField === null ? [] : [pl.col(idField).alias("id")])
      .collect();
    return frame.toRecords().map(({ row, value, id }) => {
      const cast = castText(String(value), definition);
      return {
        row: Number(row),
        ...typeof id === "string" && { id },
        field,
        value: quoteValue(String(value)),
        reason: cast.fits ? "does not fit" : cast.reason,
        kept: column.type === "date",
      };
    });
  }

  #lakeTable(
    manifest: LakeManifest,
    columns: readonly LakeColumn[],
    parts: Pick<LakeTable, "problems" | "problemCount" | "ledger">,
  ): LakeTable {
    let frame: Promise<DataFrame> | undefined;
    const pl = this.#pl;
    const read = () =>
      frame ??= this.#scanAll(manifest.table).select(...columns.map(({ name }) => pl.col(name))).collect();
    const write = async (path: string, format: "csv" | "tsv" | "parquet", options?: WriteTableOptions) =>
      await writeFrame(await read(), path, { ...options, format });
    const rawOf = ({ name, raw }: LakeColumn) =>
      raw === undefined ? pl.col(name).cast(pl.String) : pl.col(raw).fillNull(pl.col(name).cast(pl.String)).alias(name);
    return {
      ...parts,
      columns: columns.map(({ raw: _, ...column }) => column),
      rows: manifest.rows,
      frame: read,
      rawFrame: () => {
        const own = columns.filter(({ name, field }) => name === field);
        const lists = own.filter(({ type }) => type === "list").map(({ name }) => pl.col(name).lst.join(";"));
        const scanned = this.#scanAll(manifest.table);
        return (lists.length === 0 ? scanned : scanned.withColumns(...lists)).select(...own.map(rawOf)).collect();
      },
      problemsFrame: () => buildProblemsFrame(parts.problems),
      toCSV: (path, options) => write(path, "csv", options),
      toTSV: (path, options) => write(path, "tsv", options),
      toParquet: (path, options) => write(path, "parquet", options),
    };
  }
}

function idOf({ table, idField }: LakeManifest): string {
  if (idField !== null) return idField;
  throw new RangeError(`Cannot join ${table}: it has no column of accessions`);
}

function ledgerOf(
  manifest: LakeManifest,
  misfits: readonly (readonly [field: string, count: number])[],
  { listed, count }: { readonly listed: number; readonly count: number },
): Ledger {
  const type = (field: string) => manifest.columns.find(({ name }) => name === field)?.type ?? "string";
  const warnings = misfits.map(([field, each]) =>
    `${each} ${each === 1 ? "value does" : "values do"} not fit ${field}, declared ${type(field)}: ${
      type(field) === "date" ? "kept as text" : "empty in the frame, raw in the problems"
    }`
  );
  if (manifest.unique < manifest.rows) warnings.push(`${manifest.rows - manifest.unique} records came more than once`);
  if (listed < count) warnings.push(`only the first ${listed} of ${count} problems are listed`);
  return closeLedger({
    received: manifest.rows,
    unique: manifest.unique,
    unparsed: manifest.unparsed,
    warnings,
  });
}
