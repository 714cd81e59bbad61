import { assertEquals, assertRejects } from "@std/assert";
import { Registry } from "../../../../src/core/registry/registry.ts";

Deno.test("maxBases limits sequences whichever way they come", async () => {
  await using registry = await Registry.open("zika");
  const { accessions: ids } = await registry.search("", { pageSize: 2 });
  for (const [route, fields] of [["sequence", []], ["export", ["Country"]]] as const) {
    const whole = await registry.sequences({ ids }, { fields });
    const bases = whole.entries.reduce((sum, { sequence }) => sum + sequence.length, 0);
    assertEquals(whole.route, route);
    assertEquals((await registry.sequences({ ids }, { fields, maxBases: bases })).entries, whole.entries);
    for (const limit of [{ maxBases: bases - 1 }, { maxLetters: bases - 1 }]) {
      await assertRejects(() => registry.sequences({ ids }, { fields, ...limit }), RangeError, `${bases - 1} bases`);
    }
  }
});
