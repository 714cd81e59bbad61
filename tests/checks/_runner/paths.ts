/** Files that rows of the table name. */
import { ROOT } from "../../_files.ts";

/** Files that a row or a command line names: a folder, with `/` at its end, stands for its modules without `_`. */
export function filesOf(paths: readonly string[], root = ROOT): string[] {
  return paths.flatMap((path) => {
    if (!path.endsWith("/")) return [path];
    const names = Array.from(Deno.readDirSync(root + path), ({ name }) => name);
    return names.filter((name) => /^[^_].*\.ts$/.test(name)).sort().map((name) => path + name);
  });
}
