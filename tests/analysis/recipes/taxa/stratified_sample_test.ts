import { assert, assertEquals, assertNotEquals } from "@std/assert";
import pl from "nodejs-polars";
import {
  stratifiedSample,
  type StratifiedSampleOptions,
} from "../../../../src/analysis/recipes/taxa/stratified_sample.ts";

const ROWS = 3000;
const accessions = Array.from({ length: ROWS }, (_, row) => `vj${String(row).padStart(12, "0")}`);
const species = accessions.map((_, row) =>
  row % 3 === 0 ? "common" : row % 100 === 1 ? "rare" : row % 500 === 2 ? null : "usual"
);
const frame = pl.DataFrame([
  pl.Series("Registry Accession", accessions, pl.String),
  pl.Series("Species", species, pl.String),
  pl.Series("Sequence Length", accessions.map((_, row) => row), pl.Int64),
]);

async function draw(options: StratifiedSampleOptions, source = frame): Promise<unknown[]> {
  return (await (await stratifiedSample(source, options)).records()).getColumn("Registry Accession").toArray();
}

Deno.test("stratifiedSample() draws the same records for the same seed, in whatever order they come", async () => {
  const drawn = await draw({ most: 25 });

  assertEquals(await draw({ most: 25 }), drawn);
  assertEquals(await draw({ most: 25 }, frame.sort("Sequence Length", true)), drawn);
  assertNotEquals(await draw({ most: 25, seed: 2 }), drawn);
  assertEquals(new Set(drawn).size, drawn.length);
});

Deno.test("stratifiedSample() draws the same of accessions of several forms, whichever come first", async () => {
  const forms = ["NC_045512.2", "MN-908947", "12345678901234567890", "", null, "no digits"];
  const ids = [...accessions, ...forms, ...accessions.slice(0, 60).map((id) => `${id}.1`)];
  const mixed = pl.DataFrame([
    pl.Series("Registry Accession", ids, pl.String),
    pl.Series("Species", ids.map((_, row) => row < 2000 ? "early" : "late"), pl.String),
    pl.Series("Sequence Length", ids.map((_, row) => row), pl.Int64),
  ]);
  const drawn = await draw({ most: 200 }, mixed);

  assert(drawn.some((id) => String(id).endsWith(".1")));
  assertEquals(await draw({ most: 200 }, mixed.sort("Sequence Length", true)), drawn);
});

Deno.test("stratifiedSample() draws of accessions with the same digits those of the least texts", async () => {
  const ids: (string | null)[] = ["d7", "b7", "e7", "a7", "c7", "b7", "a8", "a9"];
  const same = pl.DataFrame([
    pl.Series("Registry Accession", ids, pl.String),
    pl.Series("Species", ids.map((id) => id?.endsWith("7") ? "one" : "two"), pl.String),
  ]);

  const drawn = await draw({ most: 2 }, same);
  assertEquals(drawn, ["a7", "a8", "a9", "b7"]);
  assertEquals(await draw({ most: 2 }, same.reverse()), drawn);
  assertEquals(await draw({ most: 3 }, same.reverse()), ["a7", "a8", "a9", "b7", "b7"]);
});

Deno.test("stratifiedSample() draws a smaller sample out of a larger one", async () => {
  const [few, many] = [await draw({ most: 5 }), await draw({ most: 25 })];

  assert(few.every((accession) => many.includes(accession)));
});

Deno.test("stratifiedSample() gives whole rows, and no stratum more than its part", async () => {
  const drawn = await stratifiedSample(frame, { most: 25 });
  const { frame: numbers, chart } = drawn;
  const sample = await drawn.records();

  assertEquals(sample.columns, frame.columns);
  for (const { "Registry Accession": accession, "Sequence Length": length } of sample.toRecords()) {
    assertEquals(accession, accessions[Number(length)]);
  }
  assertEquals(numbers.getColumn("after").toArray(), [25, 25, 20]);
  assertEquals(sample.filter(pl.col("Species").isNull()).height, 0);
  assert(chart?.caption.includes("without a value"));
});

Deno.test("stratifiedSample() draws each record about as often as any other", async () => {
  const times = new Map<unknown, number>();
  const small = frame.head(30).withColumns(pl.lit("one").alias("Species"));
  for (let seed = 0; seed < 60; seed++) {
    for (const accession of await draw({ most: 10, seed }, small)) {
      times.set(accession, (times.get(accession) ?? 0) + 1);
    }
  }

  // A third of 60 draws is 20; a fair draw leaves 4 to 38 less than once in a million runs.
  assertEquals(times.size, 30);
  for (const [accession, count] of times) assert(count >= 4 && count <= 38, `${accession}: ${count}`);
});
