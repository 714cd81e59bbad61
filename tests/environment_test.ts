/** What tests do to the environment that all of them see. */
import { assertEquals } from "@std/assert";
import { relative, walk } from "./_files.ts";

const ROOT = new URL("./", import.meta.url);

Deno.test("a test that changes a variable of the environment has a process of its own", async () => {
  const faults: string[] = [];
  for (const file of await walk(ROOT, "_test.ts")) {
    const text = await Deno.readTextFile(file);
    if (/Deno\.env\.(?:set|delete)\(/.test(text) && !text.includes("testAlone(")) faults.push(relative(ROOT, file));
  }
  assertEquals(faults, []);
});
