/** The records of a lake, an archive or a table, with their fields by role, in a database on disk. */
import { RegistryError } from "@seqreg/core/errors";
import { adviseName } from "@seqreg/core/options/nearest";
import { fieldAlias } from "@seqreg/core/contract/field_alias";
import { countOf } from "@seqreg/core/contract/count_of";
import { describeUnread } from "@seqreg/core/io/csv/unread_rows";
import { type LedgerEntry, noteEntry } from "@seqreg/core/contract/ledger_entries";
import { knownColumn } from "@seqreg/core/contract/fields/column_names";
import { MISSING_WORDS } from "@seqreg/core/contract/values";
import { ScratchSql, sqlName, sqlText } from "@seqreg/core/engine/local/scratch_sql";
import { createScratchFolder } from "@seqreg/core/io/files/scratch_folder";
import { findRoleByName, type Role, ROLE_NAMES } from "@seqreg/analysis/source/roles";
import {
  describeValueWord,
  findValueWords,
  VALUE_KINDS,
  VALUE_WORDS,
  type WordField,
} from "@seqreg/core/contract/values/value_words";
import { alikeEntries, finite, isList, withColumns } from "@seqreg/again/columns";
import { openSide, type Side, type SideColumn, type SideTable } from "@seqreg/again/open_side";
import { FIELD_NAMES } from "./curation_rules.ts";
import type { SourceOptions } from "./source_options.ts";

export interface RecordTableOptions extends SourceOptions {
  /** What it is for; part of the name of its temporary folder. */
  readonly purpose: string;
}

/** Bound of the database's memory. */
const MEMORY_MB = 900;

/** Sequences of the records: a subquery with the columns `id` and `sequence`. */
export interface SequenceSource {
  readonly rows: string;
  /** The column, or the table of a lake. */
  readonly name: string;
}

/** A column, with the words for missing that are values in it. */
export interface RecordColumn extends SideColumn {
  readonly valueWords?: { readonly kind: WordField; readonly words: readonly string[] };
}

interface RecordTableColumns extends SideTable {
  readonly columns: readonly RecordColumn[];
}

/** Records in a database: the view `records` has them with their number from 0, `seqreg_row`. */
export class RecordTable implements AsyncDisposable {
  private constructor(
    readonly sql: ScratchSql,
    /** The table whose records these are, with all its columns. */
    readonly table: RecordTableColumns,
    readonly side: Side,
    readonly folder: Disposable,
    readonly preferred: Readonly<Record<string, string>>,
    /** Parts of the view `records`, in the order of its rows. */
    readonly chunks: readonly RecordChunk[],
  ) {}

