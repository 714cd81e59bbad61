/**
 * The one door for people's tables: whatever a table is saved as, it comes in as CSV with commas, UTF-8, under a header
 * of unique names, with notes of all that is unusual about it.
 *
 * | saved as | what is read |
 * |---|---|
 * | text | rows separated by commas, semicolons, tabs or vertical bars; titles, comments and `sep=` above the header left
 * out; in a table with tabs or bars a cell that begins and ends with a quote is quoted; line ends LF, CRLF or CR |
 * | an Excel workbook (.xlsx) | one sheet |
 * | JSON Lines, an array of objects, or an answer with `reports` | one object a row |
 * | Parquet | its columns, with the types that it declares; those of text columns are found as in a CSV |
 *
 * Each plain, gzip or Zstandard, recognised by its bytes. Row numbers of pandas and R are left out, their row names and
 * other columns without a name get one; rows and columns without a value are nothing.
 */
import { ParseError } from "../../errors.ts";
import type { KnownColumn } from "../../contract/fields/column_names.ts";
import type { LedgerEntry } from "../../contract/ledger_entries.ts";
import type { ByteSource } from "../../io/bytes/byte_source.ts";
import { describeBytes, nextFor } from "../../io/bytes/describe_bytes.ts";
import { openBytes } from "../../io/bytes/open_bytes.ts";
import { type OpenedSource, openSource } from "../../io/bytes/open_source.ts";
import { peekBytes } from "../../io/bytes/peek_bytes.ts";
import { rereadable } from "../../io/bytes/rereadable.ts";
import { sourceName } from "../../io/bytes/source_name.ts";
import { sha256 as digestOf, startSha256 } from "../../io/digest/sha256.ts";
import { CsvSplitter } from "../../io/csv/csv_splitter.ts";
import { NOT_A_TABLE } from "../../io/csv/not_a_table.ts";
import { noteRepeatedHeaders } from "../../io/csv/repeated_header.ts";
import { noteSeparator } from "../../io/csv/separator.ts";
import type { CsvRow } from "../../io/csv/split_rows.ts";
import type { TextTable } from "../../io/csv/text_table.ts";
import { HEAD_ROWS } from "../../io/csv/titles.ts";
import { csvOfTable, csvOfText } from "./_canonical_csv.ts";
import { linesAt, withoutHeaders } from "./_repeated_header.ts";
import { noteDoubtfulHeader } from "./_doubtful_header.ts";
import { looksLikeRecords, readJsonLines } from "./_json_lines.ts";
import { endsWithReturns, requireEncoding, requireUtf8, swapLineEnds } from "./_table_text.ts";
import { findTextForm, isPlainHeader, isPlainText } from "./_text_form.ts";
import { splitText } from "./_text_rows.ts";

export interface OpenTableOptions {
  /** Named in errors; the path by default. */
  readonly name?: string;
  /** The sheet of a workbook: its name, or its number from 1; by default the first visible one that holds data. */
  readonly sheet?: string | number;
  /** Encoding of a table of text, by a name of the Encoding standard such as `windows-1252` (default: UTF-8). */
  readonly encoding?: string;
  /** Receives the number of bytes read so far, as they are stored, in each reading. */
  readonly onBytes?: (done: number) => void;
  readonly signal?: AbortSignal;
}

export interface OpenTable extends AsyncDisposable {
  /** Names of the columns, unique and not empty. */
  readonly columns: readonly string[];
  /** What is unusual about it, and what could not be read. */
  readonly entries: readonly LedgerEntry[];
  /** Whether it is CSV that is passed on as it stands. */
  readonly isPlain?: boolean;
  /** Type and unit of each column, where the file declares one other than text. */
  readonly types?: readonly (KnownColumn | undefined)[];
  /** Whether it writes decimals with commas, so that a point may separate thousands. */
  readonly hasDecimalCommas?: boolean;
  read(): Promise<TableReading>;
}

export interface TableReading {
  /** CSV with commas: the header, then the rows, each as wide as the header unless its own is at fault. */
  readonly chunks: AsyncGenerator<Uint8Array>;
  /** SHA-256 of the file as it is stored, when all chunks were read. */
  digest(): string;
  /** What was found among its rows, when all chunks were read. */
  entries?(): Promise<readonly LedgerEntry[]>;
}

/** Bytes from which the form of a text is recognised, unless all of it has to be looked at. */
const HEAD_BYTES = 1 << 20;
/** Bytes that are read to recognise what a file is. */
const MAGIC_BYTES = 512;
const WORKBOOK = "a ZIP archive (or an Excel workbook)";
const OLD_WORKBOOK = "an Excel workbook of the old form (.xls)";

/**
 * Opens a table. A source that can be read only once is put aside in a temporary file.
 *
 * @returns rows = rows of the table that hold a value; columns as texts.
 * @throws {RangeError} If there is no such sheet or encoding, or the table has none.
 * @throws {ParseError} If it is something else, such as an HTML page, is empty, or two columns have one name.
 * @throws {RegistryError} With code `disk` if it cannot be read.
 */
