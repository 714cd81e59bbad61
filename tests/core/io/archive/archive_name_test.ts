/** Names of tables, by those of their files. */
import { assertEquals } from "@std/assert";
import { tableStem } from "../../../../src/core/io/archive/archive_name.ts";

Deno.test("tableStem() leaves out the ending of every form of a table, and that of a compression", () => {
  const names = ["a.csv", "a.tsv.gz", "a.xlsx", "a.json", "a.JSONL.zst", "a.parquet", "a.csv.zst"];
  assertEquals(names.map(tableStem), names.map(() => "a"));
  assertEquals(["a.b", "a.json.b"].map(tableStem), ["a.b", "a.json.b"]);
});
