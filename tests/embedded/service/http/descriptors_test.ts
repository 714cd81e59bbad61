import { assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { RegistryError } from "../../../../src/core/errors.ts";
import { checkDescriptors, fitToDescriptors } from "../../../../src/embedded/service/http/descriptors.ts";

const USUAL = { connections: 1024, answers: 256 };

for (const [hasMany, reserve] of [[false, 16], [true, 128]] as const) {
  Deno.test(`what a server holds leaves an import ${reserve} files`, async (t) => {
    for (const room of [2, 40, 1000, 1023, 1024, 20_000]) {
      await t.step(`${room} more`, () => {
        const free = room + reserve;
        const { connections, answers, warning } = fitToDescriptors(USUAL, hasMany, (most) => Math.min(most, free));
        assertEquals([connections, answers], [Math.min(1024, room), Math.min(256, room)]);
        assertEquals(warning === undefined, room >= 1024);
        if (warning !== undefined) {
          assertStringIncludes(warning, `can open only ${free} more files: at most ${connections} connections and`);
        }
      });
    }
    assertEquals(fitToDescriptors({ connections: 3, answers: 9 }, hasMany, () => 3 + reserve), {
      connections: 3,
      answers: 9,
    });
    assertThrows(
      () => fitToDescriptors(USUAL, hasMany, () => reserve + 1),
      RegistryError,
      `can open only ${reserve + 1} more files, expected at least ${reserve + 2}`,
    );
  });
}

Deno.test("too few files to import and serve archives are reported before they are read", () => {
  checkDescriptors((most) => most);
  assertThrows(
    () => checkDescriptors((most) => most - 1),
    RegistryError,
    "can open only 30 more files, expected at least 31",
  );
});
