import { assertEquals, assertThrows } from "@std/assert";
import { applyMutation, findMutations } from "./_mutations.ts";
import { formatSurvivor, parseSurvivors } from "./_survivors.ts";

Deno.test("findMutations() changes operators, conditions, literals, calls and bodies, one at a time", () => {
  const cases: Record<string, readonly string[]> = {
    "const c = a + b;": ["const c = a - b;"],
    "const c = a < b;": ["const c = a <= b;", "const c = a >= b;"],
    "const c = a === b && !d;": ["const c = a === b || !d;", "const c = a !== b && !d;", "const c = a === b && d;"],
    "if (a) b();": ["if (true) b();", "if (false) b();"],
    "const c = a ? 1 : 2;": ["const c = true ? 1 : 2;", "const c = false ? 1 : 2;"],
    "for (; a; a--) b();": ["for (; false; a--) b();", "for (; a; a++) b();"],
    'const c = ["a", true];': ["const c = [];", 'const c = ["", true];', 'const c = ["a", false];'],
    'const c = a.startsWith("");': ['const c = a.endsWith("");', 'const c = a.startsWith("?");'],
    "function f() { a(); }": ["function f() {}"],
    "const c = a ?? b;": ["const c = a;"],
    "[a, b] = c;": [],
  };
  for (const [source, expected] of Object.entries(cases)) {
    assertEquals(findMutations(source).map((mutation) => applyMutation(source, mutation)).sort(), [...expected].sort());
  }
});

Deno.test("findMutations() leaves types, imports, sentences and errors as they are", () => {
  const source = `import { a } from "a";
type B = "x" | "y";
interface C { readonly d: "e"; }
const f = "two words";
const g = { "h-i": a as unknown as "j" };
throw new TypeError("k");`;
  assertEquals(findMutations(source), []);
});

Deno.test("a mutation is described by its line, before and after", () => {
  const source = "function f() {\n  return a(\n    1,\n  ) > 2;\n}\n";
  assertEquals(
    findMutations(source).map(({ line, original, mutated }) => [line, original, mutated]),
    [
      [1, "function f() {", "function f() {}"],
      [4, ") > 2;", ") >= 2;"],
      [4, ") > 2;", ") <= 2;"],
    ],
  );
});

Deno.test("the list of survivors is read as it is written", async () => {
  const entry = { file: "a.ts", original: "if (a < b) {", mutated: "if (a <= b) {" };
  const text = `# Title\n\n\`\`\`diff\n${formatSurvivor(entry, "Both are\nequal.")}\n\n${
    formatSurvivor({ ...entry, mutated: "" }, "None.")
  }\n\`\`\`\n`;
  assertEquals(parseSurvivors(text), [{ ...entry, reason: "Both are equal." }, {
    ...entry,
    mutated: "",
    reason: "None.",
  }]);
  assertThrows(() => parseSurvivors("```diff\na.ts\n- a\n+ b\n```\n"), SyntaxError, "reason");
  parseSurvivors(await Deno.readTextFile(new URL("./survivors.md", import.meta.url)));
});
