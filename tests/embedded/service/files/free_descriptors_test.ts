import { assertEquals } from "@std/assert";
import { countFreeDescriptors } from "../../../../src/embedded/service/files/free_descriptors.ts";

Deno.test("counting free descriptors ends at what is needed, and keeps none", () => {
  assertEquals(countFreeDescriptors(50), 50);
  assertEquals(countFreeDescriptors(60), 60);
  assertEquals(countFreeDescriptors(50), 50);
});
