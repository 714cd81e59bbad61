/** What analyses read: a polars frame, a result of a registry, or a lake, all as one lazy frame with typed columns. */
import { checkArgument, checkOptions } from "@seqreg/core/options/check_options";
import type { OptionRules } from "@seqreg/core/options/option_rule";
import * as rule from "@seqreg/core/options/rules";
import type { DataFrame, LazyDataFrame } from "nodejs-polars";
import {
  ENGINE_QUERY_OPTIONS,
  type EngineAbilities,
  type EngineQueryOptions,
  NO_ABILITIES,
} from "@seqreg/core/engine/engine";
import { collectHere, LOCAL_ABILITIES } from "@seqreg/core/engine/local/local_engine";
import type { Naming } from "@seqreg/core/contract";
import type { Ledger } from "@seqreg/core/contract/ledger";
import { adviseName } from "@seqreg/core/options/nearest";
import { join } from "node:path";
import { isObjectAddress } from "@seqreg/core/io/objects/object_address";
import type { Lake, LakeManifest, TypedTable } from "@seqreg/core/tables";
import { isFrame } from "@seqreg/jupyter/notebook/frame_view";
import { type Role, ROLE_NAMES, type RolePreferences } from "./roles.ts";
import type { SourceColumn } from "./source_column.ts";
import type { ChartSource } from "../chart/chart.ts";
import { count, counted } from "../chart/words.ts";
import { exactColumn, fieldTypeOf, membersOf, type Polars } from "@seqreg/core/engine/frames";

export type { Polars };

/** Properties of the data, in addition to its rows. */
export interface SourceFacts {
  /** Spellings of the deployment; its `roles` say which fields are preferred. */
  readonly naming?: Pick<Naming, "roles">;
  /** How the data came; dates after its end are slips. */
  readonly provenance?: { readonly finished: string };
  /** What of it did not come. */
  readonly ledger?: Pick<Ledger, "complete" | "reasons" | "unparsed">;
  /** Number of records of a search that has them page by page. */
  readonly total?: number;
}

/** A lake, or what an analysis needs of one. */
export interface AnalysisLake
  extends
    Pick<Lake, "folder" | "main" | "scan">,
    Partial<Pick<Lake, "engine" | "collect">>,
    Pick<SourceFacts, "naming"> {
  /** Every table, by name. */
  readonly tables: ReadonlyMap<
    string,
    & Pick<LakeManifest, "columns" | "idField" | "unique" | "files" | "definitions" | "misfits">
    & { readonly built?: string; readonly unparsed?: number }
  >;
}

/** A result of a registry, a typed table, or what an analysis needs of them. */
export type TableSource = Pick<TypedTable, "columns" | "frame"> & SourceFacts;

/** What an analysis reads. */
export type AnalysisSource = DataFrame | LazyDataFrame | TableSource | AnalysisLake;

/** @deprecated Write {@linkcode AnalysisLake}: `LakeSource` is of `seqreg/tables`. */
export type LakeSource = AnalysisLake;

/** A source that is open. */
export interface OpenSource {
  /** The columns, in order. */
  readonly columns: readonly SourceColumn[];
  /** What the data is called. */
  readonly name?: string;
  /** Which records they are, where that is known. */
  readonly records?: ChartSource["records"];
  /** Column of the records' accessions, where that is known. */
  readonly idField?: string;
  /** Number of distinct accessions, where that is known. */
  readonly distinctIds?: number;
  /** Parquet files that hold all rows, where there are such. */
  readonly files?: readonly string[];
  /** Units of fields that have one, by field, where the definitions are known. */
  readonly units?: Readonly<Record<string, string>>;
  /** Values that do not fit their declared type, by field, where they were counted. */
  readonly misfits?: Readonly<Record<string, number>>;
  /** Rows of the data that could not be read, and are not among its rows; absent where that is not known. */
  readonly unread?: number;
  /** Why records of the data are absent, where that is known. */
  readonly gaps?: readonly string[];
  /** Fields by role that the naming of the deployment prefers. */
  readonly roles?: RolePreferences;
  /** Day on which the data came, `YYYY-MM-DD`, where that is known. */
  readonly came?: string;
  /** What the engine does well that has the rows. */
  readonly abilities: EngineAbilities;
  /**
   * Whether rows are in this process or in local files.
   *
   * @deprecated Ask {@linkcode OpenSource.abilities}.
   */
  readonly isLocal: boolean;
  /** All rows, lazily. */
  scan(): LazyDataFrame;
  /** Runs a query over the rows, where these are. */
  collect(query: LazyDataFrame, options?: EngineQueryOptions): Promise<DataFrame>;
}

