/** The toolkit as a package for JSR: TypeScript, under a scoped name, without tests and tools. */
import { dirname, join } from "node:path";
import { readDenoConfig } from "./deno_config.ts";
import { listModules, TEXTS } from "./source_files.ts";

/** JSR has scoped names alone. */
export const JSR_NAME = "@seqreg/toolkit";

/**
 * Writes what JSR would get into a folder: `deno publish --dry-run` and `deno pack` run there.
 *
 * @param root Folder of the checkout.
 * @param folder An empty folder.
 */
export async function stageForJsr(root: string, folder: string): Promise<void> {
  const { version, license, exports, imports, compilerOptions } = await readDenoConfig(root);
  const config = { name: JSR_NAME, version, license, exports, imports, compilerOptions };
  await Deno.writeTextFile(join(folder, "deno.json"), `${JSON.stringify(config, null, 2)}\n`);
  const { types } = compilerOptions;
  for (const path of [...TEXTS, "deno.lock", ...types, ...await listModules(root)]) {
    await Deno.mkdir(dirname(join(folder, path)), { recursive: true });
    await Deno.copyFile(join(root, path), join(folder, path));
  }
}
