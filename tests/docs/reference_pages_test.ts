import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { QUESTIONS } from "../../tools/docs/_questions.ts";
import { rewriteImports, startPage, symbolPath } from "../../tools/docs/_reference_pages.ts";
import { COMMANDS } from "../../src/cli/_commands.ts";

const DOORS = new Map([["Registry", ["."]], ["worldMap", ["analysis"]], ["chart", ["analysis"]], ["makeSample", [
  "sample",
]], ["Naming", [".", "spec"]]]);

Deno.test("import lines of the reference are those that a user types", async (t) => {
  const lines: Readonly<Record<string, string>> = {
    "import { Registry } from &quot;.&quot;;": "import { Registry } from &quot;seqreg&quot;;",
    "<code>import { chart } from &quot;analysis&quot;;": "<code>import { chart } from &quot;seqreg/analysis&quot;;",
    "import { type Naming } from &quot;spec&quot;;": "import { type Naming } from &quot;seqreg/contract&quot;;",
    "import { worldMap } from &quot;./world_map.ts&quot;;": "import { worldMap } from &quot;seqreg/analysis&quot;;",
    "import { makeSample } from &quot;../sample/mod.ts&quot;;": "import { makeSample } from &quot;seqreg/sample&quot;;",
    "import type { Naming } from &quot;../naming.ts&quot;;": "import type { Naming } from &quot;seqreg&quot;;",
    "import { Registry, worldMap } from &quot;../mod.ts&quot;;":
      "import { Registry } from &quot;seqreg&quot;;\nimport { worldMap } from &quot;seqreg/analysis&quot;;",
    "import pl from &quot;nodejs-polars&quot;;": "import pl from &quot;nodejs-polars&quot;;",
    "import { private } from &quot;./_private.ts&quot;;": "import { private } from &quot;./_private.ts&quot;;",
  };
  for (const [line, expected] of Object.entries(lines)) {
    await t.step(line, () => assertEquals(rewriteImports(line, "analysis", DOORS), expected));
  }
});

Deno.test("a symbol of several modules is imported from the one whose page it is on", () => {
  const line = "import { Naming } from &quot;./naming.ts&quot;;";
  assertEquals(rewriteImports(line, "spec", DOORS), "import { Naming } from &quot;seqreg/contract&quot;;");
  assertEquals(rewriteImports(line, "client", DOORS), "import { Naming } from &quot;seqreg&quot;;");
});

Deno.test("the start page asks questions, and every link is a page", () => {
  const index = "<!DOCTYPE html><html><head><title>seqreg</title></head><body>all</body></html>";
  const page = startPage(index, ["analysis", "fasta"], () => true);
  for (const { question } of QUESTIONS) assertStringIncludes(page, question);
  assertStringIncludes(page, 'href="analysis/~/worldMap.html"');
  assertStringIncludes(page, ">seqreg/fasta</a>");
  assert(page.startsWith("<!DOCTYPE html><html><head><title>seqreg</title></head><body>"));
  assertEquals(symbolPath("Registry.search", (path) => path.includes("prototype")), "~/Registry.prototype.search.html");
  assertThrows(() => symbolPath("Registry.find", () => false), Error, "no page of Registry.find");
});

Deno.test("the commands that the start page shows are commands", () => {
  for (const { command = "" } of QUESTIONS) {
    for (const [, first, second] of command.matchAll(/seqreg (\S+) ?(\S*)/g)) {
      assert(COMMANDS.has(first) || COMMANDS.has(`${first} ${second}`), command);
    }
  }
});
