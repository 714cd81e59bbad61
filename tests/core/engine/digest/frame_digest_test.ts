/** Digests of frames. */
import { assertEquals, assertNotEquals } from "@std/assert";
import pl from "nodejs-polars";
import { canonicalRows, digestFrame } from "../../../../src/core/engine/digest/frame_digest.ts";
import { describeDifference } from "../../../../src/core/engine/digest/frame_difference.ts";

const frame = pl.DataFrame([
  pl.Series("t", ["", "a,b", null, "n"], pl.String),
  pl.Series("n", ["9223372036854775807", "-1", null, "0"], pl.String).cast(pl.Int64),
  pl.Series("f", [NaN, -Infinity, -0, 0.1], pl.Float64),
  pl.Series("b", [true, false, null, true], pl.Bool),
  pl.Series("l", [["a", ""], [], null, ["null"]], pl.List(pl.String)),
]);

Deno.test("canonicalRows() writes each value so that no two are alike", async () => {
  assertEquals(await canonicalRows(frame), [
    "t0:,i9223372036854775807,fNaN,b1,l2[t1:a,t0:]",
    "t3:a,b,i-1,f-Infinity,b0,l0[]",
    "n,n,f0,n,n",
    "t1:n,i0,f0.1,b1,l1[t4:null]",
  ]);
  assertEquals((await canonicalRows(frame, { signedZeros: true }))[2], "n,n,f-0,n,n");
});

Deno.test("digestFrame() tells values, order and names apart, and not the width of numbers", async () => {
  const digest = await digestFrame(frame);
  assertEquals(digest, await digestFrame(frame.clone()));
  assertNotEquals(digest, await digestFrame(frame.reverse()));
  assertNotEquals(digest, await digestFrame(frame.rename({ t: "u" })));
  const counts = pl.DataFrame([pl.Series("n", [1, 2], pl.Int32)]);
  assertEquals(await digestFrame(counts), await digestFrame(counts.select(pl.col("n").cast(pl.Int64))));
  assertNotEquals(await digestFrame(counts), await digestFrame(counts.select(pl.col("n").cast(pl.Float64))));
});

Deno.test("describeDifference() shows the rows that differ", async () => {
  const one = { name: "polars", frame: frame.select("t", "n") };
  assertEquals(await describeDifference(one, { ...one, name: "Spark" }), undefined);
  const words = await describeDifference(one, { name: "Spark", frame: one.frame.head(3) });
  assertEquals(words, "4 rows on polars, 3 on Spark, of which 1 differ; row 4: t1:n,i0 on polars, none on Spark");
  assertEquals(
    await describeDifference(one, { name: "Spark", frame }),
    "columns t, n on polars, t, n, f, b, l on Spark",
  );
});
