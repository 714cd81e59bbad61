/** A lake that is read: lazy frames, SQL, tables with a ledger, joins by accession. */
import type { DataFrame, Expr, LazyDataFrame } from "nodejs-polars";
import {
  type Engine,
  ENGINE_QUERY_OPTIONS,
  type EngineQueryOptions,
  isEngine,
  type SqlParameters,
} from "../../../engine/engine.ts";
import { adviseName } from "../../../options/nearest.ts";
import { idOf, joinSequences, partnerOf } from "./_lake_join.ts";
import { hasChecksums, readingTables } from "./check_lake.ts";
import { findLakeTables } from "./find_lake_tables.ts";
import { LakeEngine } from "./_lake_engine.ts";
import { formatObjectAddress, isObjectAddress, parseObjectAddress } from "../../../io/objects/object_address.ts";
import { type ObjectStoreOptions, STORE_RULE } from "../../../io/objects/store_options.ts";
import { isObjectTable } from "../objects/object_table.ts";
import { readLakeTable, scanTable } from "./_lake_table.ts";
import { lakeValues } from "./lake_values.ts";
import { tellValues } from "../../../io/tasks/tell_values.ts";
import { sqlNames } from "../../../engine/local/sql_names.ts";
import { listSome, quoteValue } from "../../../contract/ledger.ts";
import { loadPolars, type Polars } from "../../types/polars.ts";
import { type BuiltTable, LAKE_RULE } from "../build/lake_layout.ts";
import type { Lake, LakeCheck, LakeJoin, LakeJoinOptions, LakeTable, LakeTableOptions, Recipe } from "./lake.ts";
import type { LakeColumn, LakeManifest } from "../build/lake_manifest.ts";
import type { OptionRules } from "../../../options/option_rule.ts";
import * as rule from "../../../options/rules.ts";
import { checkArgument, checkOptions } from "../../../options/check_options.ts";
import { LAKE_CHECK_OPTIONS, LAKE_JOIN_OPTIONS, LAKE_TABLE_OPTIONS } from "./lake.ts";
import { type LedgerEntry, noteEntry, textsOf } from "../../../contract/ledger_entries.ts";
import { exactColumn } from "../../../engine/frames/frame_members.ts";

export type { Lake, LakeJoin, LakeJoinOptions, LakeTable, LakeTableOptions } from "./lake.ts";

/** Options of {@linkcode openLake}. */
export interface OpenLakeOptions {
  /** What runs the queries; polars and DuckDB in this process by default. */
  readonly engine?: Engine;
  /** Region, endpoint and key of the object store, where the lake is in one; the environment's by default. */
  readonly store?: ObjectStoreOptions;
  /** Called once, when the lake is closed. */
  readonly onClose?: () => void;
}

export const ENGINE_RULE = rule.like<Engine>("an engine, such as spark() returns", isEngine);

const OPEN_LAKE_OPTIONS = {
  engine: ENGINE_RULE,
  store: STORE_RULE,
  onClose: rule.callback(),
} satisfies OptionRules<OpenLakeOptions>;

/**
 * Opens a lake that {@linkcode buildLake} built.
 *
 * @param folder Its folder, or its address `s3://BUCKET/PREFIX` in an object store.
 * @param options Engine, object store, callback for the closing.
 * @throws {RegistryError} With code `disk` if the folder does not exist or has no table.
 * @throws {ObjectStoreError} If the store cannot be reached, refuses, has no lake at the address, or an object is lost
 * or is not the one that was uploaded.
 * @throws {RegistryError} With code `damaged` if page headers or a footer are not those that were written.
 * @throws {ParseError} If a manifest is damaged.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { gzipSync } from "node:zlib";
 * import pl from "nodejs-polars";
 * import { buildLake } from "../objects/build_any_lake.ts";
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
export async function openLake(folder: string, options: OpenLakeOptions = {}): Promise<Lake> {
  checkArgument("openLake()", "folder", folder, LAKE_RULE);
  checkOptions("openLake()", options, OPEN_LAKE_OPTIONS);
  const found = await findLakeTables(folder, options.store);
  const pl = await loadPolars();
  const place = isObjectAddress(folder) ? formatObjectAddress(parseObjectAddress(folder)) : folder;
  const lake = new OpenLake(place, found, { ...options, pl });
  // The kernel of a notebook asks when it completes a value.
  let values: ReturnType<typeof lakeValues> | undefined;
  tellValues("lake", () => values ??= lakeValues(lake));
  return lake;
}

/** Notes how SQL calls tables, or columns of one, whose names differ in case alone. */
function noteAlike(what: string, named: readonly { readonly name: string }[]): LedgerEntry[] {
  const names = named.map(({ name }) => name);
  const renamed = sqlNames(names).flatMap((name, index) => name === names[index] ? [] : [[names[index], name]]);
  if (renamed.length === 0) return [];
  const each = renamed.map(([name, sql]) => `${quoteValue(name)}, which SQL calls ${quoteValue(sql)}`);
  const text = `names of ${what} differ in case alone: ${listSome(each, 5)}`;
  return [noteEntry("columns-alike", text, { ids: renamed.map(([name]) => name) })];
}