  /** Opens a lake, an archive, or a table (CSV, TSV, Parquet). */
  static async open(place: string, options: RecordTableOptions): Promise<RecordTable> {
    const { sheet, encoding, naming, onProgress, signal, fields = {} } = options;
    for (const role of Object.keys(fields)) requireRole(role);
    const folder = await createScratchFolder(options.purpose);
    let sql: ScratchSql | undefined;
    try {
      const side = await openSide(place, {
        folder: `${folder.path}/source`,
        types: "text",
        sheet,
        encoding,
        naming,
        onProgress,
        signal,
      });
      const files = side.tables.flatMap((table) => [...table.files, ...table.raw]);
      sql = await ScratchSql.open({ files, folder: folder.path, memoryMb: MEMORY_MB, signal });
      const table = await withColumns(sql, chooseTable(side, options.table));
      const chunks = await recordChunks(sql, table);
      const all = chunks.length === 1 ? chunks[0].rows : await allRecords(sql, { table, chunks });
      await sql.run(`CREATE VIEW records AS SELECT * FROM ${all}`);
      await sql.run(`CREATE MACRO tsv_cell(cell) AS ${TSV_CELL}`);
      await sql.run(`CREATE MACRO value_of(cell) AS ${VALUE}`);
      const opened = new RecordTable(sql, table, side, folder, fields, chunks);
      for (const name of Object.values(fields)) opened.column(name);
      const columns = await opened.#columnsWithWords();
      return new RecordTable(sql, { ...table, columns }, side, folder, fields, chunks);
    } catch (error) {
      await sql?.[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
      throw error;
    }
  }

  /**
   * The column of a field that the caller names: by its name, its alias, or a role.
   *
   * @throws {RangeError} If the table has no such field.
   */
  column(name: string): RecordColumn {
    const { columns } = this.table;
    const alias = fieldAlias(name);
    const found = columns.find((column) => column.name === name) ??
      columns.find((column) => fieldAlias(column.name) === alias) ?? this.find(name);
    if (found !== undefined) return found;
    const advice = adviseName(name, columns.map(({ name }) => name));
    throw new RangeError(`Cannot find the field "${name}" in ${this.table.name}: ${advice}`);
  }

  /** The columns, those in which words for missing are values with these. */
  async #columnsWithWords(): Promise<RecordColumn[]> {
    const columns: RecordColumn[] = [...this.table.columns];
    for (const role of ROLE_NAMES) {
      const kind = VALUE_KINDS[role];
      const column = kind && this.find(role);
      if (column === undefined || isList(column.dtype)) continue;
      const text = textOf(column);
      // Few columns hold such a word: statistics of the files tell.
      const [some] = await this.sql.all(
        `SELECT 1 FROM records WHERE ${text} IN (${VALUE_WORDS.map(sqlText).join(", ")}) LIMIT 1`,
      );
      if (some === undefined) continue;
      const texts = (await this.sql.all(`SELECT DISTINCT ${text} FROM records`)).map(([text]) => text);
      const valueWords = findValueWords(kind!, texts);
      if (valueWords.size === 0) continue;
      const at = columns.findIndex(({ name }) => name === column.name);
      columns[at] = { ...column, valueWords: { kind: kind!, words: [...valueWords] } };
    }
    return columns;
  }

  /** The column that plays a role, or that a rule of curation knows by its names. */
  find(what: string): RecordColumn | undefined {
    const { columns } = this.table;
    if (Object.hasOwn(this.preferred, what)) return this.column(this.preferred[what]);
    const names = Object.hasOwn(FIELD_NAMES, what) ? FIELD_NAMES[what] : undefined;
    if (names !== undefined) {
      return names.flatMap((name) => columns.find((column) => fieldAlias(column.name) === name) ?? [])[0];
    }
    const role = ROLE_NAMES.find((name) => name === what);
    if (role === undefined) return undefined;
    if (role === "accession" && this.table.idField !== undefined) {
      return columns.find(({ name }) => name === this.table.idField);
    }
    return this.#byRole(role);
  }

  /** Tables of text have no types: every column could play the role. */
  #byRole(role: Role): RecordColumn | undefined {
    const found = findRoleByName(this.table.columns.map(({ name }) => name), role);
    return this.table.columns.find(({ name }) => name === found);
  }

  /** The accession of the records. @throws {RangeError} If no field is known to hold it. */
  accession(): RecordColumn {
    const found = this.find("accession");
    if (found !== undefined) return found;
    throw new RangeError(
      `Cannot tell the records of ${this.table.name} apart: no field is known to hold their accession; name it, as in ` +
        "--field accession=NAME",
    );
  }

  /** Where the sequences are: a column of the table, or the lake's table of sequences; absent without any. */
  async sequences(): Promise<SequenceSource | undefined> {
    const own = this.find("sequence");
    const id = this.accession();
    if (own !== undefined) {
      return {
        name: own.name,
        rows: `SELECT ${textOf(id)} AS id, ${textOf(own)} AS sequence FROM records`,
      };
    }
    const others = this.side.tables.filter(({ sequence, idField }) => sequence !== undefined && idField !== undefined);
    const partner = others.find(({ name }) => name === this.table.name.replace(/_metadata$/, "_sequence")) ??
      (others.length === 1 ? others[0] : undefined);
    if (partner === undefined) return undefined;
    return {
      name: `table ${partner.name}`,
      rows: `SELECT ${sqlName(partner.idField!)}::VARCHAR AS id, ${sqlName(partner.sequence!)}::VARCHAR AS sequence ` +
        `FROM ${await this.sql.parquet(partner.files)}`,
    };
  }

  /** What reading the source has left out. */
  entries(): LedgerEntry[] {
    const { name, unparsed, problems, columns } = this.table;
    const words = columns.flatMap(({ name, valueWords }) =>
      valueWords === undefined
        ? []
        : valueWords.words.map((word) =>
          noteEntry("word-is-value", describeValueWord(valueWords.kind, word, name), { field: name })
        )
    );
    const alike = [...this.table.entries ?? [], ...alikeEntries(this.table), ...words];
    if (unparsed === 0) return alike;
    const what = `${countOf(unparsed, "row")} of ${name}`;
    const text = `in no file: ${describeUnread(unparsed, problems, what)}`;
    return [...alike, noteEntry("unreadable", text, { count: unparsed })];
  }

  /** Closes the database and removes it. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.sql[Symbol.asyncDispose]();
    this.folder[Symbol.dispose]();
  }
}

/** Rejects what is neither a role nor a name that rules know. @throws {RangeError} */
function requireRole(role: string): void {
  const known = [...ROLE_NAMES, ...Object.keys(FIELD_NAMES)];
  if (known.includes(role)) return;
  throw new RangeError(`Cannot use a field as "${role}": unknown role; ${adviseName(role, known)}`);
}

