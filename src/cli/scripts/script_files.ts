/** Files by which Deno finds the toolkit when it runs a script: an import map and a lock file. */
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { messageOf, RegistryError } from "@seqreg/core/errors";
import { makeTempFolder } from "@seqreg/core/io/files/temp_path";
import { absoluteAll, CONFIGURATIONS, parseConfiguration } from "@seqreg/jupyter/kernel/folder_configuration";
import { IS_INSTALLED } from "@seqreg/jupyter/kernel/installed_imports";
import { toolkitImports, toolkitLock, withSubpaths } from "../support/toolkit_imports.ts";

/** The files, in a temporary folder that disposal removes. */
export interface ScriptFiles extends AsyncDisposable {
  /** Arguments of `deno run` that name them. */
  readonly args: readonly string[];
}

/**
 * Writes the import map and the lock file of one run. The map holds the toolkit's imports and those of the nearest
 * `deno.json` at or above the script, which win. The lock file is a copy: a script's own packages are not added to the
 * toolkit's.
 *
 * @param script Path of the script, or its address.
 * @throws {RegistryError} With code `disk` if the project's configuration is not JSON.
 */
export async function writeScriptFiles(script: string): Promise<ScriptFiles> {
  const imports = withSubpaths({ ...await toolkitImports(), ...await projectImports(script) });
  const lock = await toolkitLock();
  const folder = await makeTempFolder({ prefix: "seqreg-run-" });
  const map = join(folder, "imports.json");
  await Deno.writeTextFile(map, JSON.stringify({ imports }));
  const lockPath = join(folder, "deno.lock");
  if (lock !== undefined) await Deno.writeTextFile(lockPath, lock);
  return {
    args: [
      `--import-map=${map}`,
      lock === undefined ? "--no-lock" : `--lock=${lockPath}`,
      // An installed toolkit has its packages in a folder next to it; a project's own are in the project's.
      ...IS_INSTALLED ? ["--node-modules-dir=manual"] : [],
    ],
    [Symbol.asyncDispose]: () => Deno.remove(folder, { recursive: true }),
  };
}

async function projectImports(script: string): Promise<Readonly<Record<string, string>>> {
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(script)) return {};
  const start = script === "-" ? Deno.cwd() : dirname(resolve(script));
  for (let folder = start;; folder = dirname(folder)) {
    for (const name of CONFIGURATIONS) {
      const path = join(folder, name);
      const text = await Deno.readTextFile(path).catch(() => undefined);
      if (text === undefined) continue;
      try {
        return absoluteAll(parseConfiguration(text).imports, pathToFileURL(path));
      } catch (cause) {
        const why = messageOf(cause);
        throw new RegistryError("disk", `Cannot read the imports of ${path}: ${why}; correct the file`, { cause });
      }
    }
    if (dirname(folder) === folder) return {};
  }
}