class OpenLake implements Lake {
  readonly folder: string;
  readonly tables: ReadonlyMap<string, LakeManifest>;
  readonly main: string;
  readonly fields: Readonly<Record<string, Expr>>;
  readonly entries: readonly LedgerEntry[];
  readonly warnings: readonly string[];
  readonly engine: Lake["engine"];
  readonly #built: ReadonlyMap<string, BuiltTable>;
  readonly #pl: Polars;
  readonly #engine: LakeEngine;
  readonly #onQuery: ((query: LazyDataFrame) => void) | undefined;
  #onClose: (() => void) | undefined;

  constructor(
    folder: string,
    built: readonly BuiltTable[],
    { pl, engine, onClose, onQuery }: OpenLakeOptions & {
      readonly pl: Polars;
      /** Receives each query of an analysis. */
      readonly onQuery?: (query: LazyDataFrame) => void;
    },
  ) {
    this.folder = folder;
    this.#onClose = onClose;
    this.#onQuery = onQuery;
    this.#pl = pl;
    this.#built = new Map(built.map((table) => [table.manifest.table, table]));
    this.tables = new Map(built.map(({ manifest }) => [manifest.table, manifest]));
    const manifests = [...this.tables.values()];
    const unchecked = manifests.filter((manifest) => !hasChecksums(manifest)).map(({ table }) => {
      const text =
        `${table} carries no checksums, so damage may pass unnoticed: an older toolkit built it; build the ` +
        "lake again";
      return noteEntry("checksums-absent", text, { ids: [table] });
    });
    // The SQL of other engines tells cases apart.
    const isDuckDb = engine?.isLocal ?? true;
    const alike = () => [
      ...noteAlike("tables", manifests.map(({ table }) => ({ name: table }))),
      ...manifests.flatMap(({ table, columns }) => noteAlike(`columns in ${table}`, columns)),
    ];
    this.entries = [...unchecked, ...isDuckDb ? alike() : []];
    this.warnings = textsOf(this.entries, "warning");
    const main = this.tables.get("full_dataset_metadata") ??
      manifests.find(({ kind, idField }) => kind === "metadata" && idField !== null) ?? manifests[0];
    this.main = main.table;
    this.fields = this.#accessor(main);
    this.#engine = new LakeEngine(pl, { folder, built, main: main.table, engine });
    this.engine = this.#engine.engine;
  }

  files(table: string = this.main): readonly string[] {
    return this.#find(table).files;
  }

