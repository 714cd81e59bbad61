/** Old addresses of the reference lead to the symbols' sections, below any prefix. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { redirects } from "../../tools/site/_redirects.ts";

Deno.test("old addresses of symbols and entry points lead on", () => {
  const pages = redirects([
    { page: "seqreg", names: ["Registry"] },
    { page: "analysis", names: ["Chart", "chart"] },
  ]);
  const leads: Readonly<Record<string, string>> = {
    "reference/all_symbols.html": "index.html",
    "reference/~/Registry.html": "../seqreg.html#symbol-Registry",
    "reference/analysis/index.html": "../analysis.html",
    "reference/analysis/~/Chart.html": "../../analysis.html#symbol-Chart",
  };
  for (const [path, to] of Object.entries(leads)) {
    assertStringIncludes(pages.get(path) ?? "", `content="0; url=${to}"`, path);
    assertStringIncludes(pages.get(path) ?? "", `<a href="${to}">`, path);
  }
  // The two are one file where case does not count.
  assertEquals(pages.has("reference/analysis/~/chart.html"), false);
});
