/**
 * What each field is declared to be, and what is in it.
 *
 * @module
 */
import { Analysis, type AnalysisOptions } from "./analysis.ts";
import { Run } from "./_run.ts";
import type { AnalysisSource } from "./source.ts";
import { count, decimal } from "./_words.ts";

const SHAPE = {
  field: "String",
  declared: "String",
  frame_type: "String",
  values: "Int64",
  empty_percent: "Float64",
  distinct: "Int64",
  is_key: "String",
  example: "String",
} as const;

/** Longest example, in letters. */
const EXAMPLE_LETTERS = 60;

/**
 * A table of the fields: declared type, type in the frame, values, share of empty ones, distinct values, whether the
 * field is a key (every record has a value of its own), and an example.
 *
 * @param source A frame, a result of a registry, or a lake.
 * @param options What all analyses share.
 * @returns Fields × `field`, `declared`, `frame_type` (String), `values` (Int64), `empty_percent` (Float64), `distinct`
 * (Int64; null for lists), `is_key` (`yes` or `no`), `example` (the least value), in the order of the fields. There is
 * no chart: it is a table.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import pl from "nodejs-polars";
 * import { schemaCard } from "./schema_card.ts";
 *
 * const { frame } = await schemaCard(pl.DataFrame({ Isolate: ["a", "a"], Accession: ["1", "2"] }));
 *
 * assertEquals(frame.getColumn("is_key").toArray(), ["no", "yes"]);
 * ```
 */
export async function schemaCard(source: AnalysisSource, options: AnalysisOptions = {}): Promise<Analysis> {
  const run = await Run.start(source, options, { title: "Fields and what is in them", shape: SHAPE, needs: [] });
  const { pl } = run;
  const columns = run.source.columns.filter(({ name, field }) => name === field);
  if (columns.length === 0) return run.stop("There is nothing to show: the data has no fields");
  const isList = (dtype: string) => dtype.startsWith("List");
  let records = 0;
  // A column at a time: the distinct texts of many columns at once fill the memory.
  const rows = columns.map(({ name, type, dtype }) => {
    const found = run.collect(
      run.source.scan().select(
        pl.len().alias("all"),
        pl.col(name).isNull().sum().alias("empty"),
        ...isList(dtype) ? [] : [
          pl.col(name).dropNulls().nUnique().alias("distinct"),
          pl.col(name).min().cast(pl.String).alias("example"),
        ],
      ),
    ).toRecords()[0];
    records = Number(found.all);
    const values = records - Number(found.empty);
    const distinct = isList(dtype) ? null : Number(found.distinct);
    const example = found.example;
    return {
      field: name,
      declared: type,
      frame_type: dtype,
      values,
      empty_percent: records === 0 ? null : Number(decimal((records - values) / records * 100, 2)),
      distinct,
      is_key: records > 0 && distinct === records ? "yes" : "no",
      example: example === null || example === undefined
        ? null
        : String(example).slice(0, EXAMPLE_LETTERS).toWellFormed(),
    };
  });
  const keys = rows.filter(({ is_key }) => is_key === "yes").map(({ field }) => field);
  run.note(
    keys.length === 0
      ? "No field is a key: joining on any of them can multiply rows"
      : `Join on ${keys.join(" or ")}: in these ${
        count(records)
      } records each value stands once. Joining on any other field can multiply rows`,
  );
  return new Analysis({
    title: "Fields and what is in them",
    frame: run.frame(rows),
    chart: undefined,
    notes: run.notes,
  });
}
