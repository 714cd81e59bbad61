/** The Python that tests hand files to: `PYTHON` names it. */
import { type Needs, succeeds } from "./_needs.ts";

export const PYTHON = Deno.env.get("PYTHON") ?? "python3";

export function needsModules(...modules: readonly string[]): Needs {
  return { [`${modules.join(" and ")} for Python`]: succeeds([PYTHON, "-c", `import ${modules.join(", ")}`]) };
}
