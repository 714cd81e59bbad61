/**
 * Rows of CSV to a Parquet file in memory: one row group for each part, several where rows are very short.
 *
 * The look at each byte is WebAssembly's (`wasm/columns.as.ts`); rows have been through the row checker, so that each
 * is of the right width and every cell of a typed column is written as its type is. What is rare, dates and long
 * numbers, is read by the rules of `contract/values`. Own code instead of DuckDB and polars: `deno task bench lake`.
 */
import { startWasm } from "../../../io/tasks/wasm.ts";
import { WASM_BASE64 } from "../../wasm/columns_wasm.ts";
import { type LaidOutColumn, ParquetBytes } from "../../../parquet/write/parquet_bytes.ts";
import type { RowGroup } from "../../../parquet/metadata.ts";
import type { FileChecks } from "../../../parquet/write/file_checks.ts";
import type { FileMetadata, ParquetField } from "../../../parquet/write/columns.ts";
import { type PartialDate, readPartialDate } from "../../../contract/values/mod.ts";

export interface PartColumn {
  /** What it is made to; `dates` is text and three columns more. */
  readonly type: "text" | "integer" | "float" | "boolean" | "list" | "dates";
  /** Names of the columns of Parquet. */
  readonly names: readonly string[];
}

/** What there is to encode. */
export interface PartSchema {
  readonly columns: readonly PartColumn[];
  /** Column whose order is looked at; -1 for none. */
  readonly idColumn: number;
  /** Keys and values in the footer of each file. */
  readonly metadata?: FileMetadata;
}

/** What was seen of the identifiers of a part. */
export interface SeenIds {
  readonly rows: number;
  readonly nulls: number;
  /** Whether each is there and after the one before it. */
  readonly ascend: boolean;
  /** The first and the last, of those that are there. */
  readonly first: string;
  readonly last: string;
}

export interface EncodedPart {
  readonly parquet: Uint8Array<ArrayBuffer>;
  readonly checks: FileChecks;
  /** Its row groups, as its footer lists them. */
  readonly groups: readonly RowGroup[];
  /** Its identifiers, group by group. */
  readonly ids: readonly SeenIds[];
}

/** Most rows of a row group: a filter passes most of a table over. */
export const GROUP_ROWS = 262_144;
/** Maximum length of a text in the statistics of least and greatest values. */
const MAX_RANGE_BYTES = 1024;
/** Memory of a module that is kept for the next part. */
const KEPT_BYTES = 160 * 1024 * 1024;
/** Dates that are read once for all of their cells. */
const MAX_KNOWN = 10_000;

interface SettableNumber {
  value: number;
}

/** What the module exports; see `wasm/columns.as.ts`. */
interface ColumnsRoutines {
  readonly memory: WebAssembly.Memory;
  readonly text: SettableNumber;
  readonly distinct: SettableNumber;
  readonly dictionary: SettableNumber;
  readonly dictionaryEnd: SettableNumber;
  readonly page: SettableNumber;
  readonly pageEnd: SettableNumber;
  readonly values: SettableNumber;
  readonly nulls: SettableNumber;
  readonly least: SettableNumber;
  readonly leastBytes: SettableNumber;
  readonly greatest: SettableNumber;
  readonly greatestBytes: SettableNumber;
  readonly firstSeen: SettableNumber;
  readonly lastSeen: SettableNumber;
  readonly earliest: SettableNumber;
  readonly latest: SettableNumber;
  readonly precision: SettableNumber;
  begin(bytes: number, columns: number, rows: number): void;
  split(): number;
  cellCount(column: number): number;
  ascends(column: number): number;
  encodeTexts(column: number): void;
  encodeNumbers(column: number, kind: number): void;
  encodeBooleans(column: number): void;
  encodeLists(column: number): void;
  makeDates(column: number): void;
}

const INTEGER = 0;
const FLOAT = 1;
const DAY = 2;
const PRECISIONS = ["year", "month", "day", "range"] as const;

/** Encodes parts of one table, one after another. */
export class PartEncoder {
  readonly #columns: readonly PartColumn[];
  readonly #idColumn: number;
  readonly #fields: readonly ParquetField[];
  readonly #metadata: FileMetadata | undefined;
  readonly #dates = new Map<string, PartialDate | undefined>();
  #routines: ColumnsRoutines | undefined;

  constructor({ columns, idColumn, metadata }: PartSchema) {
    this.#metadata = metadata;
    this.#columns = columns;
    this.#idColumn = idColumn;
    this.#fields = parquetFields(columns);
  }

