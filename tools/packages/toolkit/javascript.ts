/**
 * TypeScript modules as JavaScript for a package.
 *
 * Deno strips no types from files below `node_modules`, so a package holds JavaScript. `deno transpile` keeps import
 * specifiers as they are: here those of our own modules get the ending `.js`, doors of members become paths, and names
 * of `deno.json` become names of npm packages, since no import map is in force below `node_modules`.
 *
 * @module
 */
import { dirname, join, relative } from "node:path";
import { runDeno } from "./run_deno.ts";

/** Specifiers after `from`, `import`, `import(` and `import.meta.resolve(`, and those of workers after `new URL(`. */
const SPECIFIER = /(\bfrom\s*|\bimport\s*\(?\s*|\bimport\.meta\.resolve\(\s*|\bnew URL\(\s*)"([^"\n]+)"/g;

export interface JavaScriptModule {
  readonly path: string;
  readonly code: string;
  readonly packages: readonly string[];
}

/**
 * Transpiles modules.
 *
 * @param root Folder of the checkout.
 * @param modules Paths of TypeScript modules, relative to it.
 * @param imports `imports` of its `deno.json`.
 */
export async function transpile(
  root: string,
  modules: readonly string[],
  imports: Readonly<Record<string, string>>,
): Promise<JavaScriptModule[]> {
  const folder = await Deno.makeTempDir();
  try {
    await runDeno(["transpile", "--quiet", "--no-check", "--outdir", folder, ...modules], { cwd: root });
    const known = new Set(modules);
    return await Promise.all(modules.map(async (path) => {
      const javascript = withEnding(path);
      const code = await Deno.readTextFile(join(folder, javascript));
      return { path: javascript, ...rewriteSpecifiers(code, path, known, imports) };
    }));
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/**
 * Rewrites the specifiers of one module.
 *
 * @param code The module, transpiled.
 * @param path Its path as TypeScript, with `/` between names.
 * @param modules Paths of all modules of the package.
 * @param imports `imports` of `deno.json`.
 */
export function rewriteSpecifiers(
  code: string,
  path: string,
  modules: ReadonlySet<string>,
  imports: Readonly<Record<string, string>>,
): { code: string; packages: readonly string[] } {
  const packages = new Set<string>();
  const rewritten = code.replace(SPECIFIER, (text, before: string, specifier: string) => {
    if (specifier.startsWith(".")) {
      const target = join(dirname(path), specifier).replaceAll("\\", "/");
      return modules.has(target) ? `${before}"${withEnding(specifier)}"` : text;
    }
    const own = Object.hasOwn(imports, specifier) ? imports[specifier] : "";
    if (own.startsWith("./")) {
      const way = relative(dirname(path), own).replaceAll("\\", "/");
      return `${before}"${withEnding(way.startsWith(".") ? way : `./${way}`)}"`;
    }
    const npm = npmSpecifier(specifier, imports);
    if (npm === undefined || /^(new URL|import\.meta)/.test(before)) return text;
    packages.add(npm.name);
    return `${before}"${npm.specifier}"`;
  });
  return { code: rewritten, packages: [...packages].sort() };
}

/** `@std/csv` by `npm:deno-std@1.4.0/csv/mod.js` is `deno-std/csv/mod.js`, of the package `deno-std`. */
function npmSpecifier(
  specifier: string,
  imports: Readonly<Record<string, string>>,
): { readonly name: string; readonly specifier: string } | undefined {
  // Deno takes a package's name for its folder too: "linkedom" maps "linkedom/worker".
  const key = Object.keys(imports).find((key) => specifier === key || specifier.startsWith(key.replace(/\/?$/, "/")));
  const target = key === undefined ? "" : imports[key] + specifier.slice(key.length);
  const parts = /^npm:\/?((?:@[^/]+\/)?[^@/]+)@[^/]+(\/.*)?$/.exec(target);
  return parts === null ? undefined : { name: parts[1], specifier: `${parts[1]}${parts[2] ?? ""}` };
}

function withEnding(path: string): string {
  return path.replace(/\.ts$/, ".js");
}