/** Records that are sorted together where their order matters. */
const ROWS_OF_CHUNK = 400_000;

/** Some records, one after the other. */
export interface RecordChunk {
  /** A subquery with the columns of the view `records`. */
  readonly rows: string;
  /** Number of the first row after them; all numbers up to here, from that of the first, are in it. */
  readonly end: number;
  /** Number of the first row of each file. */
  readonly offsets: readonly number[];
}

/** The records of some files at a time, with their numbers. */
async function recordChunks(sql: ScratchSql, { columns, files }: SideTable): Promise<RecordChunk[]> {
  const own = new Set(columns.map(({ name }) => name.toLowerCase()));
  const isNamed = own.has("file_index") || own.has("file_row_number");
  if (isNamed) {
    return [{
      rows: `(SELECT row_number() OVER () - 1 AS seqreg_row, * FROM ${await sql.parquet(files)})`,
      end: Infinity,
      offsets: [0],
    }];
  }
  const counts = await sql.all(`SELECT file_index, count(*) FROM ${await sql.parquet(files)} GROUP BY 1`);
  const sizes = new Map(counts.map(([file, count]) => [Number(file), Number(count)]));
  const chunks: RecordChunk[] = [];
  let offset = 0;
  for (let from = 0; from < files.length;) {
    const offsets: number[] = [];
    const first = offset;
    let to = from;
    for (; to < files.length && (to === from || offset - first < ROWS_OF_CHUNK); to++) {
      offsets.push(offset);
      offset += sizes.get(to) ?? 0;
    }
    chunks.push({ rows: await numbered(sql, { files: files.slice(from, to), offsets }), end: offset, offsets });
    from = to;
  }
  return chunks;
}

function allRecords(
  sql: ScratchSql,
  { table, chunks }: { readonly table: SideTable; readonly chunks: readonly RecordChunk[] },
): Promise<string> {
  return numbered(sql, { files: table.files, offsets: chunks.flatMap(({ offsets }) => offsets) });
}

/** A window function counts rows too, but by one thread alone, and it keeps conditions from the files. */
async function numbered(
  sql: ScratchSql,
  { files, offsets }: { readonly files: readonly string[]; readonly offsets: readonly number[] },
): Promise<string> {
  const before = offsets.length === 1
    ? String(offsets[0])
    : `([${offsets.join(", ")}]::BIGINT[])[file_index::BIGINT + 1]`;
  return `(SELECT ${before} + file_row_number AS seqreg_row, * FROM ${await sql.parquet(files)})`;
}

/** A cell without raw tabs, line ends and backslashes; null is empty. */
const TSV_CELL = `coalesce(CASE WHEN regexp_matches(cell, '[\\t\\n\\r\\\\]') THEN ${
  [["\\", "\\\\"], ["\t", "\\t"], ["\n", "\\n"], ["\r", "\\r"]].reduce(
    (sql, [from, to]) => `replace(${sql}, ${sqlText(from)}, ${sqlText(to)})`,
    "cell",
  )
} ELSE cell END, '')`;

