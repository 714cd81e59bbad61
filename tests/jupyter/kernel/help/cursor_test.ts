import { assertEquals } from "@std/assert";
import { cursorAt } from "../../../../src/jupyter/kernel/help/cursor.ts";

/** Calls, keys and lists that are open, the innermost first. */
function frames(code: string): string[] {
  return cursorAt(code).frames.map(({ kind, callee, isNew, argument, key, given }) =>
    kind === "call"
      ? `${isNew ? "new " : ""}${callee.join(".")}#${argument}`
      : kind === "object"
      ? `{${given.join(",")}|${key ?? ""}`
      : kind
  );
}

Deno.test("a cursor knows what is open around it", async (t) => {
  const cases: Record<string, readonly string[]> = {
    "f(": ["f#0"],
    "a.b(1, g(2), ": ["a.b#2"],
    'a.b("x", { pa': ["{|", "a.b#1"],
    'a.b("x", { all: true, sort: { order: "': ["{|order", "{all|sort", "a.b#1"],
    "lake({ archives: ['full": ["list", "{|archives", "lake#0"],
    "new Client(u, { ": ["{|", "new Client#1"],
    "if (a) { ": ["other"],
    "if (": ["other"],
    "x[": ["other"],
    "f(() => { g(": ["g#0", "other", "f#0"],
    "`${f(": ["f#0", "other"],
    "f('a(', /* b( */ ": ["f#1"],
  };
  for (const [code, expected] of Object.entries(cases)) {
    await t.step(code, () => assertEquals(frames(code), expected));
  }
});

Deno.test("a cursor knows the text, the name or the member that is being written", () => {
  assertEquals(cursorAt('import { a } from "seqreg/an').text, { text: "seqreg/an", mark: '"', isModule: true });
  assertEquals(cursorAt("await import('se").text?.isModule, true);
  assertEquals(cursorAt("f(`coun").text, { text: "coun", mark: "`", isModule: false });
  assertEquals([cursorAt("a.b?.c").owner, cursorAt("a.b?.c").word], [["a", "b"], "c"]);
  assertEquals([cursorAt("f(1).c").owner, cursorAt("reg").word], [[], "reg"]);
  assertEquals([cursorAt("// a").inComment, cursorAt("f(a: ").beginsValue, cursorAt("a ").beginsValue], [
    true,
    true,
    false,
  ]);
});
