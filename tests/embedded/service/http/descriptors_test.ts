import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { RegistryError } from "../../../../src/core/errors.ts";
import { countFreeDescriptors, fitToDescriptors } from "../../../../src/embedded/service/http/descriptors.ts";

const USUAL = { connections: 1024, answers: 256 };

Deno.test("what a server holds fits to the files that its process can open", async (t) => {
  for (const free of [14, 33, 200, 990, 1407, 1408, 20_000]) {
    await t.step(`${free} free`, () => {
      const { connections, answers, warning } = fitToDescriptors(USUAL, (most) => Math.min(most, free));
      assert(connections >= 1 && answers >= 1 && answers <= connections);
      if (free >= 990) assert(connections >= 500 && free - connections - answers >= 128, "an import has its files");
      assertEquals(warning === undefined, free >= 1408);
      if (free >= 1408) assertEquals({ connections, answers }, USUAL);
      else {
        assert(connections + answers + 12 <= free);
        assertStringIncludes(warning!, `can open only ${free} more files: at most ${connections} connections`);
      }
    });
  }
  assertEquals(fitToDescriptors({ connections: 3, answers: 9 }, () => 134), { connections: 3, answers: 9 });
  assertThrows(() => fitToDescriptors(USUAL, () => 13), RegistryError, "can open only 13 more files");
});

Deno.test("counting free descriptors ends at what is needed, and keeps none", () => {
  assertEquals(countFreeDescriptors(50), 50);
  assertEquals(countFreeDescriptors(50), 50);
});