/** Options of {@linkcode openSource}. */
export interface OpenSourceOptions {
  /** Table of a lake; its main one by default. */
  readonly table?: string;
}

export const OPEN_SOURCE_OPTIONS = { table: rule.text } satisfies OptionRules<OpenSourceOptions>;

/**
 * Opens a source of any kind.
 *
 * @param source A polars frame (lazy or not), a result of a registry, a typed table, or a lake.
 * @param options Which table of a lake.
 * @throws {TypeError} If it has another type.
 * @throws {RangeError} If the lake has no such table.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import pl from "nodejs-polars";
 * import { openSource } from "./source.ts";
 *
 * const { columns } = await openSource(pl.DataFrame({ Country: ["Kenya"], "Sequence Length": [1200] }));
 *
 * assertEquals(columns.map(({ type }) => type), ["string", "float"]);
 * ```
 */
export async function openSource(source: AnalysisSource, options: OpenSourceOptions = {}): Promise<OpenSource> {
  checkOptions("openSource()", options, OPEN_SOURCE_OPTIONS);
  if (isLake(source)) return openLakeTable(source, options.table);
  if (options.table !== undefined) {
    throw new TypeError(`Cannot read the table ${JSON.stringify(options.table)}: only a lake has tables`);
  }
  if (isLazy(source)) {
    return await openFrame(source.limit(0).collectSync(), source);
  }
  if (isDataFrame(source)) return await openFrame(source, membersOf(source).lazy());
  if (isTable(source)) {
    const frame = await source.frame();
    return {
      columns: source.columns,
      ...preferencesOf(source.naming),
      ...dayOf(source.provenance?.finished),
      ...gapsOf(source, membersOf(frame).height),
      ...HERE,
      scan: () => membersOf(frame).lazy(),
    };
  }
  throw new TypeError(
    `Cannot analyse ${
      Deno.inspect(source, { depth: 1, compact: true, breakLength: Infinity }).slice(0, 80)
    }: expected a polars frame, a result of a ` +
      "registry, a typed table or a lake; for a dataset archive use await archive.read()",
  );
}

/** Opens rows of this process; decimals are floats here, since polars does not give them. */
async function openFrame(frame: DataFrame, rows: LazyDataFrame): Promise<OpenSource> {
  const columns = columnsOf(frame);
  const decimals = columns.filter(({ dtype }) => dtype === "Decimal");
  if (decimals.length === 0) return { columns, ...HERE, scan: () => rows };
  const { default: pl } = await import("nodejs-polars");
  const floats = rows.withColumns(...decimals.map(({ name }) => exactColumn(pl, name).cast(pl.Float64)));
  return { columns, ...HERE, scan: () => floats };
}

/** Rows of this process. */
const HERE: Pick<OpenSource, "abilities" | "isLocal" | "collect"> = {
  abilities: LOCAL_ABILITIES,
  isLocal: true,
  collect: (query, options = {}) =>
    Promise.try(() => {
      checkOptions("collect()", options, ENGINE_QUERY_OPTIONS);
      return collectHere(query);
    }),
};

/** The table of a lake that an analysis is about, where the caller names none and the lake has it. */
export function tableOf(source: AnalysisSource, options: OpenSourceOptions, table: string): OpenSourceOptions {
  return options.table === undefined && isLake(source) && source.tables.has(table) ? { table } : {};
}

