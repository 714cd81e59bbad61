import { assert, assertEquals } from "@std/assert";
import { readCell, visitCell } from "../../../../src/jupyter/kernel/code/program.ts";
import { makeStoppable } from "../../../../src/jupyter/kernel/code/stoppable_awaits.ts";
import { Kernel, OWN_KERNEL } from "../../../notebooks/_kernel.ts";

Deno.test("readCell() reads TypeScript, and nothing that is not or would keep others waiting", () => {
  assertEquals(readCell("const a: B<C> = <p>{await d}</p>; @e class F {}; export { g }")?.errors, []);
  assertEquals(readCell("")?.program.body, []);
  for (const code of ["await (", "`", "(".repeat(100_000), "[".repeat(100_000), "await f();\n".repeat(50_000)]) {
    assertEquals(readCell(code), undefined);
    assertEquals(makeStoppable(code), code);
  }
});

Deno.test("visitCell() knows which names an inner scope declares", () => {
  const inner: string[] = [];
  visitCell("a; ((b) => { let c; b + c + d })(e)", (node, { isInner }) => {
    if (node.type === "Identifier" && isInner(node.name)) inner.push(node.name);
  });

  assertEquals([...new Set(inner)].sort(), ["b", "c"]);
});

Deno.test("what is asked of names takes a time that grows with the length of a function", () => {
  const line = "const a = await f.g(b).c; d.e;\n";
  let inner = 0;
  const began = performance.now();
  visitCell(
    `async () => {\n${line.replaceAll("a ", "aN ").repeat(3000).replace(/N/g, () => String(inner++))}}`,
    (node, { isInner }) => {
      if (node.type === "Identifier" && isInner(node.name)) inner--;
    },
  );
  assertEquals(inner, 0);
  // A busy machine takes its time; what grew with the square took a minute.
  assert(performance.now() - began < 5000);
});

Deno.test("cells of forms that nobody foresaw leave the kernel as it was", async () => {
  await using kernel = await Kernel.start({ folder: new URL("./", import.meta.url), args: OWN_KERNEL });
  for (const code of ["(".repeat(200), "await 0;\n".repeat(40_000), "\0%who\u2028?", "help(\n".repeat(100)]) {
    await kernel.runAll([code], 120_000);
    const [answer] = await kernel.run("1 + await(1) // still there", 20_000);
    assert(answer?.data?.["text/plain"] === "2", code.slice(0, 20));
  }
});
