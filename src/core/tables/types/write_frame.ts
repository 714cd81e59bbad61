/** Writes frames to files, atomically. */
import type { DataFrame, Expr, LazyDataFrame } from "nodejs-polars";
import { writeWithPolars } from "./write_with_polars.ts";
import { type AtomicFile, createAtomicFile } from "../../io/files/atomic_file.ts";
import { readBytes } from "../../io/bytes/byte_source.ts";
import { isGzipName } from "../../io/files/named_format.ts";
import { gzipBytes } from "../../io/gzip/gzip_bytes.ts";
import { dropArrowSchema } from "../../parquet/write/drop_arrow_schema.ts";
import { loadPolars, type Polars } from "./polars.ts";
import type { OptionRules } from "../../options/option_rule.ts";
import * as rule from "../../options/rules.ts";
import { checkArgument, checkOptions } from "../../options/check_options.ts";
import { type TableColumn, WRITE_TABLE_OPTIONS, type WriteTableOptions } from "./table.ts";
import { hasParquetType, KINDS, type TextKind, textKind, textOf } from "./_written_types.ts";
import { exactColumn, membersOf } from "../../engine/frames/frame_members.ts";

/** Formats that a frame can be written in. */
export type FrameFormat = "csv" | "tsv" | "parquet";

/** Options of {@linkcode writeFrame}. */
export interface WriteFrameOptions {
  /** Format of the file. */
  readonly format: FrameFormat;
  /** Ends the writing with the signal's reason; nothing is left under the final name. */
  readonly signal?: AbortSignal;
}

const WRITE_FRAME_OPTIONS = {
  format: rule.required(rule.oneOf(["csv", "tsv", "parquet"])),
  signal: rule.signal,
} satisfies OptionRules<WriteFrameOptions>;

/**
 * Writes a frame to a file, under a temporary name that becomes the final one when everything is there.
 *
 * In CSV and TSV a list is joined by `;`, null is an empty cell, and a null in a list an empty item. The empty cell of
 * a frame of one column is `""`, since readers skip empty lines. TSV never holds a raw tab or line end in a cell: they
 * are `\t`, `\n`, `\r`, and a backslash `\\`. Parquet is compressed with zstd.
 *
 * @param frame Any frame.
 * @param path Final path; an existing file is replaced. CSV and TSV are compressed if it ends in `.gz`.
 * @param options Format and signal.
 * @throws {TypeError} If the path ends as that of another format, such as `.parquet` for CSV.
 * @throws {TypeError} If CSV or TSV has no form for the type of a column, such as a duration, a struct or a list of
 * lists. Parquet has one for each.
 * @throws {RegistryError} With code `disk` if the file cannot be written.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import pl from "nodejs-polars";
 * import { writeFrame } from "./write_frame.ts";
 *
 * const folder = await Deno.makeTempDir();
 * await writeFrame(pl.DataFrame({ a: ["x"], b: [["y", "z"]] }), `${folder}/a.csv`, { format: "csv" });
 *
 * assertEquals(await Deno.readTextFile(`${folder}/a.csv`), "a,b\nx,y;z\n");
 * await Deno.remove(folder, { recursive: true });
 * ```
 */
export async function writeFrame(frame: DataFrame, path: string, options: WriteFrameOptions): Promise<void> {
  checkOptions("writeFrame()", options, WRITE_FRAME_OPTIONS);
  const members = membersOf(frame);
  const { columns, dtypes } = members;
  const isText = options.format !== "parquet";
  const kinds = isText ? columns.map((name, index) => ({ name, kind: textKind(name, dtypes[index]) })) : [];
  await writeRows(path, options, () => ({
    rows: members.lazy(),
    columns: kinds,
    isPlain: dtypes.every(hasParquetType),
    writeParquet: (path) => members.writeParquet(path, { compression: "zstd" }),
  }));
}

const WRITERS = { csv: "toCSV()", tsv: "toTSV()", parquet: "toParquet()" } as const;

function checkTarget(path: string, format: FrameFormat, options: WriteTableOptions | undefined): void {
  checkArgument(WRITERS[format], "path", path, rule.required(rule.path));
  checkOptions(WRITERS[format], options, WRITE_TABLE_OPTIONS);
}

