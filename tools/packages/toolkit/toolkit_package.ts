/**
 * The toolkit as an npm package: what the npm tarball holds, and a wheel with the packages that it needs next to it.
 */
import { join } from "node:path";
import { declarationsOf } from "./declarations.ts";
import { readDenoConfig } from "./deno_config.ts";
import { transpile } from "./javascript.ts";
import { diskFile, type PackedFile, textFile } from "./packed_file.ts";
import { listLessons, listModules, listSite, TEXTS } from "./source_files.ts";

/** The toolkit's own files, and the npm packages that they import. */
export interface ToolkitPackage {
  readonly version: string;
  readonly license: string;
  readonly files: readonly PackedFile[];
  readonly dependencies: Readonly<Record<string, string>>;
  /** Modules that importers name: `./fasta` is `./src/core/fasta/mod.js`. */
  readonly exports: Readonly<Record<string, string>>;
}

/** Builds the toolkit's own files from a checkout. */
export async function buildToolkit(root: string): Promise<ToolkitPackage> {
  const { version, license, exports, imports } = await readDenoConfig(root);
  const javascript = await transpile(root, await listModules(root), imports);
  const names = [...new Set(javascript.flatMap(({ packages }) => packages))].sort();
  return {
    version,
    license,
    dependencies: Object.fromEntries(names.map((name) => [name, versionIn(imports, name)])),
    exports: Object.fromEntries(Object.entries(exports).map(([name, path]) => [name, path.replace(/\.ts$/, ".js")])),
    files: [
      ...javascript.map(({ path, code }) => textFile(path, code)),
      ...await declarationsOf(root),
      ...[...TEXTS, ...await listLessons(root), ...await listSite(root)].map((path) =>
        diskFile(path, join(root, path))
      ),
    ],
  };
}

/** Writes `package.json`; keys of `more` follow. */
export function packageJson(toolkit: ToolkitPackage, more: Readonly<Record<string, unknown>> = {}): PackedFile {
  const exported = Object.entries(toolkit.exports).map(([name, path]) => [
    name,
    { types: path.replace(/\.js$/, ".d.ts"), default: path },
  ]);
  const content = {
    name: "seqreg",
    version: toolkit.version,
    description: "Complete or explained access to a Sequence Registry of viral genome records",
    license: toolkit.license,
    type: "module",
    exports: { ...Object.fromEntries(exported), "./package.json": "./package.json" },
    dependencies: toolkit.dependencies,
    ...more,
  };
  return textFile("package.json", `${JSON.stringify(content, null, 2)}\n`);
}

/** The exact version by which `deno.json` imports a package. */
function versionIn(imports: Readonly<Record<string, string>>, name: string): string {
  for (const target of Object.values(imports)) {
    const id = target.replace(/^npm:\/?/, "");
    if (id.startsWith(`${name}@`)) return id.slice(name.length + 1).split("/", 1)[0];
  }
  throw new Error(`deno.json imports no package ${name}`);
}
