/** Frames of every type of polars, written: each is there again, or refused by name. */
import { assertEquals, assertRejects } from "@std/assert";
import pl, { type DataFrame } from "nodejs-polars";
import { writeFrame } from "../../../../src/core/tables/mod.ts";
import { inFolder } from "../../../_files.ts";

const TEXTS = ["a\tb", null, "c\nd\\"];
const LISTS = [["a\tb", null], [], null];
const NUMBERS = [[1n, null], [86_400_000n], null];

const frameOf = (name: string, values: unknown[], dtype: unknown): DataFrame =>
  pl.DataFrame({ [name]: values }).withColumns(pl.col(name).cast(dtype as never));

async function written(frame: DataFrame, format: "csv" | "tsv"): Promise<string> {
  const path = await Deno.makeTempFile();
  try {
    await writeFrame(frame, path, { format });
    return await Deno.readTextFile(path);
  } finally {
    await Deno.remove(path);
  }
}

Deno.test("categories are texts, and lists of anything are joined", async () => {
  assertEquals(
    await written(frameOf("c", TEXTS, pl.Categorical), "csv"),
    'c\na\tb\n""\n"c\nd\\"\n',
  );
  for (const type of [pl.Categorical, pl.String]) {
    assertEquals(await written(frameOf("c", TEXTS, type), "tsv"), 'c\na\\tb\n""\nc\\nd\\\\\n');
    assertEquals(await written(frameOf("c", LISTS, pl.List(type)), "tsv"), 'c\na\\tb;\n""\n""\n');
  }
  for (
    const [type, first, second] of [
      [pl.Int32, "1;", "86400000"],
      [pl.Float64, "1.0;", "86400000.0"],
      [pl.Bool, "true;", "true"],
      [pl.Datetime("ms"), "1970-01-01T00:00:00.001;", "1970-01-02T00:00:00.000"],
    ] as const
  ) {
    for (const format of ["csv", "tsv"] as const) {
      const text = await written(frameOf("n", NUMBERS, pl.List(type as never)), format);
      assertEquals(text.split("\n").slice(0, 3), ["n", first, second], String(type));
    }
  }
});

Deno.test("what has no text is refused by its column and type, before a file is written", async () => {
  await inFolder(async (folder) => {
    const frames = {
      "Duration": frameOf("x", [1n], pl.Duration("ms")),
      "List(Duration)": frameOf("x", [[1n]], pl.List(pl.Duration("ms"))),
      "List(Time)": frameOf("x", [[1n]], pl.List(pl.Time)),
      "Struct": pl.DataFrame({ x: [{ a: 1 }] }),
      "List(List(String))": pl.DataFrame({ x: [[["a"]]] }),
    };
    for (const [type, frame] of Object.entries(frames)) {
      for (const format of ["csv", "tsv"] as const) {
        const words = `Cannot write column "x" of ${type} as text: write Parquet`;
        await assertRejects(() => writeFrame(frame, `${folder}/x`, { format }), TypeError, words);
      }
    }
    assertEquals([...Deno.readDirSync(folder)], []);
  });
});

Deno.test("Parquet gives each type back, in lists too", async () => {
  const path = await Deno.makeTempFile({ suffix: ".parquet" });
  try {
    const types = [pl.Categorical, pl.Duration("ms"), pl.Int64, pl.String, pl.Datetime("ms")];
    for (const type of [...types, ...types.map((type) => pl.List(type as never))]) {
      const isText = String(type).includes("String") || String(type).includes("Categorical");
      const isList = String(type).includes("List");
      const values = isText ? (isList ? LISTS : TEXTS) : isList ? NUMBERS : [1n, null];
      const frame = frameOf("x", values, type);
      await writeFrame(frame, path, { format: "parquet" });
      const read = pl.readParquet(path);
      assertEquals([String(read.dtypes[0]), read.rows()], [String(frame.dtypes[0]), frame.rows()]);
    }
  } finally {
    await Deno.remove(path);
  }
});
