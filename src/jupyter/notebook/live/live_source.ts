/** What `live()` can show, as Parquet files that are one table. */
import type { DataFrame, LazyDataFrame } from "nodejs-polars";
import { basename, dirname, join } from "node:path";
import type { Ledger } from "@seqreg/core/contract";
import { describeUnread } from "@seqreg/core/io/csv/unread_rows";
import { diskError } from "@seqreg/core/io/files";
import { makeTempFolder } from "@seqreg/core/io/files/temp_path";
import { adviseName } from "@seqreg/core/options/nearest";
import { isObjectAddress } from "@seqreg/core/io/objects/object_address";
import type { LiveColumnSource, LiveSource } from "../../live/live_question.ts";
import { describeFiles } from "../../live/live_source.ts";
import type { Lake } from "@seqreg/core/tables";
import { isFrame, isLazyFrame, typeName } from "../frame_view.ts";
import { isLake } from "../lake_view.ts";
import { describeLedger } from "../ledger_view.ts";
import { membersOf } from "@seqreg/core/engine/frames";

/** A table of a result: it gives a polars frame, and perhaps has a ledger. */
export interface FrameSource {
  /** The rows. */
  frame(): Promise<DataFrame>;
  /** Whether they are complete. */
  readonly ledger?: Ledger;
}

/** A lake, as `openLake()` gives it. */
export interface LiveLake {
  /** Folder of the lake. */
  readonly folder: string;
  /** Name of the main table. */
  readonly main: string;
  /** Its tables, by name. */
  readonly tables: ReadonlyMap<string, object>;
  /** Paths of a table's Parquet files. */
  files(table?: string): readonly string[];
}

/** What `live()` shows: a lake, Parquet files, a polars frame, a table or a result. */
export type LiveInput = LiveLake | string | readonly string[] | DataFrame | LazyDataFrame | FrameSource;

export interface ReadySource {
  readonly source: LiveSource;
  /** What the table is, in a few words. */
  readonly title: string;
  /** What a reader must know of the rows, such as that they are incomplete; empty for nothing. */
  readonly note: string;
  /** A file that was written for this view alone. */
  readonly temporary?: string;
}

/** Name of a frame's file, in a folder of its own; the kernel's proxy removes it by these names. */
const FRAME_FILE = "frame.parquet";

/**
 * Makes a source ready.
 *
 * @throws {TypeError} If it cannot be shown.
 * @throws {RangeError} If it has no such table.
 */
export async function readyLiveSource(
  input: unknown,
  { table, query }: { readonly table?: string | undefined; readonly query?: string | undefined } = {},
): Promise<ReadySource> {
  const ready = await readyTable(input, table);
  if (query === undefined) return ready;
  const notes = [ready.note, `only the rows that ${query.trim() || "*"} finds`];
  return { ...ready, source: { ...ready.source, query }, note: notes.filter((note) => note !== "").join("; ") };
}

async function readyTable(input: unknown, table?: string): Promise<ReadySource> {
  if (isLake(input)) return await lakeSource(input, table);
  if (table !== undefined) throw new TypeError("Cannot show the table: an option table belongs to a lake");
  if (typeof input === "string") return await fileSource([input]);
  if (Array.isArray(input) && input.length > 0 && input.every((path) => typeof path === "string")) {
    return await fileSource(input);
  }
  if (isFrame(input)) return await frameSource(input);
  if (isLazyFrame(input)) return await lazySource(input);
  if (isFrameSource(input)) {
    const ready = await frameSource(await input.frame());
    const { ledger } = input;
    return { ...ready, title: "table", note: ledger?.complete === false ? describeLedger(ledger) : "" };
  }
  throw new TypeError(
    "Cannot show the value live: expected a lake, paths of Parquet files, a polars frame, or a table of a result",
  );
}

