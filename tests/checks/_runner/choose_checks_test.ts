import { assert, assertEquals } from "@std/assert";
import { readModuleGraph } from "../../_module_graph.ts";
import { inProject } from "../../_project_folder.ts";
import { CHECKS } from "../checks.ts";
import type { Check } from "./check.ts";
import { checksFor } from "./choose_checks.ts";
import { filesOf } from "./paths.ts";

const CHECK = { shows: "", minutes: 1 } as const;

Deno.test("a check is called for by its modules, its other files, and the folders of its row", async () => {
  const files = {
    "src/a/deep.ts": "export type Deep = number;",
    "src/a/top.ts": `import type { Deep } from "./deep.ts"; export const top: Deep = 1;`,
    "src/b/alone.ts": "export const alone = 1;",
    "checks/top.ts": `const { top } = await import("../src/a/top.ts"); console.log(top);`,
    "checks/_top.py": "print(1)",
    "checks/folder/one.ts": `import "../../src/b/alone.ts";`,
    "checks/folder/_helper.ts": "",
  };
  const checks: Check[] = [
    { ...CHECK, name: "top", files: ["checks/top.ts"], calls: ["docs/top.md"] },
    { ...CHECK, name: "folder", files: ["checks/folder/"], calls: ["src/a/"] },
  ];
  await inProject(files, async (root) => {
    const graph = await readModuleGraph(checks.flatMap(({ files }) => filesOf(files, root)), root);
    const chosen = (...changed: string[]) => checksFor(checks, changed, graph, root).map(({ name }) => name);

    assertEquals(chosen("src/a/deep.ts"), ["top", "folder"]);
    assertEquals(chosen("src/b/alone.ts"), ["folder"]);
    assertEquals(chosen("checks/top.ts"), ["top"]);
    assertEquals(chosen("checks/_top.py"), ["top"]);
    assertEquals(chosen("docs/top.md"), ["top"]);
    assertEquals(chosen("src/a/removed.ts"), ["folder"]);
    assertEquals(chosen("docs/other.md", "src/c.ts"), []);
  });
});

Deno.test("changes of five rooms call for the checks that hold them", async () => {
  const graph = await readModuleGraph(CHECKS.flatMap(({ files }) => filesOf(files)));
  const expected = {
    "src/core/io/workbook/workbook_table.ts": "workbook",
    "src/alike/sketch/sketch_routines.ts": "sourmash",
    "src/jupyter/kernel/main.ts": "stops",
    "src/spark/connect/client.ts": "cluster-faults",
    "src/embedded/service/import/import.ts": "kills-import",
  };
  for (const [path, name] of Object.entries(expected)) {
    await Deno.stat(new URL(`../../../${path}`, import.meta.url));
    const names = checksFor(CHECKS, [path], graph).map(({ name }) => name);
    assert(names.includes(name), `${path} calls for ${names.join(", ")}`);
    assert(names.length < CHECKS.length, `${path} calls for every check`);
  }
});
