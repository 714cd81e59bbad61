/** Where Jupyter looks for kernels, and the folder that describes ours. */
import { basename, dirname, join, resolve } from "node:path";
import { RegistryError } from "@seqreg/core/errors";
import { pathOfUrl } from "@seqreg/core/io/bytes/path_of_url";
import { toolkitImports, toolkitLock } from "./toolkit_imports.ts";
import { isFile } from "@seqreg/core/io/files/is_there";
import { writeAtomic } from "@seqreg/core/io/files/atomic_file";
import { IS_INSTALLED, KERNEL_FOLDER } from "@seqreg/jupyter/kernel/installed_imports";

/** Name of the kernelspec's folder, and of the kernel in a notebook's metadata. */
export const KERNEL_NAME = "deno-seqreg";

/** Version of Deno that starts the kernel if Deno comes from npm. */
export const DENO_PACKAGE = "deno@2.9.6";

/**
 * What the kernel reports of its language. A notebook that holds the same is not changed by being opened; a test
 * compares it with the kernel and with the lessons.
 */
export const LANGUAGE_INFO = {
  codemirror_mode: "typescript",
  file_extension: ".ts",
  mimetype: "text/x.typescript",
  name: "typescript",
  nbconvert_exporter: "script",
  pygments_lexer: "typescript",
  version: "6.0.3",
} as const;

/** How a file of the kernel names another: as a module, or by its address. */
const NAMED_FILE = /"(\.{1,2}\/[\w/]+\.(?:ts|json))"/g;

/** Packages that the kernel imports and the files that they are copied to, in the folder of what imports them. */
const PACKAGES = [["@babel/parser", "code/babel_parser.js"], ["js-tokens", "help/js_tokens.js"]] as const;

/**
 * How Deno runs the kernel, which takes no configuration of a notebook's folder for its own. Messages that pass are
 * soon gone: 2 MB for what was just made hold them, where V8 would take 16.
 */
const KERNEL_ARGS = [
  "run",
  "--v8-flags=--max-semi-space-size=2",
  "--allow-all",
  "--no-config",
  "--no-lock",
  ...IS_INSTALLED ? ["--node-modules-dir=manual"] : [],
];

/** The kernel of an installed package; a checkout's is copied, so that it outlives the checkout. */
const INSTALLED_MAIN = pathOfUrl(new URL("main.js", KERNEL_FOLDER));

/** The option for another data folder of Jupyter. */
export const DATA_DIR_OPTION = {
  "data-dir": {
    type: "string",
    value: "DIR",
    describe: "data folder of Jupyter (default: JUPYTER_DATA_DIR, else the user's)",
  },
} as const;

/**
 * Finds the folder in which Jupyter looks for a user's kernels.
 *
 * @see Jupyter's documentation, "Common directories": `JUPYTER_DATA_DIR`, else the platform's default.
 */
export function jupyterDataFolder(env: (name: string) => string | undefined, os = Deno.build.os): string {
  const chosen = env("JUPYTER_DATA_DIR");
  if (chosen) return chosen;
  const home = env("HOME") || env("USERPROFILE") || "";
  if (os === "darwin") return join(home, "Library", "Jupyter");
  if (os === "windows") return join(env("APPDATA") || join(home, "AppData", "Roaming"), "jupyter");
  return join(env("XDG_DATA_HOME") || join(home, ".local", "share"), "jupyter");
}

export function kernelspecFolder(dataFolder: string): string {
  return join(dataFolder, "kernels", KERNEL_NAME);
}

/**
 * The command that starts the kernel. An installed Deno is referred to by its path; one from `npx` is in a cache that
 * may be cleaned, so `npx` itself is used, which fetches it again.
 */
export function startCommand(execPath: string): string[] {
  if (!/[/\\]_npx[/\\]/.test(execPath)) return [execPath];
  return [Deno.build.os === "windows" ? "npx.cmd" : "npx", "--yes", DENO_PACKAGE];
}

