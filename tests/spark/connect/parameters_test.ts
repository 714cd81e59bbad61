import { assertEquals, assertThrows } from "@std/assert";
import { boundArguments, type SparkParameter } from "../../../src/spark/connect/parameters.ts";

/** The case and value of a single bound literal. */
function literal(value: SparkParameter): unknown[] {
  const { literalType } = boundArguments([value]).posArguments![0].exprType.value;
  return [literalType.case, literalType.value];
}

Deno.test("each value is bound with its type", () => {
  assertEquals(literal("a' OR 1=1 --"), ["string", "a' OR 1=1 --"]);
  assertEquals(literal(""), ["string", ""]);
  assertEquals(literal(true), ["boolean", true]);
  assertEquals(literal(3), ["long", 3n]);
  assertEquals(literal(-(2n ** 63n)), ["long", -(2n ** 63n)]);
  assertEquals(literal({ long: 7 }), ["long", 7n]);
  assertEquals(literal(0.5), ["double", 0.5]);
  assertEquals(literal({ double: 3 }), ["double", 3]);
  assertEquals(literal(-0), ["double", -0]);
  assertEquals(literal(NaN), ["double", NaN]);
  assertEquals(literal(Infinity), ["double", Infinity]);
  assertEquals(literal(2 ** 53), ["double", 2 ** 53]);
  assertEquals(literal({ date: "1970-01-02" }), ["date", 1]);
  assertEquals(literal({ date: "0001-01-01" }), ["date", -719162]);
  assertEquals(literal(null)[0], "null");
});

Deno.test("parameters are positional or by name", () => {
  assertEquals(boundArguments(), {});
  assertEquals(boundArguments({}), {});
  assertEquals(Object.keys(boundArguments({ a: 1, größe_2: 2 }).namedArguments!), ["a", "größe_2"]);
  assertEquals(boundArguments([1, 2]).posArguments!.length, 2);
});

Deno.test("what has no type of Spark is refused by name, before any call", async (t) => {
  const cases: Record<string, [run: () => unknown, type: new (message?: string) => Error, says: string]> = {
    "a Date": [() => boundArguments([new Date(0) as never]), TypeError, "parameter 1: expected a text"],
    "undefined": [() => boundArguments([undefined as never]), TypeError, "parameter 1"],
    "two types at once": [() => boundArguments([{ long: 1, double: 1 } as never]), TypeError, "parameter 1"],
    "a list": [() => boundArguments({ a: [1] as never }), TypeError, "parameter a"],
    "65 bits": [() => boundArguments([2n ** 63n]), RangeError, "64 bits"],
    "half a surrogate": [() => boundArguments(["\ud800"]), TypeError, "not valid Unicode"],
    "30 February": [() => boundArguments([{ date: "2026-02-30" }]), RangeError, "2026-01-31"],
    "a time": [() => boundArguments([{ date: "2026-02-01T00:00" }]), RangeError, "2026-01-31"],
    "a name with a quote": [() => boundArguments({ "a'": 1 }), TypeError, "letters, digits and _"],
    "no object": [() => boundArguments(7 as never), TypeError, "a list of values"],
  };
  for (const [name, [run, type, says]] of Object.entries(cases)) {
    await t.step(name, () => void assertThrows(run, type, says));
  }
});
