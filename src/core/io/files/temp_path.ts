/** Temporary files and folders; where the system's temporary directory cannot be used, the error names it. */
import { RegistryError } from "../../errors.ts";
import { allowedEnv } from "../../options/allowed_env.ts";
import { diskReason } from "./disk_error.ts";
import { systemCode } from "./system_code.ts";

/** How a temporary file or folder is called. */
export interface TempName {
  readonly prefix?: string;
  readonly suffix?: string;
}

/**
 * Makes a folder in the system's temporary directory.
 *
 * @throws {RegistryError} With code `disk` if that directory does not exist or cannot be written.
 */
export async function makeTempFolder(name: TempName = {}): Promise<string> {
  return await naming(() => Deno.makeTempDir(name));
}

/** Makes a file in the system's temporary directory. @throws As {@linkcode makeTempFolder} does. */
export async function makeTempFile(name: TempName = {}): Promise<string> {
  return await naming(() => Deno.makeTempFile(name));
}

async function naming(make: () => Promise<string>): Promise<string> {
  try {
    return await make();
  } catch (cause) {
    throw temporaryError(cause);
  }
}

/** The error of a temporary file that the system refuses to write, which names its directory; any other as it is. */
export function temporaryError(cause: unknown): unknown {
  const code = systemCode(cause);
  if (code === undefined) return cause;
  const name = Deno.build.os === "windows" ? "TEMP" : "TMPDIR";
  const folder = allowedEnv(name);
  const where = folder ? `${folder}, which ${name} names` : "the system's temporary directory";
  const why = code === "ENOENT" ? "it does not exist" : diskReason(cause);
  const next = code === "ENOSPC" || code === "EDQUOT" ? "free some space there, or set" : "set";
  return new RegistryError(
    "disk",
    `Cannot write temporary files to ${where}: ${why}; ${next} ${name} to a folder you can write to`,
    { cause },
  );
}
