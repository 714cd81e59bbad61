/** Where the toolkit keeps what it fetched and built. */
import { join } from "node:path";
import { refuseAddress } from "./refuse_address.ts";

/**
 * Finds the cache folder: `SEQREG_CACHE`, else `$XDG_CACHE_HOME/seqreg`, else the platform's usual folder.
 *
 * The folder may not exist yet. Needs `--allow-env` for the variables it reads.
 *
 * @param env Reads an environment variable; the process's own by default.
 * @param os Platform; this one by default.
 * @throws {TypeError} If no variable says where the home folder is, or `SEQREG_CACHE` is an address.
 */
export function cacheFolder(
  env: (name: string) => string | undefined = (name) => Deno.env.get(name),
  os: typeof Deno.build.os = Deno.build.os,
): string {
  const chosen = env("SEQREG_CACHE");
  if (chosen) {
    refuseAddress(chosen);
    return chosen;
  }
  const xdg = env("XDG_CACHE_HOME");
  if (xdg) return join(xdg, "seqreg");
  if (os === "windows") {
    const local = env("LOCALAPPDATA");
    if (local) return join(local, "seqreg");
  }
  const home = env("HOME") || env("USERPROFILE");
  if (!home) throw new TypeError("Cannot find the cache folder: no home folder is known; set SEQREG_CACHE to a folder");
  return os === "darwin" ? join(home, "Library", "Caches", "seqreg") : join(home, ".cache", "seqreg");
}
