/** The checkout's `deno.json`, as far as packages are made of it. */
import { join, posix } from "node:path";

/** Parts of `deno.json`. */
export interface DenoConfig {
  readonly version: string;
  readonly license: string;
  readonly exports: Readonly<Record<string, string>>;
  /** Packages by name, and modules by the doors of the members that export them. */
  readonly imports: Readonly<Record<string, string>>;
  readonly compilerOptions: { readonly types: readonly string[] };
}

/** Reads the configuration of a checkout. */
export async function readDenoConfig(root: string): Promise<DenoConfig> {
  const config = JSON.parse(await Deno.readTextFile(join(root, "deno.json")));
  return { ...config, imports: { ...config.imports, ...await readDoors(root, config.workspace ?? []) } };
}

/** The doors of a workspace's members, as paths from the checkout: `@seqreg/core/errors` is `./src/core/errors.ts`. */
async function readDoors(root: string, members: readonly string[]): Promise<Readonly<Record<string, string>>> {
  const doors: Record<string, string> = {};
  for (const member of members) {
    const { name, exports }: { name: string; exports: Readonly<Record<string, string>> } = JSON.parse(
      await Deno.readTextFile(join(root, member, "deno.json")),
    );
    for (const [door, path] of Object.entries(exports)) {
      doors[`${name}${door.slice(1)}`] = `./${posix.join(member, path)}`;
    }
  }
  return doors;
}
