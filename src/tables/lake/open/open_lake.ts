/**
 * A lake that is read: lazy frames, SQL, tables with a ledger, joins by accession.
 *
 * @module
 */
import type { DataFrame, Expr, LazyDataFrame } from "nodejs-polars";
import { RegistryError } from "../../../errors.ts";
import { nearest } from "../../../contract/options/nearest.ts";
import { idOf, joinSequences, partnerOf } from "./_lake_join.ts";
import { checkStructure, hasChecksums, readingTables } from "./check_lake.ts";
import { LakeSql, type SqlParameters } from "./lake_sql.ts";
import { readLakeTable, scanTable } from "./_lake_table.ts";
import { loadPolars, type Polars } from "../../types/polars.ts";
import { type BuiltTable, lakeTables } from "../build/build_lake.ts";
import type { Lake, LakeJoin, LakeJoinOptions, LakeTable, LakeTableOptions } from "./lake.ts";
import type { LakeColumn, LakeManifest } from "../build/lake_manifest.ts";
import type { OptionRules } from "../../../contract/options/option_rule.ts";
import * as rule from "../../../contract/options/rules.ts";
import { checkOptions } from "../../../contract/options/check_options.ts";
import { LAKE_JOIN_OPTIONS, LAKE_SQL_OPTIONS, LAKE_TABLE_OPTIONS } from "./lake.ts";

export type { Lake, LakeJoin, LakeJoinOptions, LakeTable, LakeTableOptions } from "./lake.ts";

/** Options of {@linkcode openLake}. */
export interface OpenLakeOptions {
  /** Called once, when the lake is closed. */
  readonly onClose?: () => void;
}

const OPEN_LAKE_OPTIONS = { onClose: rule.callback() } satisfies OptionRules<OpenLakeOptions>;

/**
 * Opens a lake that {@linkcode buildLake} built.
 *
 * @param folder Its folder.
 * @param options Callback for the closing.
 * @throws {RegistryError} With code `disk` if the folder does not exist or has no table.
 * @throws {RegistryError} With code `damaged` if page headers or a footer are not those that were written.
 * @throws {ParseError} If a manifest is damaged.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { gzipSync } from "node:zlib";
 * import pl from "nodejs-polars";
 * import { buildLake } from "../build/build_lake.ts";
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
  checkOptions("openLake()", options, OPEN_LAKE_OPTIONS);
  const found = await findTables(folder);
  found.forEach(checkStructure);
  const pl = await loadPolars();
  return new OpenLake(folder, found, { ...options, pl });
}

async function findTables(folder: string): Promise<BuiltTable[]> {
  let tables: BuiltTable[];
  try {
    tables = await lakeTables(folder);
  } catch (cause) {
    if (!(cause instanceof Deno.errors.NotFound) && !(cause instanceof Deno.errors.NotADirectory)) throw cause;
    throw new RegistryError("disk", `Cannot open the lake ${folder}: the folder does not exist; build it first`, {
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
  readonly warnings: readonly string[];
  readonly #built: ReadonlyMap<string, BuiltTable>;
  readonly #pl: Polars;
  #sql: Promise<LakeSql> | undefined;
  #onClose: (() => void) | undefined;

  constructor(
    folder: string,
    built: readonly BuiltTable[],
    { pl, onClose }: OpenLakeOptions & { readonly pl: Polars },
  ) {
    this.folder = folder;
    this.#onClose = onClose;
    this.#pl = pl;
    this.#built = new Map(built.map((table) => [table.manifest.table, table]));
    this.tables = new Map(built.map(({ manifest }) => [manifest.table, manifest]));
    const manifests = [...this.tables.values()];
    this.warnings = manifests.filter((manifest) => !hasChecksums(manifest)).map(({ table }) =>
      `${table} carries no checksums, so damage may pass unnoticed: an older toolkit built it; build the lake again`
    );
    const main = this.tables.get("full_dataset_metadata") ??
      manifests.find(({ kind, idField }) => kind === "metadata" && idField !== null) ?? manifests[0];
    this.main = main.table;
    this.fields = this.#accessor(main);
  }

  scan(table: string = this.main): LazyDataFrame {
    return scanTable(this.#pl, this.#find(table));
  }

  column(name: string, table: string = this.main): Expr {
    return this.#pl.col(this.#column(this.#find(table).manifest, name).name);
  }

  async table(options: LakeTableOptions = {}): Promise<LakeTable> {
    checkOptions("lake.table()", options, LAKE_TABLE_OPTIONS);
    const table = this.#find(options.table ?? this.main);
    const { manifest } = table;
    const columns = options.columns?.map((name) => this.#column(manifest, name)) ?? manifest.columns;
    return await readingTables([table], () => readLakeTable(this.#pl, table, { ...options, columns }));
  }

  async sql(
    text: string,
    parameters: SqlParameters = [],
    options: { readonly signal?: AbortSignal } = {},
  ): Promise<DataFrame> {
    checkOptions("lake.sql()", options, LAKE_SQL_OPTIONS);
    const opening = this.#sql ??= LakeSql.open(this.folder, [...this.#built.values()], this.main);
    opening.catch(() => {
      if (this.#sql === opening) this.#sql = undefined;
    });
    const sql = await opening;
    return await readingTables(this.#built.values(), () => sql.query(text, parameters, options.signal));
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
    const [sql, onClose] = [await this.#sql?.catch(() => undefined), this.#onClose];
    this.#sql = this.#onClose = undefined;
    try {
      await sql?.[Symbol.asyncDispose]();
    } finally {
      onClose?.();
    }
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
        // Properties that consoles and promises read from any object are not misspelt columns.
        typeof name === "symbol" || name === "then" || name === "toJSON" || Object.hasOwn(target, name)
          ? Reflect.get(target, name)
          : this.column(name),
    });
  }

  /**
   * Which columns of the metrics hold what: by their names, which the specification does not show, else by their place.
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
