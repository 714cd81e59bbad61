/** The toolkit as a package for JSR: TypeScript, under a scoped name, without tests and tools. */
import { dirname, join } from "node:path";
import { readDenoConfig } from "./deno_config.ts";
import { listModules, TEXTS } from "./source_files.ts";

/** The standard library as JSR has it, by the names of `deno.json`; `docs/permissions.md` lists the same. */
const STANDARD_LIBRARY: Readonly<Record<string, string>> = {
  "@std/assert": "jsr:@std/assert@1.0.13",
  "@std/crypto": "jsr:@std/crypto@1.0.5/timing-safe-equal",
  "@std/csv": "jsr:@std/csv@1.0.6",
  "@std/streams": "jsr:@std/streams@1.0.9",
};
/** Types of the npm packaging, which has none. */
const STANDARD_LIBRARY_TYPES = "./types/std.d.ts";

/** JSR has scoped names alone. */
export const JSR_NAME = "@seqreg/toolkit";

/**
 * Writes what JSR would get into a folder: `deno publish` and `deno pack` run there.
 *
 * @param root Folder of the checkout.
 * @param folder An empty folder.
 * @param options `standardLibrary`: whether the standard library is imported from JSR, as what is published does, or by
 * default from npm, as the checkout does: checks run there where JSR cannot be reached.
 */
export async function stageForJsr(
  root: string,
  folder: string,
  { standardLibrary = "npm" }: { readonly standardLibrary?: "npm" | "jsr" } = {},
): Promise<void> {
  const { version, license, exports, imports, compilerOptions } = await readDenoConfig(root);
  const isPublished = standardLibrary === "jsr";
  const types = compilerOptions.types.filter((path) => !isPublished || path !== STANDARD_LIBRARY_TYPES);
  const config = {
    name: JSR_NAME,
    version,
    license,
    exports,
    imports: isPublished ? { ...imports, ...STANDARD_LIBRARY } : imports,
    compilerOptions: { ...compilerOptions, types },
  };
  await Deno.writeTextFile(join(folder, "deno.json"), `${JSON.stringify(config, null, 2)}\n`);
  // The lock file is of the packages of npm.
  const locks = isPublished ? [] : ["deno.lock"];
  for (const path of [...TEXTS, ...locks, ...types, ...await listModules(root)]) {
    await Deno.mkdir(dirname(join(folder, path)), { recursive: true });
    await Deno.copyFile(join(root, path), join(folder, path));
  }
}
