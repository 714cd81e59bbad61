/** Isolates are told apart, and their segments counted, however many there are. */
import { assertEquals } from "@std/assert";
import fc from "fast-check";
import pl from "nodejs-polars";
import { KeyNumbers } from "../../src/analysis/run/_key_numbers.ts";
import { segmentsPerIsolate } from "../../src/analysis/mod.ts";

Deno.test("KeyNumbers numbers keys as they first come, however they fall together", () => {
  const half = fc.oneof(fc.constantFrom(0, 1, 1024, 0xffffffff), fc.integer({ min: 0, max: 0xffffffff }));
  const table = new KeyNumbers();
  fc.assert(
    fc.property(fc.array(fc.tuple(half, half), { maxLength: 3000, size: "max" }), (keys) => {
      table.clear();
      const known = new Map<string, number>();
      for (const [low, high] of keys) {
        const key = `${low} ${high}`;
        if (!known.has(key)) known.set(key, known.size);
        assertEquals(table.number(low, high), known.get(key));
      }
      assertEquals(table.size, known.size);
    }),
    { numRuns: 20 },
  );
});

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
