/** Runs every second notebook; `notebooks_second_test.ts` runs the others beside it. */
import { assert } from "@std/assert";
import { TEST_FILES, testNotebooks } from "./_run_notebooks.ts";

await testNotebooks(import.meta.url);

Deno.test("every notebook falls to a test file that is there", async () => {
  for (const name of TEST_FILES) assert((await Deno.stat(new URL(name, import.meta.url))).isFile, name);
});
