import { assertEquals, assertRejects } from "@std/assert";
import { DuckDBInstance } from "@duckdb/node-api";
import { gzipSync, zstdCompressSync } from "node:zlib";
import pl from "nodejs-polars";
import { ParseError } from "../../../../src/core/errors.ts";
import { sha256 } from "../../../../src/core/io/digest/sha256.ts";
import { openTable } from "../../../../src/core/tables/open/open_table.ts";
import { readTable } from "../../../../src/core/tables/open/read_table.ts";
import { inFolder } from "../../../_files.ts";

/** Reads a column of Parquet: its type and its texts. */
async function columnOf(select: string): Promise<readonly [type: string, ...texts: string[]]> {
  let found: readonly [string, ...string[]] = [""];
  await inFolder(async (folder) => {
    const path = `${folder}/m.parquet`;
    const instance = await DuckDBInstance.create(":memory:");
    const connection = await instance.connect();
    try {
      await connection.run(
        `COPY (SELECT row_number() OVER () AS id, v FROM (${select})) TO '${path}' (FORMAT parquet)`,
      );
    } finally {
      connection.closeSync();
      instance.closeSync();
    }
    const { rows, types } = await readTable(path);
    found = [types[1].type, ...rows.map(([, text]) => text)];
  });
  return found;
}

const rows = (...values: string[]) => `SELECT unnest([${values.join(", ")}]) AS v`;

Deno.test("a list of Parquet keeps its items where one of them is null or a time of day", async () => {
  assertEquals(await columnOf(rows("['x', NULL]", "['y']", "[NULL]", "NULL")), ["list", "x;", "y", "", ""]);
  assertEquals(await columnOf(rows("[TIME '01:02:03.000001']", "[TIME '04:05:06']")), [
    "list",
    "01:02:03.000001",
    "04:05:06",
  ]);
});

Deno.test("lists of Parquet of which an item has a semicolon are JSON", async () => {
  const read = await columnOf(rows("['Li; Wang', 'X']", "['Y']", "[]", "NULL"));
  assertEquals(read, ["string", '["Li; Wang","X"]', '["Y"]', "[]", ""]);
});

Deno.test("values within values of Parquet are JSON, and none of them is lost", async () => {
  const structs = rows("{'p': NULL::INTEGER, 'q': '}'}", "{'p': 1, 'q': 'w'}", "NULL");
  assertEquals(await columnOf(structs), ["string", '{"p":null,"q":"}"}', '{"p":1,"q":"w"}', ""]);
  assertEquals(await columnOf(rows("[['a'], ['b', NULL]]", "[]")), ["string", '[["a"],["b",null]]', "[]"]);
  assertEquals(await columnOf(rows("[{'p': NULL::INTEGER}]", "[{'p': 1}]")), ["string", '[{"p":null}]', '[{"p":1}]']);
});

Deno.test("a time of day of Parquet keeps what is less than a second", async () => {
  assertEquals(await columnOf(rows("TIME '00:00:00.001'", "TIME '01:02:03'")), ["string", "00:00:00.001", "01:02:03"]);
});

Deno.test("decimals of Parquet are numbers as long as floats keep their digits", async () => {
  assertEquals(await columnOf(rows("1.10::DECIMAL(10, 2)", "2.5::DECIMAL(10, 2)")), ["float", "1.10", "2.50"]);
  assertEquals(await columnOf(rows("1.10::DECIMAL(38, 2)", "2.5::DECIMAL(38, 2)")), ["float", "1.10", "2.50"]);
  const long = rows("12345678901234567.89::DECIMAL(38, 2)", "1.1::DECIMAL(38, 2)");
  assertEquals(await columnOf(long), ["string", "12345678901234567.89", "1.10"]);
});

Deno.test("floats of Parquet are written as JavaScript writes them", async () => {
  const floats = ["5", "-0.5", "1e-6", "1e-7", "1e16", "1.5e20", "1e21", "NULL"];
  assertEquals(await columnOf(rows(...floats.map((text) => `${text}::DOUBLE`))), [
    "float",
    "5",
    "-0.5",
    "0.000001",
    "1e-7",
    "10000000000000000",
    "150000000000000000000",
    "1e+21",
    "",
  ]);
});

Deno.test("an error about a type of Parquet names the column", async () => {
  const error = await assertRejects(() => columnOf(rows("'\\xFF'::BLOB")), ParseError);
  assertEquals(/m\.parquet, column "v": .*; write it anew/.test(error.message), true, error.message);
});

Deno.test("a Parquet file whose name looks like a pattern is read, and not the files that fit it", async () => {
  await inFolder(async (folder) => {
    const countries = { "m[1]": "Cuba", m1: "Peru" };
    for (const [name, country] of Object.entries(countries)) {
      pl.DataFrame({ strain: ["A"], country: [country] }).writeParquet(`${folder}/${name}.parquet`);
    }
    for (const [name, country] of Object.entries(countries)) {
      assertEquals((await readTable(`${folder}/${name}.parquet`)).rows, [["A", country]]);
    }
  });
});

Deno.test("lists of Parquet of which an item looks like an array of JSON are JSON", async () => {
  assertEquals(await columnOf(rows("['[1,2]']", "['y', 'z']")), ["string", '["[1,2]"]', '["y","z"]']);
});

Deno.test("a Parquet file is read that was compressed as a whole", async () => {
  await inFolder(async (folder) => {
    pl.DataFrame({ strain: ["A"], length: [10794] }).writeParquet(`${folder}/m.parquet`);
    const bytes = await Deno.readFile(`${folder}/m.parquet`);
    for (const [ending, compress] of [["gz", gzipSync], ["zst", zstdCompressSync]] as const) {
      const path = `${folder}/m.parquet.${ending}`;
      const compressed = new Uint8Array(compress(bytes));
      await Deno.writeFile(path, compressed);
      for (const source of [path, compressed]) {
        const { rows, types } = await readTable(source);
        assertEquals([rows, types[1].type], [[["A", "10794"]], "float"]);
      }
      await using table = await openTable(path);
      assertEquals((await table.read()).digest(), await sha256(path));
    }
  });
});
