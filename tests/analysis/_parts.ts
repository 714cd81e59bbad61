/** A table in two Parquet files, with columns of every form that a lake has. */
import { Buffer } from "node:buffer";
import pl, { type DataFrame } from "nodejs-polars";
import type { AnalysisLake } from "../../src/analysis/mod.ts";
import type { TextTest } from "../../src/core/parquet/read/text_kinds.ts";

export const ROWS = 3000;

/** The table, its files, and nulls of its columns of lists. */
export interface Parts {
  readonly paths: readonly string[];
  /** The columns that are no lists. */
  readonly frame: DataFrame;
  readonly lists: Readonly<Record<string, number>>;
  readonly lake: AnalysisLake;
}

/** Writes the table below a folder. */
export function writeParts(folder: string): Parts {
  const each = <T>(make: (row: number) => T) => Array.from({ length: ROWS }, (_, row) => make(row));
  const frame = pl.DataFrame([
    pl.Series("own texts", each((row) => `vj${row}`), pl.String),
    pl.Series("few texts", each((row) => ["a", "unknown", null, "", "zz"][row % 5]), pl.String),
    pl.Series("one text", each(() => "a"), pl.String),
    pl.Series("no text", each(() => null), pl.String),
    pl.Series("long texts", each((row) => row % 3 === 0 ? null : "-".repeat(row % 50)), pl.String),
    pl.Series("few numbers", each((row) => row % 4 === 0 ? null : row % 11), pl.Int64),
    pl.Series("own numbers", each((row) => row * 7919), pl.Int64),
    pl.Series("floats", each((row) => row % 9 === 0 ? null : row % 500 === 7 ? NaN : row / 8), pl.Float64),
    pl.Series("booleans", each((row) => row % 6 === 0 ? null : row % 2 === 0), pl.Bool),
  ]);
  const empty = (row: number, every: number) => row % every === 0;
  const joined = pl.DataFrame([
    pl.Series("full", each((row) => `${row};x`), pl.String),
    pl.Series("some", each((row) => empty(row, 3) ? null : "a;b;c"), pl.String),
    pl.Series("long runs", each((row) => row < 1700 ? null : "a"), pl.String),
    pl.Series("none", each(() => null), pl.String),
  ]);
  const whole = pl.concat([
    frame,
    joined.select(...joined.columns.map((name) => pl.col(name).str.split(";").alias(name))),
  ], { how: "horizontal" });
  const table = `${folder}/table`;
  Deno.mkdirSync(table);
  const names = ["part-00000.parquet", "part-00001.parquet"];
  const cut = 1999;
  whole.head(cut).lazy().sinkParquet(`${table}/${names[0]}`, { compression: "zstd", rowGroupSize: 700 }).collectSync();
  whole.tail(ROWS - cut).writeParquet(`${table}/${names[1]}`, { compression: "zstd" });
  const types = ["string", "string", "string", "string", "string", "integer", "integer", "float", "boolean"] as const;
  const dtypes = ["String", "String", "String", "String", "String", "Int64", "Int64", "Float64", "Bool"] as const;
  const columns = frame.columns.map((name, at) => ({ name, field: name, type: types[at], dtype: dtypes[at] }));
  const files = names.map((name, part) => ({ name, rows: part === 0 ? cut : ROWS - cut, bytes: 0 }));
  const manifest = { columns, idField: null, unique: ROWS, files, definitions: [], misfits: {} };
  return {
    paths: names.map((name) => `${table}/${name}`),
    frame,
    lists: { full: 0, some: ROWS / 3, "long runs": 1700, none: ROWS },
    lake: { folder, main: "table", tables: new Map([["table", manifest]]), scan: () => frame.lazy() },
  };
}

export function oneOf(...texts: string[]): TextTest {
  const bytes = texts.map((text) => new TextEncoder().encode(text));
  return {
    kindOf: (text) => texts.includes(text) ? 2 : 0,
    mayBe: (first, last, length) =>
      bytes.some((one) => one[0] === first && one[one.length - 1] === last && one.length === length),
    ranges: bytes.toSorted(Buffer.compare).map((one) => [one, one]),
  };
}