  scan(table: string = this.main): LazyDataFrame {
    return scanTable(this.#pl, this.#find(table));
  }

  column(name: string, table: string = this.main): Expr {
    return exactColumn(this.#pl, this.#column(this.#find(table).manifest, name).name);
  }

  async table(options: LakeTableOptions = {}): Promise<LakeTable> {
    checkOptions("lake.table()", options, LAKE_TABLE_OPTIONS);
    const table = this.#find(options.table ?? this.main);
    const { manifest } = table;
    const names = options.columns && [...new Set(options.columns)];
    const columns = names?.map((name) => this.#column(manifest, name)) ?? manifest.columns;
    const read = () => readLakeTable(this.#pl, table, { ...options, columns });
    return await readingTables([table], read, options.signal);
  }

  async sql(
    text: string,
    parameters: SqlParameters = [],
    options: EngineQueryOptions = {},
  ): Promise<DataFrame> {
    checkOptions("lake.sql()", options, ENGINE_QUERY_OPTIONS);
    return await this.#engine.run((session) => session.sql(text, parameters, options), options);
  }

  async collect(query: LazyDataFrame, options: EngineQueryOptions = {}): Promise<DataFrame> {
    checkOptions("lake.collect()", options, ENGINE_QUERY_OPTIONS);
    this.#onQuery?.(query);
    return await this.#engine.run((session) => session.collect(query, options), options);
  }

  async check(recipe: Recipe, options: EngineQueryOptions = {}): Promise<LakeCheck> {
    checkOptions("lake.check()", options, LAKE_CHECK_OPTIONS);
    if (this.engine.isLocal) {
      throw new TypeError(
        "Cannot check an analysis: the lake has no engine but this process; open it with the option engine",
      );
    }
    options.signal?.throwIfAborted();
    const built = [...this.#built.values()];
    const access = built.find(isObjectTable)?.objects.store.access;
    const parts = [this.folder, built] as const;
    await using local = new OpenLake(...parts, { pl: this.#pl });
    const { checkRecipe } = await import("./check_recipe.ts");
    return await checkRecipe(recipe, {
      local,
      far: (onQuery) => new OpenLake(...parts, { pl: this.#pl, engine: this.#engine.shared(), onQuery }),
      conceal: (text) => access?.conceal(text) ?? text,
      facts: async () => [
        await (await local.#engine.session()).facts(),
        await (await this.#engine.session()).facts(options),
      ],
    });
  }

  async join(options: LakeJoinOptions = {}): Promise<LakeJoin> {
    checkOptions("lake.join()", options, LAKE_JOIN_OPTIONS);
    const metadata = this.#find(options.metadata ?? this.main);
    const sequences = this.#find(options.sequences ?? partnerOf(metadata.manifest, [...this.tables.values()]));
    return await readingTables(
      [metadata, sequences],
      () => joinSequences(this.#pl, { metadata, sequences }, options.sequence),
    );
  }

  representatives(): LazyDataFrame {
    if (this.tables.has("votu_clusters_metadata")) return this.scan("votu_clusters_metadata");
    const { representative } = this.#metrics();
    const metadata = this.#find(this.main).manifest;
    const id = idOf(metadata);
    const ids = this.scan("votu_cluster_comparison_metrics").select(exactColumn(this.#pl, representative).alias(id))
      .unique();
    return this.scan(metadata.table).join(ids, { on: id, how: "semi" });
  }

  members(cluster: string): LazyDataFrame {
    const { representative, member, names } = this.#metrics();
    const metadata = this.#find(this.main).manifest;
    const id = idOf(metadata);
    const pl = this.#pl;
    const meant = [representative, ...names].map((name) => exactColumn(pl, name).eq(pl.lit(cluster)))
      .reduce((one, other) => one.or(other));
    const rows = this.scan("votu_cluster_comparison_metrics").filter(meant).withColumns(
      exactColumn(pl, member).alias(id),
    );
    return this.scan(metadata.table).join(rows, { on: id, how: "inner", suffix: " (metrics)" });
  }

  async close(): Promise<void> {
    await this[Symbol.asyncDispose]();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const onClose = this.#onClose;
    this.#onClose = undefined;
    try {
      await this.#engine[Symbol.asyncDispose]();
    } finally {
      onClose?.();
    }
  }

  #find(table: string): BuiltTable {
    const found = this.#built.get(table);
    if (found !== undefined) return found;
    throw new RangeError(
      `Cannot read the table ${JSON.stringify(table)}: the lake has none of that name; ` +
        adviseName(table, [...this.tables.keys()], (name) => name),
    );
  }

  #column({ table, columns }: LakeManifest, name: string): LakeColumn {
    const found = columns.find((column) => column.name === name);
    if (found !== undefined) return found;
    throw new RangeError(
      `Cannot read the column ${JSON.stringify(name)}: ${table} has none of that name; ` +
        adviseName(name, columns.map((column) => column.name)),
    );
  }

  #accessor(manifest: LakeManifest): Readonly<Record<string, Expr>> {
    const fields: Record<string, Expr> = Object.fromEntries(
      manifest.columns.map(({ name }) => [name, exactColumn(this.#pl, name)]),
    );
    return new Proxy(Object.freeze(fields), {
      get: (target, name) =>
        // Properties that consoles and promises read from any object are not misspelt columns.
        typeof name === "symbol" || name === "then" || name === "toJSON" || Object.hasOwn(target, name)
          ? Reflect.get(target, name)
          : this.column(name),
    });
  }

  /**
   * Which columns of the metrics hold what: by their names, which the specification does not show, else by position.
   */
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
}
