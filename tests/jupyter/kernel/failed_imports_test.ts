/** Imports that cannot be had, in our own kernel. */
import { assertEquals, assertMatch } from "@std/assert";
import { Kernel, OWN_KERNEL } from "../../notebooks/_kernel.ts";

const TIMEOUT_MS = 60_000;

Deno.test("an import that cannot be had is reported with its own reason", async () => {
  await using kernel = await Kernel.start({ folder: new URL("./", import.meta.url), args: OWN_KERNEL });
  const cells: Record<string, RegExp> = {
    // Without a network, the registry's address.
    'import type { A } from "npm:nosuch";\nimport ms from "npm:ms@99";\nms(1)': /npm package 'ms'|registry\S*\/ms/,
    'import { left } from "leftpadd"': /"leftpadd" not a dependency/,
    'const path = "node:nosuch";\nawait import(path)': /node:nosuch/,
    "%%bash\nfor x in 1 2; do echo $x; done": /^SyntaxError: unknown command %%bash; /,
    "import ms from 'npm:ms@99'; const a = (": /^SyntaxError: the cell was not run: Expression expected/,
  };
  for (const [code, reason] of Object.entries(cells)) {
    const [{ status, outputs }] = await kernel.runAll([code], TIMEOUT_MS);
    assertEquals(status, "error", code);
    assertMatch(outputs.at(-1)?.text ?? "", reason);
  }
  const [{ status, outputs }] = await kernel.runAll(["1 + 1"], TIMEOUT_MS);
  assertEquals([status, outputs.at(-1)?.data?.["text/plain"]], ["ok", "2"]);
});
