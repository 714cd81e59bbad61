/** The extension of JupyterLab that makes tables of `live()` live, in a data folder of Jupyter. */
import { dirname, join } from "node:path";
import { isFile } from "@seqreg/core/io/files/is_there";
import { writeAtomic } from "@seqreg/core/io/files/atomic_file";
import { EXTENSION_FOLDER, extensionFiles } from "@seqreg/jupyter/notebook/live/lab_extension";
import type { Finding } from "../support/cache_finding.ts";
import { jupyterFolders, type JupyterPlaces } from "../support/kernel_finding.ts";

export async function writeExtension(dataFolder: string, signal?: AbortSignal): Promise<void> {
  for (const { path, text } of extensionFiles()) {
    const file = join(dataFolder, ...path.split("/"));
    await Deno.mkdir(dirname(file), { recursive: true });
    await writeAtomic(file, text, { signal });
  }
}

export async function removeExtension(dataFolder: string): Promise<void> {
  try {
    await Deno.remove(join(dataFolder, EXTENSION_FOLDER), { recursive: true });
  } catch (cause) {
    if (!(cause instanceof Deno.errors.NotFound)) throw cause;
  }
}

/** Looks for the extension wherever Jupyter does. */
export async function findExtension(places: JupyterPlaces): Promise<Finding> {
  const subject = "live tables";
  for (const folder of jupyterFolders(places)) {
    const path = join(folder, EXTENSION_FOLDER);
    if (await isFile(join(path, "package.json"))) return { subject, state: `Jupyter's extension is in ${path}` };
  }
  return {
    subject,
    state: "Jupyter's extension is not installed: live() shows the first rows",
    advice: "seqreg lab has its own; for another Jupyter: seqreg kernel install",
  };
}
