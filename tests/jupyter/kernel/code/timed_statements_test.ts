/** Times of `%time` that shift no lines. */
import { assertEquals, assertMatch } from "@std/assert";
import { rewriteCommands } from "../../../../src/jupyter/kernel/code/cell_commands.ts";
import { readCell } from "../../../../src/jupyter/kernel/code/program.ts";
import { joinTimes } from "../../../../src/jupyter/kernel/code/timed_statements.ts";
import { Kernel, OWN_KERNEL } from "../../../notebooks/_kernel.ts";

const TIMEOUT_MS = 60_000;

Deno.test("a time begins and ends within its statement", () => {
  const cases: Record<string, string> = {
    "%time await f()": "C.start(), await f()",
    "%time f();\nb": "C.start(), (f()), C.stop();\nb",
    "%time a = f(\n  1,\n)\nb": "C.start(), (a = f(\n  1,\n) ), C.stop();\nb",
    "%time const a = f()": "const a = (C.start(), f())",
    "%time const a = f();\nb": "const a = (C.start(), C.end((f())));\nb",
    "%time const { a } = ((f())), b = (g())\nb": "const { a } = (((C.start(), f()))), b = (C.end((g()))) ;\nb",
    "%time let a, b = 1\nb": "let a, b = (C.start(), C.end((1))) ;\nb",
    "%time const f = () => 1": "C.start(); const f = () => 1",
    "%time for (;;) f()\nb": "C.start(); for (;;) f() ;C.stop();\nb",
    "%%time\na\nb": "C.start(); \na\nb",
    "%%time a\nb": "C.start(), a\nb",
    "a;b": "a;b",
  };
  for (const [code, expected] of Object.entries(cases)) {
    const joined = joinTimes(rewriteCommands(code, { declared: [] }));
    assertEquals(joined.replaceAll("__seqreg_commands", "C"), expected, code);
    assertEquals(readCell(joined)?.errors.length, 0, joined);
  }
});

Deno.test("an error names its line at a %time and behind one, and the times are printed", async (t) => {
  await using kernel = await Kernel.start({ folder: new URL("./", import.meta.url), args: OWN_KERNEL });
  const cells: Record<string, readonly [line: number, times: number]> = {
    'console.log("first");\nconst t0 = 1;\n%time JSON.parse("{")': [3, 0],
    '%time 1;\n%time const t1 = 2;\n%time await 3;\nJSON.parse("{")': [4, 3],
    '%time const t2 = await Promise.resolve(2);\nconst t3 = JSON.parse("{");': [2, 1],
    '%%time console.log("a");\nJSON.parse("{")': [2, 0],
  };
  for (const [code, [line, times]] of Object.entries(cells)) {
    await t.step(code, async () => {
      const outputs = await kernel.run(code, TIMEOUT_MS);
      assertMatch(outputs.at(-1)?.traceback?.at(-1) ?? "", new RegExp(`at <anonymous>:${line}:\\d+`));
      assertEquals(outputs.map(({ text }) => text).join("").match(/^time: /gm)?.length ?? 0, times);
    });
  }
  await t.step("names and values stay", async () => {
    const outputs = await kernel.run("t1 + t2;\n%time const t4 = t1 + t2;\n%time t4", TIMEOUT_MS);
    assertEquals(outputs.find(({ type }) => type === "execute_result")?.data?.["text/plain"], "4");
    assertEquals(outputs.map(({ text }) => text ?? "").join("").match(/^time: /gm)?.length, 2);
  });
});
