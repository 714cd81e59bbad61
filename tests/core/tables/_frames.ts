/** Compares frames exactly and prints the first difference. */
import { assertEquals } from "@std/assert";
import pl, { type DataFrame } from "nodejs-polars";

/** Rows of a frame with integers as texts, so that no digit is lost on the way to JavaScript. */
export function exactRows(frame: DataFrame): Record<string, unknown>[] {
  const exact = frame.columns.filter((_, index) => ["Int64", "Date"].includes(frame.dtypes[index].variant))
    .map((name) => pl.col(name).cast(pl.String));
  return (exact.length === 0 ? frame : frame.withColumns(...exact)).toRecords();
}

/** Names and types of a frame's columns. */
export function schemaOf(frame: DataFrame): [name: string, dtype: string][] {
  return frame.columns.map((name, index) => [name, String(frame.dtypes[index])]);
}

/** Fails at the first difference in names, types, number of rows or values. */
export function assertFramesEqual(actual: DataFrame, expected: DataFrame): void {
  assertEquals(schemaOf(actual), schemaOf(expected));
  assertEquals(actual.height, expected.height);
  const rows = exactRows(actual);
  for (const [index, row] of exactRows(expected).entries()) {
    assertEquals(rows[index], row, `row ${index + 1} differs`);
  }
}

export function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
