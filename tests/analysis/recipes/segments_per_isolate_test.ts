import { assertEquals } from "@std/assert";
import pl from "nodejs-polars";
import { segmentsPerIsolate } from "../../../src/analysis/mod.ts";

Deno.test("segmentsPerIsolate() counts isolates of many rows as of few", async () => {
  const rows = 70_000;
  const each = (make: (row: number) => string) => Array.from({ length: rows }, (_, row) => make(row));
  // The same words in all columns, and isolates of one name in two species.
  const frame = pl.DataFrame({
    Species: each((row) => `${row % 2}`),
    Isolate: each((row) => `${Math.floor(row / 8)}`),
    Segment: each((row) => row % 16 < 8 ? "1" : `${row % 8}`),
  });
  const sets = new Map<string, Set<string>>();
  const whole = new Map<string, Set<string>>();
  const at = (map: Map<string, Set<string>>, key: string) => map.get(key) ?? map.set(key, new Set()).get(key)!;
  for (const { Species, Isolate, Segment } of frame.toRecords()) {
    at(sets, `${Species} ${Isolate}`).add(String(Segment));
    at(whole, String(Species)).add(String(Segment));
  }
  const expected = new Map<string, number>();
  for (const [key, { size }] of sets) {
    const name = `${size} ${size === whole.get(key[0])?.size ? "complete" : "incomplete"}`;
    expected.set(name, (expected.get(name) ?? 0) + 1);
  }

  const { frame: found } = await segmentsPerIsolate(frame);

  assertEquals(
    Object.fromEntries(found.toRecords().map((row) => [`${row.segments} ${row.set}`, row.isolates])),
    Object.fromEntries(expected),
  );
});
