import { assertEquals, assertThrows } from "@std/assert";
import pl from "nodejs-polars";
import { countArrowRows } from "../../../src/spark/connect/_arrow_stream.ts";
import { arrowOf } from "./_batches.ts";

Deno.test("rows of an Arrow stream are counted without reading a value", () => {
  for (const rows of [0, 1, 1000]) assertEquals(countArrowRows(arrowOf(Array(rows).fill("ACGT"))), rows);
  const wide = pl.DataFrame({ a: [1, 2], b: [null, "x"], c: [true, false], d: [["a"], []] });
  assertEquals(countArrowRows(new Uint8Array(wide.writeIPCStream())), 2);
});

Deno.test("any cut and any flipped byte of an Arrow stream is refused, or leaves the rows", () => {
  const bytes = arrowOf(["a", "b", "c"]);
  let refused = 0;
  for (let length = 0; length < bytes.length; length++) {
    try {
      assertEquals(countArrowRows(bytes.slice(0, length)), length < bytes.length / 2 ? 0 : 3);
    } catch (error) {
      assertEquals(error instanceof RangeError, true, String(error));
      refused++;
    }
  }
  assertEquals(refused > bytes.length - 20, true, `${refused} of ${bytes.length} cuts`);
  for (let at = 0; at < bytes.length; at++) {
    for (const bit of [1, 0x10, 0x80]) {
      const damaged = bytes.slice();
      damaged[at] ^= bit;
      try {
        assertEquals(typeof countArrowRows(damaged), "number");
      } catch (error) {
        assertEquals(error instanceof RangeError, true, `byte ${at}: ${error}`);
      }
    }
  }
});

Deno.test("bytes other than an Arrow stream are refused with their offset", () => {
  const bytes = arrowOf(["a"]);
  assertThrows(() => countArrowRows(new Uint8Array()), RangeError, "no schema");
  assertThrows(() => countArrowRows(new TextEncoder().encode("<!doctype html>")), RangeError, "at byte 0");
  assertThrows(() => countArrowRows(Uint8Array.from([...bytes, 1])), RangeError, "follow the end");
});
