/** Which files of tests a change can affect. */
import { ROOT, walk } from "./_files.ts";
import { type ModuleGraph, reachedFrom, readModuleGraph } from "./_module_graph.ts";
import { fileURLToPath, pathToFileURL } from "node:url";

/** Files of tests that `deno task test` runs, as paths of the project. */
export async function testFiles(root = ROOT): Promise<string[]> {
  const files = await walk(new URL("tests/", pathToFileURL(root)), "_test.ts");
  return files.map((file) => fileURLToPath(file).slice(root.length));
}

/** Tests that import a changed file, at any depth, or are named after one. */
export async function affectedTests(changed: readonly string[], root = ROOT): Promise<string[]> {
  const tests = await testFiles(root);
  const graph: ModuleGraph = await readModuleGraph(tests, root);
  const stems = changed.map(stemOfTests).filter((stem) => stem !== undefined);
  return tests.filter((test) => {
    const reached = reachedFrom(graph, test);
    return changed.some((path) => reached.has(path)) || stems.some((stem) => test.startsWith(`${stem}_`));
  });
}

/** What the names of a module's tests begin with: a command is run by its tests in a process of its own. */
function stemOfTests(path: string): string | undefined {
  const [, folder, name] = /^src\/(.+\/)?_?([^/]+)\.ts$/.exec(path) ?? [];
  return name === undefined ? undefined : `tests/${folder ?? ""}${name}`;
}
