import { assertEquals } from "@std/assert";
import { makeStoppable } from "../../../../src/jupyter/kernel/code/stoppable_awaits.ts";

/** Code with marks for what is put round an operand (« », in a function ⟨ ⟩) and round what is gone through (‹ ›). */
function marked(code: string): readonly [plain: string, written: string] {
  const plain = code.replace(/[«»⟨⟩‹›]/g, "");
  return [
    plain,
    code.replaceAll("«", "__seqreg_outer(").replaceAll("⟨", "__seqreg_await(").replaceAll("‹", "__seqreg_each(")
      .replace(/[»⟩›]/g, ")"),
  ];
}

const CASES: readonly string[] = [
  "await «f()»",
  "const a = await «f(x).g.h[1]`t${await «u»}`» + await «b»;",
  "for (;;) await «new Promise((r) => setTimeout(r, 50))»",
  "await «new Promise<void>((r) => r())»; await «new A.B<C<D>>(1).go()»",
  "await «f<Map<string, number>>(x)»\nawait «a» < b",
  "for await (const { of: x } of ‹steps(a, { of: 1 })›) await «x»",
  "for await (const x of ‹await «steps()»›) {}",
  "async function g() { return await ⟨h?.(1)?.[2]!.x⟩ ?? 1; }",
  "const s = `a ${await «b(`c ${d}`)»} e`",
  "await «import('x')»; const { await: y } = z; z.await; z?.await",
  'f("await x", /await y/, `await z`); // await a\n/* await b */ await «c»',
  "await using r = await «open()»",
  "x = await «(a, b)» ? await «[1]» : await «{ then: 1 }»",
  "await «typeof x»; await «-x»; await «!await «y»»",
  "await «x++» + 1; a / await «b» / 2",
  "if (a) /re/.test(await «b»)",
  "await «x»\n!y",
  "await «a\n  .b()\n  .c()»\nd()",
  "const f = async (x) => await ⟨x⟩",
  "x\n  ? await «a.b» : await «c» / 2 / 3",
  "await «class {}»; await «function () {}()»",
  "f(a) /await «x»/ 2; if (b) {} /await y/.test(await «c»)",
  "if (a) /await x/.test(b)",
  "const page = <p>Please await the results {await «x»}</p>",
  "class A { await() {} static await = 1; async f() { await ⟨this.await()⟩ } }",
  "interface B { await: number; await(): void } import { await as w } from 'y'; type C = { await?: 1 }",
  "for await (const o\\u0066x of ‹steps›) await «o\\u0066x»",
  "await «f<A<B>, (c: D) => E>(x)»; await «x» as F; await «g<H>»",
  "await «f()» // the last line",
  "await /* before */ «f()» /* behind */;",
  "const o = { async m() { await ⟨x⟩ }, get g() { return async () => await ⟨y⟩ }, v: await «z» }",
  "for (const x of xs) { if (await «x») { try { await «y» } finally { await «z» } } }",
  "await «Promise.all(xs.map(async (x) => { await ⟨x⟩; }))»",
  "async function* s() { for await (const x of ‹y›) yield await ⟨x⟩; }",
  "enum I { a = 1 } await «I.a» satisfies number",
];

Deno.test("every operand of await is passed through, and nothing else is changed", async (t) => {
  for (const code of CASES) {
    await t.step(code, () => {
      const [plain, written] = marked(code);
      assertEquals(makeStoppable(plain), written);
    });
  }
});

Deno.test("what cannot be taken apart stays as it is", () => {
  for (
    const code of ["1 + 1", "await (", 'await "x', "await `x", "await"]
  ) {
    assertEquals(makeStoppable(code), code);
  }
});

Deno.test("a word without a blank behind it stays one", () => {
  for (const operand of ["(f())", "((f()))", "(a, b)", "`x`", "[1]", "+1", "/x/.exec(y)", '"x"', "!x", "{}"]) {
    assertEquals(makeStoppable(`await${operand}`), `await __seqreg_outer(${operand})`);
  }
});

Deno.test("a list of expressions is gone through as its last", () => {
  assertEquals(
    makeStoppable("for await (const x of (a, b)) {}"),
    "for await (const x of (__seqreg_each((a, b)))) {}",
  );
});

Deno.test("lines stay where they are", () => {
  const code = "await a\n\nawait b(\n  c,\n)\n";

  assertEquals(makeStoppable(code).split("\n").length, code.split("\n").length);
});