function openLakeTable(lake: AnalysisLake, table: string = lake.main): OpenSource {
  const manifest = lake.tables.get(table);
  if (manifest === undefined) {
    const names = [...lake.tables.keys()];
    throw new RangeError(
      `Cannot read the table ${JSON.stringify(table)}: the lake has none of that name; ` +
        adviseName(table, names, (name) => name),
    );
  }
  const { abilities = NO_ABILITIES, isLocal } = lake.engine ?? HERE;
  // One scan for all queries: polars reads the footers of its files once.
  let rows: LazyDataFrame | undefined;
  const records = /^full/.test(table)
    ? "all"
    : /^unique/.test(table)
    ? "unique"
    : /^votu_clusters/.test(table)
    ? "representatives"
    : undefined;
  return {
    columns: manifest.columns,
    name: table,
    ...records !== undefined && { records },
    ...manifest.idField !== null && { idField: manifest.idField, distinctIds: manifest.unique },
    ...isLocal && !isObjectAddress(lake.folder) &&
      { files: manifest.files.map(({ name }) => join(lake.folder, table, name)) },
    units: Object.fromEntries(
      manifest.definitions.filter(({ unit }) => unit !== "").map(({ name, unit }) => [name, unit]),
    ),
    misfits: manifest.misfits,
    ...manifest.unparsed !== undefined && { unread: manifest.unparsed },
    ...preferencesOf(lake.naming),
    ...dayOf(manifest.built),
    abilities,
    isLocal,
    scan: () => rows ??= lake.scan(table),
    collect: (query, options) => lake.collect?.(query, options) ?? HERE.collect(query, options),
  };
}

/** The fields that a naming prefers; a naming comes from a file, so that its roles are checked here. */
function preferencesOf(naming: Pick<Naming, "roles"> | undefined): Pick<OpenSource, "roles"> {
  if (naming?.roles === undefined) return {};
  const roles: Partial<Record<Role, readonly string[]>> = {};
  for (const [name, fields] of Object.entries(naming.roles)) {
    const role = ROLE_NAMES.find((role) => role === name);
    if (role === undefined) {
      throw new TypeError(
        `Cannot use the roles of the naming: unknown role ${JSON.stringify(name)}; ${adviseName(name, ROLE_NAMES)}`,
      );
    }
    roles[role] = fields;
  }
  return { roles };
}

/** What is absent of a result, as its ledger has it, and of a search of which this is a page. */
function gapsOf({ ledger, total = 0 }: SourceFacts, rows: number): Pick<OpenSource, "unread" | "gaps"> {
  const gaps = [
    ...ledger === undefined || ledger.complete ? [] : ledger.reasons,
    ...total > rows ? [`one page of a search, ${counted(rows, "records")} of ${count(total)}`] : [],
  ];
  return {
    ...ledger !== undefined && ledger.unparsed > 0 && { unread: ledger.unparsed },
    ...gaps.length > 0 && { gaps },
  };
}

/** The day of a time, `2026-01-31`. */
function dayOf(time: string | undefined): Pick<OpenSource, "came"> {
  const day = /^[0-9]{4}-[0-9]{2}-[0-9]{2}/.exec(time ?? "")?.[0];
  return day === undefined ? {} : { came: day };
}

const LAKE = rule.required(
  rule.like<AnalysisLake>("a lake with several tables, as registry.lake() and openLake() return it", isLake),
);

/** Rejects anything but a lake, for analyses that read several of its tables. */
export function checkLake(caller: string, lake: AnalysisLake): void {
  checkArgument(caller, "lake", lake, LAKE);
}

/** Reads a member; a frame of polars is a proxy, whose members are there only when they are read. */
function member(source: unknown, name: string): unknown {
  return source !== null && (typeof source === "object" || typeof source === "function")
    ? Reflect.get(source, name)
    : undefined;
}

function isLake(source: unknown): source is AnalysisLake {
  return typeof member(source, "scan") === "function" && typeof member(source, "tables") === "object";
}

function isLazy(source: AnalysisSource): source is LazyDataFrame {
  return typeof member(source, "collectSync") === "function";
}

function isDataFrame(source: AnalysisSource): source is DataFrame {
  return isFrame(source);
}

function isTable(source: AnalysisSource): source is TableSource {
  return typeof member(source, "frame") === "function" && typeof member(source, "columns") === "object";
}

function columnsOf(frame: DataFrame): SourceColumn[] {
  const { columns, dtypes } = membersOf(frame);
  return dtypes.map((dtype, index) => {
    const name = columns[index];
    const variant = String(Reflect.get(dtype, "variant"));
    return { name, field: name, type: fieldTypeOf(variant), dtype: variant };
  });
}