/** Writes our kernelspec together with the kernel's files, and returns its folder. */
export async function writeKernelspec(
  dataFolder: string,
  signal?: AbortSignal,
  env: (name: string) => string | undefined = (name) => Deno.env.get(name),
): Promise<string> {
  const folder = kernelspecFolder(dataFolder);
  try {
    await Deno.mkdir(folder, { recursive: true });
  } catch (cause) {
    throw new RegistryError("disk", `Cannot make ${folder}: choose another folder with --data-dir`, { cause });
  }
  // Jupyter starts a kernel in the folder of its notebook.
  const main = IS_INSTALLED ? INSTALLED_MAIN : resolve(folder, "main.ts");
  if (!IS_INSTALLED) await copyKernel(folder, signal);
  if (!IS_INSTALLED) await compileKernel(main, signal);
  const argv = [...startCommand(Deno.execPath()), ...KERNEL_ARGS, main, "{connection_file}"];
  const denoDir = env("DENO_DIR");
  await writeAtomic(join(folder, "kernel.json"), kernelspecText(argv, denoDir && resolve(denoDir)), { signal });
  return folder;
}

async function copyKernel(folder: string, signal: AbortSignal | undefined): Promise<void> {
  const names = new Set(["main.ts"]);
  // The set grows while it is gone through. A toolkit may lie on a server, which lists no folder.
  for (const name of names) {
    const url = new URL(name, KERNEL_FOLDER);
    const source = await (await fetch(url)).text();
    for (const [, other] of source.matchAll(NAMED_FILE)) {
      names.add(new URL(other, url).href.slice(KERNEL_FOLDER.href.length));
    }
    await Deno.mkdir(dirname(join(folder, name)), { recursive: true });
    const own = PACKAGES.reduce((text, [name, file]) => text.replace(`"${name}"`, `"./${basename(file)}"`), source);
    await writeAtomic(join(folder, name), own, { signal });
  }
  // Each is one module: the kernel starts without a network, whatever becomes of Deno's cache.
  const packages = await Promise.all([
    import("@babel/parser", { with: { type: "text" } }),
    import("js-tokens", { with: { type: "text" } }),
  ]);
  for (const [index, [, file]] of PACKAGES.entries()) {
    await writeAtomic(join(folder, file), String(packages[index].default), { signal });
  }
  // Notebooks anywhere import the checkout that the kernel was installed from.
  const lock = await toolkitLock() ?? '{ "version": "5" }';
  const imports = JSON.stringify({ imports: await toolkitImports(), lock });
  await writeAtomic(join(folder, "imports.json"), imports, { signal });
}

/** Has Deno keep the files as JavaScript, if it may be run: to compile them takes time and memory of a kernel. */
async function compileKernel(main: string, signal: AbortSignal | undefined): Promise<void> {
  const command = Deno.execPath();
  if ((await Deno.permissions.query({ name: "run", command })).state !== "granted") return;
  const args = ["cache", "--quiet", "--no-config", "--no-lock", main];
  await new Deno.Command(command, { args, signal, stdout: "null", stderr: "null" }).output();
}

/**
 * Writes a kernelspec.
 *
 * @param argv The command that starts the kernel; `{connection_file}` stands for the path that Jupyter supplies.
 * @param denoDir `DENO_DIR` of a Deno whose packages are elsewhere, such as a bundle's.
 * @see Jupyter's documentation, "Kernel specs"
 */
export function kernelspecText(argv: readonly string[], denoDir?: string): string {
  const spec = {
    argv,
    display_name: "Deno (seqreg)",
    language: "typescript",
    interrupt_mode: "message",
    ...denoDir && { env: { DENO_DIR: denoDir } },
  };
  return `${JSON.stringify(spec, null, 2)}\n`;
}

export async function hasKernelspec(dataFolder: string): Promise<boolean> {
  return await isFile(join(kernelspecFolder(dataFolder), "kernel.json"));
}