function chooseTable({ place, tables }: Side, name: string | undefined): SideTable {
  const names = tables.map(({ name }) => name).join(", ");
  if (name !== undefined) {
    const found = tables.find((table) => table.name === name);
    if (found !== undefined) return found;
    throw new RangeError(`Cannot find the table "${name}" in ${place}: expected one of ${names}`);
  }
  const withMetadata = tables.filter(({ sequence }) => sequence === undefined);
  const found = tables.find(({ name }) => name === "full_dataset_metadata") ??
    (withMetadata.length === 1 ? withMetadata[0] : tables.length === 1 ? tables[0] : undefined);
  if (found !== undefined) return found;
  if (tables.length === 0) throw new RegistryError("disk", `Cannot read ${place}: it has no table; check its name`);
  throw new RangeError(`Cannot choose a table of ${place}: name one of ${names}, as in --table ${tables[0].name}`);
}

/** A column as text; the items of a list are joined by `;`. */
export function textOf({ name, dtype }: SideColumn): string {
  return isList(dtype) ? `array_to_string(${sqlName(name)}, ';')` : `${sqlName(name)}::VARCHAR`;
}

/** Unicode's white space, which `trim()` of SQL has to be told. */
const SPACES = "\t\n\v\f\r \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a" +
  "\u2028\u2029\u202f\u205f\u3000";

/** The words as a pattern: a list of them would be joined to every text, the long ones too. */
const WORDS = MISSING_WORDS.map((word) => word.replaceAll(/[^\w ]/g, "[$&]").replace("[^]", "\\^")).join("|");

const LONGEST_WORD = MISSING_WORDS.reduce((most, { length }) => Math.max(most, length), 0);

/** Null for a text that is empty or a word for missing. */
function presentText(text: string): string {
  return `CASE WHEN strlen(${text}) > ${LONGEST_WORD} THEN ${text} WHEN ${text} = '' OR ` +
    `regexp_full_match(lower(${text}), ${sqlText(WORDS)}) THEN NULL ELSE ${text} END`;
}

/** Whether a text may have white space around it: few have any, and to look for all of it is slow. */
const IS_SPACED = `cell < '!' OR strlen(cell) <> length(cell) OR ${
  [..." \t\n\v\f\r"].map((space) => `suffix(cell, ${sqlText(space)})`).join(" OR ")
}`;

/** The value of a cell. The database computes a text again wherever it stands: what is slow stands in a rare case. */
const VALUE = `CASE WHEN ${IS_SPACED} THEN ${presentText(`trim(cell, ${sqlText(SPACES)})`)} ELSE ${
  presentText("cell")
} END`;

/** The value of a column without white space around it; null where it is missing, or a word for missing. */
export function valueOf(column: RecordColumn): string {
  return presentValue(textOf(column), column);
}

/** The same of a text in SQL, which a column has. */
export function presentValue(text: string, column: RecordColumn | undefined): string {
  const value = `value_of(${text})`;
  if (column?.valueWords === undefined) return value;
  const trimmed = `trim(${text}, ${sqlText(SPACES)})`;
  const words = column.valueWords.words.map(sqlText).join(", ");
  return `CASE WHEN ${trimmed} IN (${words}) THEN ${trimmed} ELSE ${value} END`;
}

/** A number as archives write it; see `contract/values/numbers.ts`. */
const DECIMAL = "[+-]?(?:[0-9]+(?:[.][0-9]*)?|[.][0-9]+)(?:[eE][+-]?[0-9]+)?";

/** The value of a column as a number, of a text as a lake reads it, with its unit; null if it is not a finite one. */
export function numberOf(column: SideColumn): string {
  const isNumber = /^(U?INT|U?BIGINT|INTEGER|SMALLINT|TINYINT|DOUBLE|FLOAT)/i.test(column.dtype ?? "");
  if (isNumber) return finite(`${sqlName(column.name)}::DOUBLE`);
  const unit = column.unit ?? knownColumn(column.name)?.unit ?? "";
  const ending = unit === "" ? "" : `(?:${unit.replace(/[^\p{L}\p{N}]/gu, "[$&]")})?[${SPACES}]*`;
  const pattern = `^[${SPACES}]*(${DECIMAL})[${SPACES}]*${ending}$`;
  return finite(`TRY_CAST(nullif(regexp_extract(${textOf(column)}, ${sqlText(pattern)}, 1), '') AS DOUBLE)`);
}