async function lakeSource(
  lake: Pick<Lake, "folder" | "tables" | "main" | "files">,
  table = lake.main,
): Promise<ReadySource> {
  const { folder, tables } = lake;
  const manifest = tables.get(table);
  if (manifest === undefined) {
    throw new RangeError(
      `Cannot show ${JSON.stringify(table)}: the lake has no such table; ${adviseName(table, [...tables.keys()])}`,
    );
  }
  const isRemote = isObjectAddress(folder);
  const meanings = new Map(manifest.definitions.map((definition) => [definition.name, definition]));
  const columns = manifest.columns.map(({ name, field, type }): LiveColumnSource => ({
    name,
    ...meanings.has(field) && { alias: meanings.get(field)?.alias ?? "" },
    type,
    isDate: type === "date",
    description: meanings.get(field)?.description ?? "",
    unit: meanings.get(field)?.unit ?? "",
  }));
  const { unparsed, problems } = manifest;
  const lost = unparsed === 0 ? "" : describeUnread(unparsed, problems);
  return {
    source: {
      files: isRemote
        ? lake.files(table).map((path, index) => ({ path, bytes: manifest.files[index].bytes, modified: 0 }))
        : await describeFiles(lake.files(table)),
      columns,
      origin: { kind: "lake", lake: isRemote ? folder : await Deno.realPath(folder), table },
    },
    title: table,
    note: lost,
  };
}

async function fileSource(paths: readonly string[]): Promise<ReadySource> {
  for (const path of paths) await checkParquet(path);
  const files = await describeFiles(paths);
  const title = paths.length === 1 ? basename(paths[0]) : `${paths.length} files`;
  return { source: { files, origin: { kind: "files" } }, title, note: "" };
}

/** What a Parquet file begins with. */
const MAGIC = "PAR1";

async function checkParquet(path: string): Promise<void> {
  const { isDirectory } = await Deno.stat(path).catch((cause) => {
    throw diskError(cause, { action: `show ${path}`, next: "name Parquet files, or pass a lake or a frame" });
  });
  if (isDirectory) throw new TypeError(`Cannot show ${path} live: it is a folder; open a lake with openLake()`);
  using file = await Deno.open(path);
  const first = new Uint8Array(MAGIC.length);
  await file.read(first);
  if (new TextDecoder().decode(first) === MAGIC) return;
  throw new TypeError(
    `Cannot show ${path} live: it is not a Parquet file; read a CSV or TSV with pl.readCSV() and pass the frame`,
  );
}

/** Columns get names that no file has trouble with; their own are shown. */
async function frameSource(frame: DataFrame): Promise<ReadySource> {
  const members = membersOf(frame);
  const { dtypes } = members;
  const columns = members.columns.map((label, index) => ({ name: `c${index}`, label, type: typeName(dtypes[index]) }));
  checkColumns(members.columns);
  const names = Object.fromEntries(columns.map(({ label, name }) => [label, name]));
  const path = await frameFile((path) => members.lazy().rename(names).collectSync().writeParquet(path));
  return await writtenSource(path, columns);
}

async function lazySource(frame: LazyDataFrame): Promise<ReadySource> {
  checkColumns(frame.columns);
  const names = new Map(frame.columns.map((name, index) => [name, `c${index}`]));
  const path = await frameFile((path) => frame.rename(Object.fromEntries(names)).sinkParquet(path).collect());
  return await writtenSource(path, [...names].map(([label, name]) => ({ name, label })));
}

async function writtenSource(path: string, columns: readonly LiveColumnSource[]): Promise<ReadySource> {
  const source = { files: await describeFiles([path]), columns, origin: { kind: "frame" } as const };
  return { source, title: "frame", note: "", temporary: source.files[0].path };
}

function checkColumns(names: readonly string[]): void {
  if (names.length === 0) throw new TypeError("Cannot show the frame live: it has no columns");
}

async function frameFile(write: (path: string) => unknown): Promise<string> {
  const path = join(await makeTempFolder({ prefix: "seqreg-live-" }), FRAME_FILE);
  addEventListener("unload", () => removeFrameFile(path));
  try {
    await write(path);
  } catch (cause) {
    removeFrameFile(path);
    throw cause;
  }
  return path;
}

/** Removes the file of a frame that is not shown any more, and its folder. */
export function removeFrameFile(path: string): void {
  try {
    Deno.removeSync(dirname(path), { recursive: true });
  } catch {
    // Our own kernel removed it with the view.
  }
}

function isFrameSource(value: unknown): value is FrameSource {
  return typeof value === "object" && value !== null && typeof Reflect.get(value, "frame") === "function";
}
