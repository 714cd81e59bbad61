import { assertEquals } from "@std/assert";
import { nearName } from "../../../../src/jupyter/kernel/help/near_names.ts";

Deno.test("nearName() finds the name that takes the fewest edits, and none of one that takes many", () => {
  assertEquals(nearName("serach", ["open", "search"]), "search");
  assertEquals(nearName("foo", ["open", "search"]), undefined);
  assertEquals(nearName("n", ["a", "in"]), undefined);
});
