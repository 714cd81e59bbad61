import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { sortLanes } from "../../../../../src/embedded/service/index/build/_radix.ts";

Deno.test("sortLanes() keeps what belongs together, and equal ones as they stand", () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.nat(3), fc.nat(0xffffffff)), { maxLength: 50 }), fc.boolean(), (keys, three) => {
      const lanes = [Uint32Array.from(keys), Uint32Array.from(keys.keys())];
      if (three) lanes.push(Uint32Array.from(keys, (key) => key ^ 0xff));
      const order = [...keys.keys()].sort((a, b) => keys[a] - keys[b] || a - b);
      const sorted = sortLanes(lanes, lanes.map(({ length }) => new Uint32Array(length)), keys.length);
      assertEquals([...sorted[0]], order.map((at) => keys[at]));
      assertEquals([...sorted[1]], order);
      if (three) assertEquals([...sorted[2]], order.map((at) => (keys[at] ^ 0xff) >>> 0));
    }),
    { numRuns: 100, seed: 4 },
  );
});
