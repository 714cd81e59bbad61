/** Names under which code outside the toolkit imports it, and where they lead: the toolkit's import map. */
import { isRecord } from "@seqreg/core/options/is_record";
import { absoluteAll, parseConfiguration } from "@seqreg/jupyter/kernel/folder_configuration";
import { installedImports, IS_INSTALLED } from "@seqreg/jupyter/kernel/installed_imports";

/** The installed toolkit: the folder, or the address, of its `deno.json`. */
export const TOOLKIT_ROOT = new URL("../../../", import.meta.url);

/** Packages that only the toolkit's own tests import. */
const TEST_PACKAGES = ["axe-core", "fast-check", "fast-xml-parser", "playwright-core", "test262-parser-tests/"];

/**
 * Reads the toolkit's import map: `seqreg`, `seqreg/analysis` and so on, and the packages that its modules import.
 *
 * @returns Absolute addresses and package specifiers by name.
 */
export async function toolkitImports(): Promise<Readonly<Record<string, string>>> {
  if (IS_INSTALLED) return await installedImports();
  const own = parseConfiguration(await readText(new URL("deno.json", TOOLKIT_ROOT)) ?? "{}");
  const doors = Object.entries(textsOf(own.exports)).map(([name, path]) => [
    name === "." ? "seqreg" : `seqreg/${name.slice(2)}`,
    new URL(path, TOOLKIT_ROOT).href,
  ]);
  const imports = Object.entries(absoluteAll(own.imports, TOOLKIT_ROOT));
  const packages = imports.filter(([name]) => !TEST_PACKAGES.includes(name));
  return Object.fromEntries([...doors, ...await memberDoors(own.workspace), ...packages]);
}

/** Doors of the workspace's members, by which the toolkit's own modules import each other. */
async function memberDoors(folders: unknown): Promise<(readonly [name: string, address: string])[]> {
  const members = Array.isArray(folders) ? folders.map((folder) => new URL(`${folder}/deno.json`, TOOLKIT_ROOT)) : [];
  const doors = await Promise.all(members.map(async (address) => {
    const member = parseConfiguration(await readText(address) ?? "{}");
    return Object.entries(textsOf(member.exports)).map(([door, path]) =>
      [`${member.name}${door.slice(1)}`, new URL(path, address).href] as const
    );
  }));
  return doors.flat();
}

/** Reads the toolkit's lock file; `undefined` where it was installed without one. */
export async function toolkitLock(): Promise<string | undefined> {
  return await readText(new URL("deno.lock", TOOLKIT_ROOT));
}

/**
 * Adds to package specifiers those of their subpaths: a `deno.json` implies them (`hono` and `hono/html`), an import
 * map does not.
 */
export function withSubpaths(imports: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const subpaths = Object.entries(imports).flatMap(([name, address]) => {
    const [, scheme, specifier] = /^(npm|jsr):((?:@[^/]+\/)?[^/]+)$/.exec(address) ?? [];
    return scheme === undefined || name.endsWith("/") ? [] : [[`${name}/`, `${scheme}:/${specifier}/`]];
  });
  return { ...Object.fromEntries(subpaths), ...imports };
}

function textsOf(value: unknown): Record<string, string> {
  const entries = isRecord(value) ? Object.entries(value) : [];
  return Object.fromEntries(entries.map(([name, text]) => [name, String(text)]));
}

/** Reads a file of the toolkit, which may lie on a server; `undefined` where it is absent. */
async function readText(url: URL): Promise<string | undefined> {
  if (url.protocol === "file:") {
    try {
      return await Deno.readTextFile(url);
    } catch (cause) {
      if (cause instanceof Deno.errors.NotFound) return undefined;
      throw cause;
    }
  }
  const response = await fetch(url);
  if (response.ok) return await response.text();
  await response.body?.cancel();
  return undefined;
}
