import { assertAlmostEquals, assertEquals, assertStringIncludes } from "@std/assert";
import pl from "nodejs-polars";
import { lengthByFamily } from "../../../src/analysis/mod.ts";

/** Twelve complete records of `a` around 1,000 bp and four halves; `b` has nine complete ones. */
function frameOf() {
  const rows = [
    ...Array.from({ length: 12 }, (_, at) => ["a", 994 + at, at % 2 === 0 ? "complete" : " Complete genome"] as const),
    ...Array.from({ length: 4 }, () => ["a", 500, "partial"] as const),
    ...Array.from({ length: 9 }, () => ["b", 100, "complete"] as const),
    ["b", 50, null] as const,
    ["b", -1, "complete"] as const,
  ];
  return pl.DataFrame({
    Family: rows.map(([family]) => family),
    "Sequence Length": rows.map(([, length]) => length),
    Completeness: rows.map(([, , completeness]) => completeness),
  });
}

Deno.test("lengthByFamily() measures lengths against the median of at least ten complete records", async () => {
  const options = { measure: "shareOfComplete", atLeast: 2 } as const;
  const { frame, notes, chart } = await lengthByFamily(frameOf(), options);
  const [row, ...others] = frame.toRecords();
  assertEquals(others, []);
  assertEquals([row.group, row.records, row.reference, row.complete], ["a", 16, 999.5, 12]);
  // Sixteen lengths: four of 500, then 994 to 1,005; the median lies between 997 and 998.
  assertAlmostEquals(Number(row.median), 997.5 / 999.5, 1e-12);
  assertAlmostEquals(Number(row.q05), 500 / 999.5, 1e-12);
  assertStringIncludes(notes.join("\n"), "1 group has fewer than 10 records that are marked complete in Completeness");
  assertStringIncludes(notes.join("\n"), "100 % is the median length of the records of the group");
  assertStringIncludes(chart!.svg, "% of the median of complete records");
});

Deno.test("lengthByFamily() has nothing to measure against without complete records", async () => {
  const frame = frameOf().withColumn(pl.lit("partial").alias("Completeness"));
  const { chart, notes } = await lengthByFamily(frame, { measure: "shareOfComplete" });
  assertEquals(chart, undefined);
  assertStringIncludes(notes.join("\n"), "no record is marked complete in Completeness");
});
