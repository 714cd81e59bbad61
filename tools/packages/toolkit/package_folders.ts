/** Where the files of locked packages are on this machine. */
import { join } from "node:path";
import { nameOf, type PlacedPackage, versionOf } from "./locked_packages.ts";
import { runDeno } from "./run_deno.ts";

/**
 * Fetches packages into Deno's cache, which compares them with the lock file, and finds their folders there. Packages
 * for other platforms come as any other.
 *
 * @param root Folder of the checkout, whose lock file stays as it is.
 * @returns Folders by name and version.
 * @throws {Error} If a package cannot be had, or is not what is locked.
 */
export async function fetchPackages(
  root: string,
  packages: readonly PlacedPackage[],
): Promise<ReadonlyMap<string, string>> {
  const folder = await Deno.makeTempDir();
  try {
    const entry = join(folder, "entry.ts");
    const ids = [...new Set(packages.map(({ id }) => `${nameOf(id)}@${versionOf(id)}`))];
    await Deno.writeTextFile(entry, ids.map((id) => `import "npm:${id}/package.json";\n`).join(""));
    await Deno.writeTextFile(join(folder, "deno.json"), "{}");
    await Deno.copyFile(join(root, "deno.lock"), join(folder, "deno.lock"));
    const options = ["--node-modules-dir=none", "--config", join(folder, "deno.json")];
    await runDeno(["cache", "--quiet", ...options, entry], { cwd: folder });
    const info: unknown = JSON.parse(await runDeno(["info", "--json", ...options, entry], { cwd: folder }));
    return new Map(packages.map(({ id }) => [id, folderOf(info, id)]));
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

function folderOf(info: unknown, id: string): string {
  for (const [other, about] of Object.entries(memberOf(info, "npmPackages") ?? {})) {
    const path: unknown = memberOf(about, "localPath");
    if (typeof path === "string" && nameOf(other) === nameOf(id) && versionOf(other) === versionOf(id)) return path;
  }
  throw new Error(`deno info does not say where ${id} is`);
}

function memberOf(owner: unknown, key: string): unknown {
  return typeof owner === "object" && owner !== null ? Reflect.get(owner, key) : undefined;
}
