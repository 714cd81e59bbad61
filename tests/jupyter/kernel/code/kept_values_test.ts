/** Values that the real kernel loses. */
import { assertEquals } from "@std/assert";
import { keepValues } from "../../../../src/jupyter/kernel/code/kept_values.ts";
import { makeStoppable } from "../../../../src/jupyter/kernel/code/stoppable_awaits.ts";
import { Kernel, OWN_KERNEL } from "../../../notebooks/_kernel.ts";

const TIMEOUT_MS = 60_000;

Deno.test("the last value is kept on its line, and what is awaited behind itself", () => {
  const cases: Record<string, string> = {
    "a;\nb.c(1); // d": "a;\nK((b.c(1))); // d",
    "a, b": "K((a, b))",
    "(a)": "K(((a)))",
    "await f(x)": "await A(f(x), K)",
    "throw 5n; ": "throw K((5n), 1); ",
    "throw(x)": "throw K(((x)), 1)",
    "throw new Error('a')": "throw new Error('a')",
    "`text`": "`text`",
    "({ a: 1 })": "({ a: 1 })",
    "'text'": "'text'",
    "a(": "a(",
    "const a = 1;": "const a = 1;",
  };
  for (const [code, expected] of Object.entries(cases)) {
    const kept = keepValues(makeStoppable(code));
    assertEquals(kept.replaceAll("__seqreg_keep", "K").replaceAll(/__seqreg_(?:await|outer)/g, "A"), expected, code);
  }
});

Deno.test("a cell shows NaN, -0, Infinity and bigints, and what it throws of them", async (t) => {
  await using kernel = await Kernel.start({ folder: new URL("./", import.meta.url), args: OWN_KERNEL });
  const cells: Record<string, string | undefined> = {
    "NaN": "NaN",
    "-0": "-0",
    "1 / 0": "Infinity",
    "-Infinity": "-Infinity",
    "const big = 2n ** 64n; big": "18446744073709551616n",
    "[1n].map((each) => each).at(0)": "1n",
    "await Promise.resolve(5n)": "5n",
    "await new Promise((resolve) => setTimeout(resolve, 5, NaN));": "NaN",
    "await 7n": "7n",
    "%time 3n": "3n",
    "Symbol('a')": "Symbol(a)",
    "1 + 1": "2",
    "0": "0",
    "({ a: 1n })": "{ a: 1n }",
    "const lost = 5n": undefined,
    "if (true) { 5 }": "5",
    "undefined": undefined,
    "void 5n": undefined,
    "await Promise.resolve(undefined)": undefined,
    "for (const caught of [7]) { try { throw caught } catch {} }": undefined,
    "async function late() { await null; try { throw 1n } catch {} return 5n }\nawait late()": "5n",
  };
  for (const [code, expected] of Object.entries(cells)) {
    await t.step(code, async () => {
      const outputs = await kernel.run(code, TIMEOUT_MS);
      assertEquals(outputs.find(({ type }) => type === "execute_result")?.data?.["text/plain"], expected);
    });
  }
  for (const value of ["5n", "NaN", "-0", "null", "undefined"]) {
    await t.step(`throw ${value}`, async () => {
      const [error] = await kernel.run(`throw ${value}`, TIMEOUT_MS);
      assertEquals([error.text, error.traceback], [`Uncaught: ${value}`, [`Uncaught ${value}`]]);
    });
  }
  await t.step("a promise that failed with one", async () => {
    assertEquals((await kernel.run("await Promise.reject(5n)", TIMEOUT_MS))[0].text, "Uncaught: 5n");
  });
  await t.step("what was thrown last, not what was caught before it", async () => {
    assertEquals(
      (await kernel.run("try { throw 1n } catch {}\nawait Promise.reject(null)", TIMEOUT_MS))[0].text,
      "Uncaught: null",
    );
    assertEquals((await kernel.run("try { throw 1n } catch {}\nthrow 2n", TIMEOUT_MS))[0].text, "Uncaught: 2n");
  });
  await t.step("what a cell kept that failed is not shown under another", async () => {
    await kernel.run("globalThis.big = 5n; throw big", TIMEOUT_MS);
    assertEquals(await kernel.run("undefined", TIMEOUT_MS), []);
  });
});
