/** One version of the data: the tables of a lake, of archives, or of one file, as Parquet that can be compared. */
import { basename } from "node:path";
import { RegistryError } from "@seqreg/core/errors";
import { fieldAlias } from "@seqreg/core/contract/field_alias";
import type { FieldDefinition, FieldType, Naming, Problem } from "@seqreg/core/contract";
import { isObjectAddress } from "@seqreg/core/io/objects/object_address";
import type { OnProgress } from "@seqreg/core/io/tasks";
import { buildLake } from "@seqreg/core/tables/lake/objects/build_any_lake";
import { type BuiltTable, lakeTables, pathOf } from "@seqreg/core/tables/lake/build/lake_layout";
import { sqlNames } from "@seqreg/core/engine/local/sql_names";
import type { LedgerEntry } from "@seqreg/core/contract/ledger_entries";
import { manifestEntries } from "@seqreg/core/tables/lake/build/manifest_entries";
import { findLakeTables } from "@seqreg/core/tables/lake/open/find_lake_tables";
import { isPlainParquet } from "@seqreg/core/tables/open/plain_parquet";
import { openBytes } from "@seqreg/core/io/bytes";

export interface SideColumn {
  readonly name: string;
  /** Type by which its values are read; absent where none is known. */
  readonly type?: FieldType;
  readonly unit?: string;
  /** Whether a definition gives the type. */
  readonly isDeclared?: boolean;
  /** Meaning of its definition; absent without one. */
  readonly description?: string;
  /** Type in the Parquet files; absent until the files have been asked. */
  readonly dtype?: string;
}

export interface SideTable {
  readonly name: string;
  /** Its records; unknown of a Parquet file. */
  readonly rows?: number;
  /** Distinct identifiers among the rows, a row without one counted as one; unknown of a Parquet file. */
  readonly unique?: number;
  /** Column of the records' identifiers, if the table has one. */
  readonly idField?: string;
  /** Column of the sequences. */
  readonly sequence?: string;
  /** Its columns, without those that are computed from others; empty until the Parquet files have been asked. */
  readonly columns: readonly SideColumn[];
  /** Parquet files, in order. */
  readonly files: readonly string[];
  /** Columns whose names differ in case alone, by their names in the files: SQL, and `columns`, have other ones. */
  readonly renamed?: ReadonlyMap<string, string>;
  /** Parquet files of the texts that a typed column does not hold as they came: `row`, `field`, `value`. */
  readonly raw: readonly string[];
  /** Digests of all these files; absent if one has none. */
  readonly digests?: readonly string[];
  /** SHA-256 of the archive, where it was one. */
  readonly sha256?: string;
  readonly bytes: number;
  /** Rows that could not be read. */
  readonly unparsed: number;
  /** The first of them. */
  readonly problems: readonly Problem[];
  /** Values that do not fit, by field. */
  readonly misfits?: Readonly<Record<string, number>>;
  /** Whether a lake's definitions or all its values gave the types. */
  readonly isTyped: boolean;
  /** What is unusual about a table that was read; what is so of a lake was reported when it was built. */
  readonly entries?: readonly LedgerEntry[];
}

export interface Side {
  /** As the caller named it. */
  readonly place: string;
  readonly tables: readonly SideTable[];
}

export interface OpenSideOptions {
  /** Folder for what a table becomes on the way. */
  readonly folder: string;
  /** What types the columns of archives and tables: nothing, all their values, or another version that is a lake. */
  readonly types: "text" | "inferred" | Side;
  readonly sheet?: string | number;
  readonly encoding?: string;
  readonly naming?: Naming;
  readonly onProgress?: OnProgress;
  readonly signal?: AbortSignal;
}

/** What a path is: a lake, a Parquet file of plain types, or archives and tables that have to be converted. */
export async function kindOfSide(path: string): Promise<"lake" | "parquet" | "archives"> {
  if (isObjectAddress(path)) {
    throw new TypeError(
      `Cannot read ${path}: expected files of this machine; copy the lake into a folder, which opens too: aws s3 sync ${path} FOLDER`,
    );
  }
  const info = await Deno.stat(path).catch((cause) => {
    if (!(cause instanceof Deno.errors.NotFound)) throw cause;
    throw new RegistryError("disk", `Cannot read ${path}: the file or folder does not exist; check its name`, {
      cause,
    });
  });
  if (info.isDirectory) return (await lakeTables(path)).length > 0 ? "lake" : "archives";
  // A pipe is read once, when it is converted.
  return info.isFile && await isParquet(path) && await isPlainParquet(path) ? "parquet" : "archives";
}

