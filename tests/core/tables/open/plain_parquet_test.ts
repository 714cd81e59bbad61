import { assertEquals } from "@std/assert";
import pl from "nodejs-polars";
import { isPlainParquet } from "../../../../src/core/tables/open/plain_parquet.ts";
import { inFolder } from "../../../_files.ts";

Deno.test("a Parquet file is plain whose values have one text, and damaged ones are not", async () => {
  await inFolder(async (folder) => {
    const path = `${folder}/a.parquet`;
    const isPlain = async (column: pl.Series) => {
      pl.DataFrame([column.alias("v")]).writeParquet(path);
      return await isPlainParquet(path);
    };
    const plain = [pl.String, pl.Categorical, pl.Bool, pl.Int8, pl.UInt32, pl.Int64, pl.Float64, pl.Date];
    for (const type of plain) assertEquals(await isPlain(pl.Series("v", [null]).cast(type)), true, String(type));
    const others = [pl.UInt64, pl.Float32, pl.Datetime("us"), pl.Time, pl.List(pl.String)];
    for (const type of others) assertEquals(await isPlain(pl.Series("v", [null]).cast(type)), false, String(type));
    for (const [value, expected] of [[1e300, true], [NaN, false], [-Infinity, false]] as const) {
      assertEquals(await isPlain(pl.Series("v", [0.5, value], pl.Float64)), expected, String(value));
    }
    pl.DataFrame({ Country: ["Kenya"], country: ["KE"] }).writeParquet(path);
    assertEquals(await isPlainParquet(path), false, "SQL calls the second otherwise");
    const bytes = await Deno.readFile(path);
    await Deno.writeFile(path, bytes.subarray(0, bytes.length - 9));
    assertEquals(await isPlainParquet(path), false);
  });
});

Deno.test("a Parquet file whose name looks like a pattern is looked at, and not the files that fit it", async () => {
  await inFolder(async (folder) => {
    pl.DataFrame({ v: [["a"]] }).writeParquet(`${folder}/a[1].parquet`);
    pl.DataFrame({ v: ["a"] }).writeParquet(`${folder}/a1.parquet`);
    assertEquals(await isPlainParquet(`${folder}/a[1].parquet`), false);
    assertEquals(await isPlainParquet(`${folder}/a1.parquet`), true);
  });
});
