/** Which files of the checkout go into a package. */
import { join } from "node:path";
import { runDeno } from "./run_deno.ts";

/** Files that go into each package as they are: texts, and what the notebook kernel answers help from. */
export const TEXTS: readonly string[] = [
  "CHANGELOG.md",
  "CITATION.cff",
  "LICENSE",
  "README.md",
  "SECURITY.md",
  "docs/commands.md",
  "docs/polars.md",
  "src/jupyter/kernel/help/help_index.json",
];

/**
 * Lists the modules that go into a package, sorted, with `/` between names. The kernels' sources are AssemblyScript.
 */
export async function listModules(root: string): Promise<string[]> {
  const files = await listFiles(root, "src");
  const modules = files.filter((path) => path.endsWith(".ts") && !path.endsWith(".as.ts"));
  return ["mod.ts", ...modules];
}

/** Lists the files of the built documentation, which it builds unless it is up to date. */
export async function listSite(root: string): Promise<string[]> {
  await runDeno(["task", "--quiet", "site", "--if-needed"], { cwd: root });
  return await listFiles(root, "site");
}

/** Lists lessons and examples, sorted, with `/` between names. */
export async function listLessons(root: string): Promise<string[]> {
  const files = [...await listFiles(root, "examples"), ...await listFiles(root, "notebooks")];
  return files.filter((path) => /\.(ts|ipynb|md)$/.test(path));
}

/** Lists the files below a folder, sorted, with `/` between names; names that begin with a dot are left out. */
export async function listFiles(root: string, folder: string): Promise<string[]> {
  const entries = await Array.fromAsync(Deno.readDir(join(root, folder)));
  const files: string[] = [];
  for (const { name, isDirectory, isFile } of entries.sort((a, b) => a.name < b.name ? -1 : 1)) {
    if (name.startsWith(".")) continue;
    const path = folder === "" ? name : `${folder}/${name}`;
    if (isDirectory) files.push(...await listFiles(root, path));
    else if (isFile) files.push(path);
  }
  return files;
}
