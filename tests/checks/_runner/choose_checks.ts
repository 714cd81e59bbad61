/** Which checks a change calls for. */
import { ROOT } from "../../_files.ts";
import { type ModuleGraph, reachedFrom } from "../../_module_graph.ts";
import type { Check } from "./check.ts";
import { filesOf } from "./paths.ts";

/** Checks that changed files call for: by their modules, by their other files, or by the table. */
export function checksFor(
  checks: readonly Check[],
  changed: readonly string[],
  graph: ModuleGraph,
  root = ROOT,
): Check[] {
  return checks.filter((check) => {
    const files = filesOf(check.files, root);
    const reached = new Set(files.flatMap((file) => [...reachedFrom(graph, file)]));
    return changed.some((path) => {
      return reached.has(path) || check.calls.some((call) => isWithin(path, call)) ||
        files.some((file) => isHelperOf(file, path));
    });
  });
}

function isWithin(path: string, call: string): boolean {
  return call.endsWith("/") ? path.startsWith(call) : path === call;
}

/** Whether a file is what a check next to it hands to another program, such as a script of Python. */
function isHelperOf(file: string, path: string): boolean {
  const folder = file.slice(0, file.lastIndexOf("/") + 1);
  return path.startsWith(`${folder}_`) && !path.endsWith(".ts");
}
