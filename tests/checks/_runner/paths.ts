/** Where the project is, and files in it. */
import { fileURLToPath } from "node:url";

/** The project's folder, with `/` at its end. */
export const ROOT = fileURLToPath(new URL("../../../", import.meta.url));

/** Files that a row or a command line names: a folder, with `/` at its end, stands for its modules without `_`. */
export function filesOf(paths: readonly string[], root = ROOT): string[] {
  return paths.flatMap((path) => {
    if (!path.endsWith("/")) return [path];
    const names = Array.from(Deno.readDirSync(root + path), ({ name }) => name);
    return names.filter((name) => /^[^_].*\.ts$/.test(name)).sort().map((name) => path + name);
  });
}
