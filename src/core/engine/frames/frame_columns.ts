/** Columns to polars. The only module that knows which arrays it takes without harm. */
import type { DataFrame, Series } from "nodejs-polars";
import type { CellValue } from "../../contract/values/mod.ts";

/** The library, as its default export has it. */
export type Polars = typeof import("nodejs-polars").default;

/** Type of a column in polars. Every column may hold nulls. */
export type ColumnDtype = "String" | "Int64" | "Float64" | "Bool" | "List(String)" | "Date";

export interface FrameColumn {
  readonly column: { readonly name: string; readonly dtype: ColumnDtype };
  /** Its values; days since 1970-01-01 for a Date. */
  readonly values: (CellValue | null)[];
}

/**
 * Groups that the streaming engine holds at hand in each thread. Its own 4,096 are too few for countries by years: then
 * a summary of fifteen million rows takes half as long again.
 */
const GROUPS_AT_HAND = { name: "POLARS_HOT_TABLE_SIZE", value: "16384" };

/** Loads polars; 35 ms and `--allow-ffi`, so only when a frame is wanted. */
export async function loadPolars(): Promise<Polars> {
  const { name, value } = GROUPS_AT_HAND;
  const isAllowed = Deno.permissions.querySync({ name: "env", variable: name }).state === "granted";
  if (isAllowed && Deno.env.get(name) === undefined) Deno.env.set(name, value);
  return (await import("nodejs-polars")).default;
}

/** Builds a frame with the given column types, also if all values are null or there are zero rows. */
export async function buildFrame(columns: readonly FrameColumn[]): Promise<DataFrame> {
  const pl = await loadPolars();
  return pl.DataFrame(columns.map((column) => buildSeries(pl, column)));
}

function buildSeries(pl: Polars, { column: { name, dtype }, values }: FrameColumn): Series {
  switch (dtype) {
    case "String":
      return pl.Series(name, values, pl.String);
    case "Float64":
      return pl.Series(name, values, pl.Float64);
    case "Bool":
      return pl.Series(name, values, pl.Bool);
    case "Int64":
      // An array that holds a bigint becomes nulls without a word: texts are exact.
      return values.some((value) => typeof value === "bigint")
        ? pl.Series(name, values.map(textOrNull), pl.String).cast(pl.Int64)
        : pl.Series(name, values, pl.Int64);
    case "Date":
      // An Int32 array with nulls becomes zeros without a word: Int64 keeps them.
      return pl.Series(name, values, pl.Int64).cast(pl.Int32).cast(pl.Date);
    case "List(String)":
      // Without a list among the values the type is refused.
      return pl.Series(name, [[""], ...values], pl.List(pl.String)).tail(values.length);
  }
}

function textOrNull(value: CellValue | null): string | null {
  return value === null ? null : String(value);
}
