/**
 * Finds DuckDB's extension `httpfs`, by which it reads objects: a file that is signed for one version of DuckDB.
 *
 * Nothing is fetched: PyPI has it as `duckdb-extension-httpfs`, whose wheel holds the file.
 */
import { delimiter, dirname, join } from "node:path";
import { allowedEnv, type ReadEnv } from "../../options/allowed_env.ts";

export const HTTPFS_VARIABLE = "SEQREG_DUCKDB_HTTPFS";

const FILE = "httpfs.duckdb_extension";

/**
 * Finds the extension: named by `SEQREG_DUCKDB_HTTPFS`, else in DuckDB's own folder, else with a Python on the path.
 *
 * @param version Version of DuckDB, such as `v1.5.5`.
 * @returns Path of the file; `undefined` if it is missing.
 */
export async function findHttpfs(version: string, env: ReadEnv = allowedEnv): Promise<string | undefined> {
  const named = env(HTTPFS_VARIABLE);
  if (named) return named;
  const home = env("HOME") || env("USERPROFILE");
  const own = home ? [join(home, ".duckdb", "extensions", version, platform(), FILE)] : [];
  for (const path of own) if (await isFile(path)) return path;
  for (const folder of await packageFolders(env)) {
    const path = join(folder, "duckdb_extension_httpfs", "extensions", version, FILE);
    if (await isFile(path)) return path;
  }
  return undefined;
}

/** The line that installs the extension. */
export function installHttpfs(version: string): string {
  return `python3 -m pip install duckdb-extension-httpfs==${version.replace(/^v/, "")}`;
}

/** Folders in which Pythons have their packages. */
async function packageFolders(env: ReadEnv): Promise<string[]> {
  const prefixes = new Set<string>();
  for (const variable of ["VIRTUAL_ENV", "CONDA_PREFIX"]) if (env(variable)) prefixes.add(env(variable)!);
  for (const folder of (env("PATH") ?? "").split(delimiter)) {
    for (const name of ["python3", "python.exe"]) {
      const program = join(folder, name);
      if (folder === "" || !await isFile(program)) continue;
      prefixes.add(name === "python.exe" ? folder : dirname(folder));
      const real = await Deno.realPath(program).catch(() => program);
      prefixes.add(dirname(dirname(real)));
    }
  }
  if (env("HOME")) prefixes.add(join(env("HOME")!, ".local"));
  const folders: string[] = [];
  for (const prefix of prefixes) {
    folders.push(join(prefix, "Lib", "site-packages"));
    for (const version of await pythonsIn(join(prefix, "lib"))) {
      folders.push(join(prefix, "lib", version, "site-packages"), join(prefix, "lib", version, "dist-packages"));
    }
  }
  return folders;
}

async function pythonsIn(folder: string): Promise<string[]> {
  if (!await mayRead(folder)) return [];
  const names: string[] = [];
  try {
    for await (const { name } of Deno.readDir(folder)) if (/^python3(\.[0-9]+)?$/.test(name)) names.push(name);
  } catch {
    // The folder does not exist, or this user may not read it.
  }
  return names.sort();
}

async function isFile(path: string): Promise<boolean> {
  return await mayRead(path) && await Deno.stat(path).then((info) => info.isFile, () => false);
}

/** Without this, Deno would ask the user at a terminal. */
async function mayRead(path: string): Promise<boolean> {
  return (await Deno.permissions.query({ name: "read", path })).state === "granted";
}

/** DuckDB's name of this platform. */
function platform(): string {
  const system = { darwin: "osx", windows: "windows" }[Deno.build.os as string] ?? "linux";
  return `${system}_${Deno.build.arch === "aarch64" ? "arm64" : "amd64"}`;
}
