/**
 * Names under which notebooks and scripts import a toolkit that was installed as a package: `seqreg`, `seqreg/fasta`
 * and so on, and the npm packages that came with it.
 */

const ROOT = new URL("../../../", import.meta.url);

/** The kernel's own folder, whose files `kernel install` copies. */
export const KERNEL_FOLDER: URL = new URL("./", import.meta.url);

/** Whether this toolkit was installed as a package: there modules are JavaScript, in a checkout TypeScript. */
export const IS_INSTALLED: boolean = import.meta.url.endsWith(".js");

/** Reads the addresses by name. Needs `--node-modules-dir=manual`, by which packages are found in their folders. */
export async function installedImports(): Promise<Readonly<Record<string, string>>> {
  const { exports, dependencies }: PackageJson = JSON.parse(await Deno.readTextFile(new URL("package.json", ROOT)));
  const own = Object.entries(exports).map(([name, target]) => [
    `seqreg${name.slice(1)}`,
    new URL(typeof target === "string" ? target : target.default, ROOT).href,
  ]);
  const packages = Object.keys(dependencies).flatMap((name) => {
    try {
      return [[name, import.meta.resolve(name)]];
    } catch {
      // A package without a main module.
      return [];
    }
  });
  return Object.fromEntries([...own, ...packages]);
}

/** What of the package's `package.json` is used here. */
interface PackageJson {
  readonly exports: Readonly<Record<string, string | { readonly default: string }>>;
  readonly dependencies: Readonly<Record<string, string>>;
}