  /** Encodes rows, as many as stated; their memory is the caller's again from `taken` on. */
  encode(csv: Uint8Array, rows: number, taken = () => {}): EncodedPart {
    const routines = this.#routines ??= this.#startWasm();
    routines.begin(csv.length, this.#columns.length, Math.min(rows, GROUP_ROWS));
    new Uint8Array(routines.memory.buffer, routines.text.value).set(csv);
    taken();
    const file = new ParquetBytes(this.#fields, this.#metadata);
    const ids: SeenIds[] = [];
    for (let done = 0; done < rows;) {
      const count = routines.split();
      if (count === 0) throw new RangeError(`Cannot encode ${rows} rows: there are ${done}`);
      done += count;
      if (this.#idColumn !== -1) ids.push(this.#seeIds(routines, count));
      file.addGroup(count, this.#layOut(routines));
    }
    if (routines.memory.buffer.byteLength > KEPT_BYTES) this.#routines = undefined;
    const { bytes, checks, groups } = file.finish();
    return { parquet: bytes, checks, groups, ids };
  }

  #startWasm(): ColumnsRoutines {
    const textAt = (start: number, end: number) =>
      decoder.decode(new Uint8Array(routines.memory.buffer, start, end - start));
    const host = {
      readFloat: (start: number, end: number) => Number(textAt(start, end)),
      readDate: (start: number, end: number) => {
        const date = this.#readDate(textAt(start, end));
        if (date === undefined) return 0;
        routines.earliest.value = date.earliest;
        routines.latest.value = date.latest;
        routines.precision.value = PRECISIONS.indexOf(date.precision);
        return 1;
      },
    };
    const routines: ColumnsRoutines = startWasm(WASM_BASE64, "encoder", ["memory", "makeDates"], host);
    return routines;
  }

  #readDate(text: string): PartialDate | undefined {
    if (this.#dates.has(text)) return this.#dates.get(text);
    const date = readPartialDate(text);
    if (this.#dates.size >= MAX_KNOWN) this.#dates.clear();
    this.#dates.set(text, date);
    return date;
  }

  #seeIds(routines: ColumnsRoutines, rows: number): SeenIds {
    const ascends = routines.ascends(this.#idColumn) !== 0;
    const nulls = rows - routines.cellCount(this.#idColumn);
    const text = (pointer: number) => {
      if (pointer === 0) return "";
      const { buffer } = routines.memory;
      return decoder.decode(new Uint8Array(buffer, pointer + 4, new DataView(buffer).getUint32(pointer, true)));
    };
    return {
      rows,
      nulls,
      ascend: ascends && nulls === 0,
      first: text(routines.firstSeen.value),
      last: text(routines.lastSeen.value),
    };
  }

  *#layOut(routines: ColumnsRoutines): Generator<LaidOutColumn> {
    const count = this.#columns.length;
    for (const [index, { type }] of this.#columns.entries()) {
      if (type === "integer") routines.encodeNumbers(index, INTEGER);
      else if (type === "float") routines.encodeNumbers(index, FLOAT);
      else if (type === "boolean") routines.encodeBooleans(index);
      else if (type === "list") routines.encodeLists(index);
      else routines.encodeTexts(index);
      yield laidOut(routines, type !== "list");
      if (type !== "dates") continue;
      routines.makeDates(index);
      routines.encodeNumbers(count, DAY);
      yield laidOut(routines, true);
      routines.encodeNumbers(count + 1, DAY);
      yield laidOut(routines, true);
      routines.encodeTexts(count + 2);
      yield laidOut(routines, true);
    }
  }
}

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

const FIELD_TYPES = {
  text: "utf8",
  dates: "utf8",
  integer: "int64",
  float: "float64",
  boolean: "boolean",
  list: "list",
} as const;

/** Columns of Parquet that the columns of the CSV become. */
export function parquetFields(columns: readonly PartColumn[]): readonly ParquetField[] {
  return columns.flatMap(fieldsOf);
}

function fieldsOf({ type, names }: PartColumn): ParquetField[] {
  const types = type === "dates" ? ["utf8", "date", "date", "utf8"] as const : [FIELD_TYPES[type]];
  return types.map((fieldType, index) => ({ name: names[index], type: fieldType, optional: true }));
}

function laidOut(routines: ColumnsRoutines, hasRange: boolean): LaidOutColumn {
  const { buffer } = routines.memory;
  const bytes = (from: SettableNumber, to: SettableNumber) => new Uint8Array(buffer, from.value, to.value - from.value);
  const [leastBytes, greatestBytes] = [routines.leastBytes.value, routines.greatestBytes.value];
  const range = hasRange && leastBytes >= 0 && leastBytes <= MAX_RANGE_BYTES && greatestBytes <= MAX_RANGE_BYTES && {
    least: new Uint8Array(buffer, routines.least.value, leastBytes).slice(),
    greatest: new Uint8Array(buffer, routines.greatest.value, greatestBytes).slice(),
  };
  const distinct = routines.distinct.value;
  return {
    values: routines.values.value,
    nulls: routines.nulls.value,
    page: bytes(routines.page, routines.pageEnd),
    ...range && { range },
    ...distinct > 0 && { dictionary: { values: distinct, bytes: bytes(routines.dictionary, routines.dictionaryEnd) } },
  };
}
