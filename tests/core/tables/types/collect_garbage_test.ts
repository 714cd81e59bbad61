import { assertEquals } from "@std/assert";
import { collectGarbage } from "../../../../src/core/tables/types/collect_garbage.ts";

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

Deno.test("collectGarbage() collects at once what nothing refers to", async () => {
  const references = Array.from({ length: 10 }, () => new WeakRef({ data: new Uint8Array(1000) }));
  await nextTurn();
  collectGarbage();
  assertEquals(references.filter((reference) => reference.deref() !== undefined).length, 0);
});