export async function openTable(source: ByteSource, options: OpenTableOptions = {}): Promise<OpenTable> {
  const name = options.name ?? sourceName(source);
  if (options.encoding !== undefined) requireEncoding(options.encoding);
  await using stack = new AsyncDisposableStack();
  const stored = stack.use(await rereadable(source, options.signal));
  const table = await open({ name, source: stored.source, options, stack });
  const owned = stack.move();
  return { ...table, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

/** A table that is being opened. */
interface Stored {
  readonly name: string;
  readonly source: ByteSource;
  readonly options: OpenTableOptions;
  /** Takes what is released with the table. */
  readonly stack: AsyncDisposableStack;
  /** The reading by which its form was recognised, until another continues it. */
  begun?: FileReading | undefined;
}

/** A reading of the file from its beginning. */
interface FileReading {
  readonly source: OpenedSource;
  /** Its content, decompressed. */
  readonly chunks: AsyncGenerator<Uint8Array>;
}

type Opened = Omit<OpenTable, keyof AsyncDisposable>;

async function open(stored: Stored): Promise<Opened> {
  const { name, source, options: { sheet, encoding, signal } } = stored;
  const { head, isCompressed } = await beginReading(stored);
  const looks = describeBytes(head.subarray(0, MAGIC_BYTES));
  if (looks === WORKBOOK) {
    if (encoding !== undefined) {
      throw new RangeError(`Cannot read ${name} as ${encoding}: a workbook has an encoding of its own`);
    }
    const { readWorkbookTable } = await import("../../io/workbook/workbook_table.ts");
    return await inMemory(stored, async (chunks) => {
      const { table, entries } = await readWorkbookTable(chunks, { ...stored.options, name });
      return {
        table,
        entries: [...entries, ...noteDoubtfulHeader(name, table.columns, table.rows.slice(0, HEAD_ROWS))],
      };
    });
  }
  if (looks === OLD_WORKBOOK) throw await oldWorkbook(stored);
  if (sheet !== undefined) {
    throw new RangeError(`Cannot read the sheet ${JSON.stringify(sheet)} of ${name}: the table is not a workbook`);
  }
  const refuseEncoding = (what: string) => {
    if (encoding === undefined) return;
    throw new RangeError(`Cannot read ${name} as ${encoding}: ${what} is always UTF-8`);
  };
  if (looks === "a Parquet file") {
    refuseEncoding("Parquet");
    const { openParquet } = await import("./_parquet_table.ts");
    const sha256 = await digestOf(source, { signal });
    // polars reads no compressed file.
    const plain = isCompressed
      ? stored.stack.use(await rereadable(openBytes(source, { name, signal }), signal)).source
      : source;
    return await openParquet(plain, { name, sha256 });
  }
  // A registry's answer of an error that was saved as a table is not one.
  if (looks === "JSON" && looksLikeRecords(head) && !/\.[ct]sv(\.[a-z0-9]+)?$/i.test(name)) {
    refuseEncoding("JSON");
    return await inMemory(stored, async (chunks) => await readJsonLines(chunks, { name, signal }));
  }
  if (looks !== "UTF-16 text" && NOT_A_TABLE.includes(looks)) {
    throw new ParseError(
      `Cannot read the table ${name}: expected CSV, TSV, JSON Lines, Parquet or an Excel workbook (.xlsx), it looks ` +
        `like ${looks}; ${nextFor(looks)}`,
      { line: 1 },
    );
  }
  return await openText(stored, head);
}

/** Begins a reading of the file, or continues that by which its form was recognised. */
async function start(stored: Stored): Promise<FileReading> {
  const { begun, name, source, options: { onBytes, signal } } = stored;
  stored.begun = undefined;
  if (begun !== undefined) return begun;
  let done = 0;
  const opened = await openSource(source, {
    name,
    hash: startSha256(),
    onChunk: (chunk) => onBytes?.(done += chunk.length),
    signal,
  });
  return { source: opened, chunks: opened.chunks() };
}

/** Reads the first bytes of a file, decompressed; the first reading of its rows continues from there. */
async function beginReading(
  stored: Stored,
): Promise<{ readonly head: Uint8Array; readonly isCompressed: boolean }> {
  const { source, chunks: all } = await start(stored);
  stored.stack.defer(() => source.close());
  const { head, chunks } = await peekBytes(all, (bytes) => bytes >= HEAD_BYTES);
  stored.begun = { source, chunks };
  return { head: head.subarray(0, HEAD_BYTES), isCompressed: source.compression !== undefined };
}

/** A table that is held in memory. */
async function inMemory(
  stored: Stored,
  read: (
    chunks: AsyncGenerator<Uint8Array>,
  ) => Promise<{ readonly table: TextTable } & Pick<OpenTable, "entries" | "types">>,
): Promise<Opened> {
  const { source, chunks } = await start(stored);
  try {
    const { table, ...found } = await read(chunks);
    const digest = source.digest()!;
    return {
      columns: table.columns,
      ...found,
      read: () => Promise.resolve({ chunks: csvOfTable(table), digest: () => digest }),
    };
  } finally {
    await source.close();
  }
}

/** A table of text: passed on as it is where its form is that of a CSV, else written anew row by row. */
async function openText(stored: Stored, bytes: Uint8Array): Promise<Opened> {
  const { name, options: { encoding } } = stored;
  if (encoding === undefined) requireUtf8(bytes, name);
  const decoded = encoding === undefined ? bytes : utf8Of(bytes, encoding);
  const returns = endsWithReturns(decoded);
  const head = returns ? swapLineEnds(decoded) : decoded;
  if (encoding === undefined && !returns && isPlainText(head)) {
    const rows = headRows(head, name);
    if (isPlainHeader(rows)) {
      const read = async () => {
        const { source, chunks: all } = await start(stored);
        const { chunks, offsets } = withoutHeaders(all, head, rows[0].cells, () => readAgain(stored));
        return { chunks, digest: () => source.digest()!, entries: () => noteHeadersAt(stored, offsets) };
      };
      const [{ cells, line }, ...below] = rows;
      const entries = noteDoubtfulHeader(`${name}, line ${line}`, cells, below.map((row) => row.cells));
      return { columns: cells, entries, isPlain: true, read };
    }
  }
  const form = await findTextForm({
    name,
    head,
    saved: { ...encoding !== undefined && { encoding }, endsWithReturns: returns },
    read: async () => (await start(stored)).chunks,
  });
  const { separator } = form;
  // A name that does not promise commas promises nothing.
  const isUnexpected = separator === ";" || separator === "|" ||
    separator === "\t" && /\.csv(\.[a-z0-9]+)?$/i.test(name);
  return {
    columns: form.columns,
    hasDecimalCommas: form.hasDecimalCommas,
    entries: [...isUnexpected ? [noteSeparator(name, separator)] : [], ...form.entries],
    async read() {
      const { source, chunks } = await start(stored);
      const repeated: number[] = [];
      return {
        chunks: csvOfText(splitText(chunks, form, `the table ${name}`), form, repeated),
        digest: () => source.digest()!,
        entries: () => Promise.resolve(noteRepeatedHeaders(name, repeated)),
      };
    },
  };
}

/** Notes the lines of a text that repeat its header, by where they begin; their numbers are found if there are any. */
async function noteHeadersAt(stored: Stored, offsets: readonly number[]): Promise<LedgerEntry[]> {
  return offsets.length === 0 ? [] : noteRepeatedHeaders(stored.name, await linesAt(readAgain(stored), offsets));
}

/** Reads the file once more, decompressed. */
async function* readAgain({ name, source, options: { signal } }: Stored): AsyncGenerator<Uint8Array> {
  const opened = await openSource(source, { name, signal });
  try {
    yield* opened.chunks();
  } finally {
    await opened.close();
  }
}

/** Text of some encoding as UTF-8; a character that is cut at the end is left out. */
function utf8Of(bytes: Uint8Array, encoding: string): Uint8Array {
  const isBigEndian = requireEncoding(encoding) === "utf-16le" && bytes[0] === 0xfe && bytes[1] === 0xff;
  const decoder = new TextDecoder(isBigEndian ? "utf-16be" : encoding);
  return new TextEncoder().encode(decoder.decode(bytes, { stream: true }));
}

/** The first rows of a CSV; none where they cannot be read. */
function headRows(head: Uint8Array, name: string): readonly CsvRow[] {
  const splitter = new CsvSplitter({ name });
  try {
    const rows = [...splitter.push(head).texts()];
    if (head.length < HEAD_BYTES) rows.push(...splitter.finish().texts());
    return rows.slice(0, HEAD_ROWS);
  } catch (error) {
    if (error instanceof ParseError) return [];
    throw error;
  }
}

/** Name of the stream that an encrypted workbook is in, within a compound file (MS-OFFCRYPTO 2.3.4.4). */
const ENCRYPTED = Array.from("EncryptedPackage", (letter) => letter + "\0").join("");

async function oldWorkbook(stored: Stored): Promise<ParseError> {
  const { name } = stored;
  const { chunks } = await start(stored);
  const decoder = new TextDecoder("windows-1252");
  let before = "";
  for await (const chunk of chunks) {
    const text = before + decoder.decode(chunk);
    if (text.includes(ENCRYPTED)) {
      return new ParseError(
        `Cannot read the table ${name}: it is an encrypted workbook; open it in Excel and save it without a password`,
      );
    }
    before = text.slice(-ENCRYPTED.length);
  }
  return new ParseError(
    `Cannot read the table ${name}: it is ${OLD_WORKBOOK}; save it as .xlsx, or the sheet as CSV`,
  );
}
