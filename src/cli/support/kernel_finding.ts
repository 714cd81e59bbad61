/** What `seqreg doctor` reports about the kernel: in which of Jupyter's folders it is installed. */
import { delimiter, dirname, join } from "node:path";
import { pathOfUrl } from "@seqreg/core/io/bytes/path_of_url";
import { IS_INSTALLED } from "@seqreg/jupyter/kernel/installed_imports";
import type { Finding } from "./cache_finding.ts";
import { hasKernelspec, jupyterDataFolder, kernelspecFolder } from "./kernelspec.ts";
import { TOOLKIT_ROOT } from "./toolkit_imports.ts";

/** Folder of the toolkit if it is an installed one. */
const TOOLKIT_FOLDER = IS_INSTALLED ? pathOfUrl(TOOLKIT_ROOT) : undefined;

/** What decides where Jupyter looks; this process's own by default. */
export interface JupyterPlaces {
  readonly env: (name: string) => string | undefined;
  readonly os?: typeof Deno.build.os;
  /** Folder of an installed toolkit: pip puts the kernel of a wheel into the environment that the wheel is in. */
  readonly toolkit?: string;
}

/** Looks for the kernel wherever Jupyter does. */
export async function findKernel(places: JupyterPlaces): Promise<Finding> {
  const subject = "kernel";
  for (const folder of jupyterFolders(places)) {
    if (await hasKernelspec(folder)) return { subject, state: `installed in ${kernelspecFolder(folder)}` };
  }
  return {
    subject,
    state: "not installed",
    advice: "seqreg lab installs its own; for another Jupyter: seqreg kernel install",
  };
}

/**
 * Lists the data folders in which Jupyter looks for kernels, in the order that it has in a virtual environment.
 *
 * The environment's folder is that of the Python which runs Jupyter. It is not known here: taken are the active
 * environments, and each `share/jupyter` above an installed toolkit.
 *
 * @see Jupyter's documentation, "Common directories"
 */
export function jupyterFolders(
  { env, os = Deno.build.os, toolkit = TOOLKIT_FOLDER }: JupyterPlaces,
): readonly string[] {
  const listed = (env("JUPYTER_PATH") ?? "").split(delimiter);
  const active = [env("VIRTUAL_ENV"), env("CONDA_PREFIX")].map((folder) => folder && join(folder, "share", "jupyter"));
  const above = toolkit === undefined ? [] : foldersAbove(toolkit).map((folder) => join(folder, "share", "jupyter"));
  const programData = env("PROGRAMDATA");
  const shared = os === "windows"
    ? [programData && join(programData, "jupyter")]
    : ["/usr/local/share/jupyter", "/usr/share/jupyter"];
  const all = [...listed, ...active, ...above, jupyterDataFolder(env, os), ...shared];
  return [...new Set(all.filter((folder): folder is string => folder !== undefined && folder !== ""))];
}

function foldersAbove(folder: string): string[] {
  const above = dirname(folder);
  return above === folder ? [] : [above, ...foldersAbove(above)];
}
