import { assertEquals } from "@std/assert";
import { findForgottenAwaits } from "../../../../src/jupyter/kernel/code/forgotten_awaits.ts";

function found(code: string): Promise<string | undefined> {
  return findForgottenAwaits(code, {
    unawaited: (name) => name === "page" ? "registry.search" : undefined,
    givesPromise: (callee) => Promise.resolve(callee.join(".") === "registry.search"),
  });
}

Deno.test("findForgottenAwaits() finds members of promises", async () => {
  for (const code of ["page.rows", "f(() => page.rows)", "{ page.rows }", "`${page.rows}`"]) {
    assertEquals((await found(code))?.split('"')[1], "page is a promise and has no \\", code);
  }
  assertEquals(
    await found("registry.search('x').rows"),
    '["registry.search(…) gives a promise, which has no \\"rows\\": write (await registry.search(…)).rows"], {  }',
  );
});

Deno.test("findForgottenAwaits() is silent where a name means something else", async (t) => {
  const cells = [
    "(await page).rows; page.then(f); other.page.rows; page['rows']",
    "list.map((page) => page.rows)",
    "for (const page of pages) console.log(page.rows)",
    "for (let page = 1; page.rows;);",
    "{ const page = await f(); page.rows }",
    "switch (a) { case 1: let page = b; page.rows }",
    "try { f() } catch (page) { page.rows }",
    "function f({ a: [page] }) { return page.rows }",
    "class A { m(page = 1) { return page.rows } }",
    "const f = function page() { return page.rows }",
    "(registry) => registry.search('x').rows",
    "<p>page.rows</p>",
    "page.rows (",
  ];
  for (const code of cells) await t.step(code, async () => assertEquals(await found(code), undefined));
});
