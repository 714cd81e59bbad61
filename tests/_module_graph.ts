/** Which files of the project a module imports, and what these import. */
import { pathToFileURL } from "node:url";
import { ROOT } from "./_files.ts";

interface Dependency {
  readonly code?: { readonly specifier?: string };
  readonly type?: { readonly specifier?: string };
}

interface Module {
  readonly specifier: string;
  readonly dependencies?: readonly Dependency[];
}

/** Imports of modules, as paths of the project. */
export type ModuleGraph = ReadonlyMap<string, readonly string[]>;

/**
 * Reads the imports of some modules and of all that they import, `import()` and types included.
 *
 * @throws {Error} If `deno info` fails.
 */
export async function readModuleGraph(files: readonly string[], root = ROOT): Promise<ModuleGraph> {
  const base = pathToFileURL(root).href;
  // One process for all files: a module that imports them.
  const entry = await Deno.makeTempFile({ suffix: ".ts" });
  try {
    const lines = files.map((file) => `import ${JSON.stringify(pathToFileURL(root + file).href)};\n`);
    await Deno.writeTextFile(entry, lines.join(""));
    const args = ["info", "--json", "--config", `${root}deno.json`, entry];
    const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), { args, cwd: root }).output();
    if (!success) throw new Error(`deno info failed: ${new TextDecoder().decode(stderr).trim()}`);
    const { modules } = JSON.parse(new TextDecoder().decode(stdout)) as { readonly modules: readonly Module[] };
    return new Map(
      modules.filter(({ specifier }) => specifier.startsWith(base)).map((module) => {
        const imported = (module.dependencies ?? []).flatMap(({ code, type }) => [code?.specifier, type?.specifier]);
        const ours = imported.filter((specifier) => specifier?.startsWith(base)) as string[];
        return [pathOf(module.specifier), [...new Set(ours.map(pathOf))]];
      }),
    );
  } finally {
    await Deno.remove(entry);
  }

  function pathOf(specifier: string): string {
    return decodeURIComponent(specifier.slice(base.length));
  }
}

/** A module and all that it imports, at any depth. */
export function reachedFrom(graph: ModuleGraph, file: string): ReadonlySet<string> {
  const reached = new Set([file]);
  for (const path of reached) for (const imported of graph.get(path) ?? []) reached.add(imported);
  return reached;
}
