import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { int64Of } from "../../src/tables/_arrow_file.ts";

Deno.test("int64Of() is exact for every whole number that a Float64Array holds exactly", () => {
  const number = fc.oneof(
    fc.maxSafeInteger(),
    fc.integer(),
    fc.constantFrom(0, 2 ** 31, 2 ** 32 - 1, 2 ** 32, -(2 ** 32)),
  );
  fc.assert(
    fc.property(fc.array(number), (numbers) => {
      assertEquals([...int64Of(Float64Array.from(numbers))], numbers.map(BigInt));
    }),
  );
});