/** Writes the frame of a table; path and options are checked before the frame is made. */
export async function writeTable(
  frame: () => Promise<DataFrame>,
  path: string,
  format: FrameFormat,
  options: WriteTableOptions | undefined,
): Promise<string> {
  checkTarget(path, format, options);
  await writeFrame(await frame(), path, { ...options, format });
  return path;
}

/** Rows that are read as they are written, with the columns that they have. */
export interface LazyRows {
  readonly rows: LazyDataFrame;
  /** Their columns, in order. */
  readonly columns: readonly Pick<TableColumn, "name" | "dtype">[];
}

/** Writes rows of any number to a file as {@linkcode writeTable} does, in bounded memory. */
export async function writeScan(
  scan: () => LazyRows,
  path: string,
  format: FrameFormat,
  options: WriteTableOptions | undefined,
): Promise<string> {
  checkTarget(path, format, options);
  await writeRows(path, { ...options, format }, () => {
    const scanned = scan();
    return {
      rows: scanned.rows,
      columns: scanned.columns.map(({ name, dtype }) => ({ name, kind: KINDS[dtype] })),
      isPlain: true,
      writeParquet: (path) => scanned.rows.sinkParquet(path, { compression: "zstd" }).collect(),
    };
  });
  return path;
}

/** Rows, and how they become text and Parquet. */
interface WritableRows extends Pick<LazyRows, "rows"> {
  /** The columns as they become text. */
  readonly columns: readonly { readonly name: string; readonly kind: TextKind }[];
  /** Whether Parquet's own schema has all types. */
  readonly isPlain: boolean;
  writeParquet(path: string): unknown;
}

/** Writes a file of any format; it gets its name when everything is there. */
async function writeRows(
  path: string,
  { format, signal }: WriteFrameOptions,
  open: () => WritableRows,
): Promise<void> {
  signal?.throwIfAborted();
  const isGzip = isGzipName(path, format);
  const polars = await loadPolars();
  const rows = open();
  await using file = await createAtomicFile(path, { signal });
  if (format === "parquet") {
    await writeWithPolars(path, () => rows.writeParquet(file.temporaryPath));
    if (file.isFile && rows.isPlain) dropArrowSchema(file.temporaryPath);
  } else if (isGzip) {
    await using plain = await createAtomicFile(`${path}.plain`, { signal });
    await writeText(polars, rows, plain, format);
    for await (const chunk of gzipBytes(readBytes(plain.temporaryPath, { signal }), { signal })) {
      await file.write(chunk);
    }
  } else await writeText(polars, rows, file, format);
  signal?.throwIfAborted();
  await file.commit();
}

/** Writes rows as text, by `sinkCSV`: `writeCSV` quotes cells of TSV for any `quoteStyle`. */
async function writeText(
  polars: Polars,
  { rows, columns }: WritableRows,
  { path, temporaryPath }: AtomicFile,
  format: "csv" | "tsv",
): Promise<void> {
  const texts = columns.map(({ name, kind }) => {
    const text = textOf(polars, exactColumn(polars, name), kind);
    if (format === "csv") return text;
    return (kind === "plain" ? text : escapeTabs(text)).alias(escapeName(name));
  });
  const options = {
    ...format === "tsv" && { separator: "\t", quoteStyle: "never" } as const,
    // A row of one empty cell would be an empty line, which readers skip.
    ...columns.length === 1 && { nullValue: '""' },
  };
  const isOneText = format === "tsv" && columns.length === 1 && columns[0].kind !== "plain";
  const cells = isOneText ? [emptyToNull(polars, texts[0])] : texts;
  await writeWithPolars(path, () => rows.select(...cells).sinkCSV(temporaryPath, options).collect());
}

/** TSV is written without quotes, so that an empty text is written as null is. */
function emptyToNull({ lit, when }: Polars, text: Expr): Expr {
  return when(text.neq(lit(""))).then(text).otherwise(lit(null));
}

const ESCAPES: Readonly<Record<string, string>> = { "\t": "\\t", "\n": "\\n", "\r": "\\r", "\\": "\\\\" };

function escapeName(name: string): string {
  return name.replace(/[\t\n\r\\]/g, (character) => ESCAPES[character]);
}

function escapeTabs(text: Expr): Expr {
  return text
    .str.replaceAll("\\", "\\\\", true)
    .str.replaceAll("\t", "\\t", true)
    .str.replaceAll("\n", "\\n", true)
    .str.replaceAll("\r", "\\r", true);
}
