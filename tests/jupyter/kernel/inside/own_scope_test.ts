/** Code of ours in the kernel does not see the names of cells. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import type { Node } from "@babel/types";
import { visitCell } from "../../../../src/jupyter/kernel/code/program.ts";
import { inOwnScope } from "../../../../src/jupyter/kernel/inside/own_scope.ts";
import { installStopping } from "../../../../src/jupyter/kernel/inside/stopping.ts";
import { FIRST_CODE, TOOLS_CODE } from "../../../../src/jupyter/kernel/kernel_code.ts";
import { checkHiddenNames } from "./_hidden_names.ts";

Deno.test("code in the kernel refers to no global that it did not take at its start", () => {
  const code = [FIRST_CODE, TOOLS_CODE, inOwnScope(`(${installStopping});`)].join("\n");
  const members = new Set<Node>();
  const free = new Set<string>();
  visitCell(code, (node, { isInner }) => {
    if (node.type === "MemberExpression" || node.type === "OptionalMemberExpression") members.add(node.property);
    else if ("key" in node && node.key) members.add(node.key);
    else if (
      node.type === "ExpressionStatement" && node.expression.type === "CallExpression" &&
      node.expression.arguments.length > 9
    ) {
      for (const name of node.expression.arguments) members.add(name);
    } else if (node.type === "Identifier" && !members.has(node) && !isInner(node.name)) free.add(node.name);
  });

  assertEquals([...free], []);
});

Deno.test("cells may take the names of globals: printing, await, %time, help and Stop go on", async () => {
  const said = await checkHiddenNames(
    ("performance setTimeout setInterval Promise Object Map Set Symbol Reflect URL Math Number String Error Array " +
      "globalThis AbortController TextDecoder").split(" "),
  );

  assertStringIncludes(said, "performance, setTimeout, ");
  assertStringIncludes(said, "now hide JavaScript's own globals from packages and the toolkit too");
});
