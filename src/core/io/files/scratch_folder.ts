/**
 * Temporary folders for what is too large for memory: removed when they are released, when the program ends, or, after
 * a kill, by a later program.
 */
import { join } from "node:path";
import { makeTempFolder } from "./temp_path.ts";
import { IN_USE_FILE, removeFolder, useFolder } from "./folder_use.ts";

/** A temporary folder of this program's own. Dispose of it when what is in it is no longer needed. */
export interface ScratchFolder extends Disposable {
  /** Absolute path of the folder. */
  readonly path: string;
}

/** Folders of this program that still exist. */
const folders = new Set<string>();
let isListening = false;

/** Folders that a killed program left are removed by the next one a day after they were last used. */
const STALE_MS = 24 * 3_600_000;

/**
 * Creates a folder in the system's temporary directory.
 *
 * @param purpose What it is for; part of its name: `seqreg-PURPOSE-…`.
 * @throws {RegistryError} With code `disk` if the temporary directory cannot be written.
 */
export async function createScratchFolder(purpose: string): Promise<ScratchFolder> {
  const prefix = `seqreg-${purpose}-`;
  const path = await makeTempFolder({ prefix });
  folders.add(path);
  if (!isListening) {
    isListening = true;
    globalThis.addEventListener("unload", () => folders.forEach(removeNow));
  }
  const use = await useFolder(path);
  await sweep(join(path, ".."), prefix).catch((error) => {
    // The temporary directory may not be listed: a leftover costs space and nothing else.
    if (!(error instanceof Deno.errors.PermissionDenied)) throw error;
  });
  return {
    path,
    [Symbol.dispose]() {
      use?.[Symbol.dispose]();
      removeNow(path);
    },
  };
}

function removeNow(path: string): void {
  if (!folders.delete(path)) return;
  try {
    Deno.removeSync(path, { recursive: true });
  } catch {
    // It is in the temporary directory: the system or a later program removes it.
  }
}

async function sweep(parent: string, prefix: string): Promise<void> {
  for await (const { name, isDirectory } of Deno.readDir(parent)) {
    if (!isDirectory || !name.startsWith(prefix) || folders.has(join(parent, name))) continue;
    const folder = join(parent, name);
    const used = await Deno.stat(join(folder, IN_USE_FILE)).then(({ mtime }) => mtime?.getTime(), () => undefined);
    if (used === undefined || Date.now() - used < STALE_MS) continue;
    await removeFolder(folder).catch(() => {});
  }
}
