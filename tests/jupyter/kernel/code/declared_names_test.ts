import { assert, assertEquals } from "@std/assert";
import { declaredNames } from "../../../../src/jupyter/kernel/code/declared_names.ts";

Deno.test("declaredNames() lists what other cells see", async (t) => {
  const cases: Record<string, readonly string[]> = {
    "import a, { b as c, type D } from 'x'; import * as e from 'y'; import f = require('z')": ["a", "c", "D", "e", "f"],
    "let { a, b: { c = 1 }, ...d } = x, [e, , [f]] = y": ["a", "c", "d", "e", "f"],
    "export const a = 1; export async function b() {} export default class C {} enum E {}": ["a", "b", "C", "E"],
    "export default class extends A {}": [],
    "export default function () {}": [],
    "{ const a = 1 } for (let b of c) var_; if (d) { function e() {} } declare const f: number": [],
    "const await_ = 1 // the last line": ["await_"],
    "const a = (": [],
  };
  for (const [code, names] of Object.entries(cases)) {
    await t.step(code, () => assertEquals(declaredNames(code).map(({ name }) => name), names));
  }
});

Deno.test("declaredNames() tells the call that a name is the result of", () => {
  const calls = (code: string) => declaredNames(code).map(({ call, unawaited }) => [call, unawaited]);

  assertEquals(calls("const a = await b.c(1)"), [["b.c", undefined]]);
  assertEquals(calls("const a = b.c<D>(1)"), [["b.c", "b.c"]]);
  assertEquals(calls("const a = new Promise(f), b = c().d(), e = f[0](), { g } = h()"), [
    [undefined, undefined],
    [undefined, undefined],
    [undefined, undefined],
    [undefined, undefined],
  ]);
});

Deno.test("declaredNames() keeps the text, with the comment above it", () => {
  const texts = (code: string) => declaredNames(code).map(({ text }) => text);

  assertEquals(texts("f(); // not this\n\n/** Twice. */\nexport const twice = (x) => 2 * x;\ng()"), [
    "/** Twice. */\nexport const twice = (x) => 2 * x",
  ]);
  assertEquals(texts("// One.\n// Two.\nasync function f() {}"), ["// One.\n// Two.\nasync function f() {}"]);
});

Deno.test("declaredNames() passes over thousands of lines of comments", () => {
  const began = performance.now();
  const [{ text }] = declaredNames(`${"// one of many\n".repeat(16_000)}\nconst a = 1;`);
  assertEquals(text, "const a = 1");
  // A busy machine takes its time; what grew with the square took many times as long.
  assert(performance.now() - began < 3000);
});