/** Opens one version. Archives and tables are read, checked and converted in the folder of the options. */
export async function openSide(path: string, options: OpenSideOptions): Promise<Side> {
  const kind = await kindOfSide(path);
  await refuseForm(path, options);
  if (kind === "parquet") {
    const { size } = await Deno.stat(path);
    const name = basename(path).replace(/\.parquet$/i, "");
    return {
      place: path,
      tables: [{ name, columns: [], files: [path], raw: [], bytes: size, unparsed: 0, problems: [], isTyped: true }],
    };
  }
  const built = kind === "lake" ? await findLakeTables(path) : await convert(path, options);
  return {
    place: path,
    tables: built.map((table) => ({
      ...sideTable(table, kind === "lake" || options.types !== "text"),
      ...kind !== "lake" && { entries: manifestEntries([table.manifest]) },
    })),
  };
}

/** Rejects a sheet or an encoding of what is not one table. @throws {RangeError} */
async function refuseForm(path: string, { sheet, encoding }: OpenSideOptions): Promise<void> {
  if (sheet === undefined && encoding === undefined) return;
  if (!(await Deno.stat(path)).isDirectory && !await isParquet(path)) return;
  const what = sheet === undefined ? "an encoding" : "a sheet";
  throw new RangeError(`Cannot use ${what} with ${path}: expected a table of text or a workbook`);
}

async function convert(
  path: string,
  { folder, types, sheet, encoding, naming, onProgress, signal }: OpenSideOptions,
) {
  const by = typeof types === "string" ? undefined : types.tables.flatMap(({ columns }) => columns.map(definitionOf));
  const own = encoding === undefined ? undefined : await tableEncoding(path, encoding, signal);
  return await buildLake(path, folder, {
    text: types === "text",
    definitions: by && distinct(by),
    sheet,
    encoding: own,
    naming,
    onProgress,
    signal,
  });
}

function definitionOf({ name, type = "string", unit = "" }: SideColumn): FieldDefinition {
  return { name, type, unit, alias: fieldAlias(name), description: "", example: "" };
}

function distinct(definitions: readonly FieldDefinition[]): FieldDefinition[] {
  return [...new Map(definitions.map((definition) => [definition.name, definition])).values()];
}

function sideTable(table: BuiltTable, isTyped: boolean): SideTable {
  const { manifest, files } = table;
  const checks = [...manifest.files, ...manifest.raw].map((file) => file.checks?.sha256);
  const digests = checks.filter((digest) => digest !== undefined);
  const definitions = new Map(manifest.definitions.map((definition) => [definition.name, definition]));
  const names = manifest.columns.map(({ name }) => name);
  const renamed = new Map(
    sqlNames(names).flatMap((name, index) => name === names[index] ? [] : [[names[index], name] as const]),
  );
  const nameOf = (name: string) => renamed.get(name) ?? name;
  return {
    name: manifest.table,
    rows: manifest.rows,
    unique: manifest.unique,
    ...manifest.idField !== null && { idField: nameOf(manifest.idField) },
    ...manifest.kind === "sequence" && { sequence: nameOf(manifest.columns.at(-1)!.name) },
    columns: manifest.columns.filter(({ name, field }) => manifest.kind === "sequence" || name === field)
      .map(({ name, type, dtype }) => ({
        name: nameOf(name),
        ...isTyped && { type },
        ...definitions.has(name) && {
          isDeclared: manifest.kind === "metadata",
          unit: definitions.get(name)!.unit,
          description: definitions.get(name)!.description,
        },
        dtype,
      })),
    files,
    ...renamed.size > 0 && { renamed },
    raw: manifest.raw.map((file) => pathOf(table, file)),
    ...digests.length === checks.length && { digests },
    sha256: manifest.source.sha256,
    bytes: manifest.source.bytes,
    unparsed: manifest.unparsed,
    problems: manifest.problems,
    misfits: Object.fromEntries(Object.entries(manifest.misfits).map(([name, count]) => [nameOf(name), count])),
    isTyped,
  };
}

async function isParquet(path: string): Promise<boolean> {
  using file = await Deno.open(path);
  const magic = new Uint8Array(4);
  return await file.read(magic) === 4 && new TextDecoder().decode(magic) === "PAR1";
}

/**
 * Finds whether a table has the encoding that was named: of two versions, one may have been saved as UTF-8 meanwhile,
 * and would be read as other characters without an error.
 *
 * @param path A file; a pipe, which is read once, has the encoding that was named.
 * @returns The encoding; `undefined` if the file is UTF-8.
 */
async function tableEncoding(path: string, encoding: string, signal?: AbortSignal): Promise<string | undefined> {
  if (!(await Deno.stat(path)).isFile) return encoding;
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let isBeyondAscii = false;
  for await (const chunk of openBytes(path, { signal })) {
    let text: string;
    try {
      text = decoder.decode(chunk, { stream: true });
    } catch {
      return encoding;
    }
    // UTF-16 has zeros in texts of ASCII.
    if (text.includes("\0")) return encoding;
    isBeyondAscii ||= text.length < chunk.length;
  }
  return isBeyondAscii || /^utf-?16/i.test(encoding) ? undefined : encoding;
}
