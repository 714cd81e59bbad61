/** The configuration of a notebook's folder, `deno.json` and `package.json`, as far as it counts in a kernel. */

/** Names of a project's configuration, in the order in which Deno looks for them. */
export const CONFIGURATIONS = ["deno.json", "deno.jsonc"];

export type Imports = Readonly<Record<string, string>>;

/** The configuration; relative addresses are made absolute. */
export interface FolderConfiguration {
  /** Name of the package: a checkout of the toolkit imports itself. */
  readonly name?: unknown;
  /** Imports of `deno.json` or of its import map. */
  readonly imports: Imports;
  /** Imports that hold for modules below an address. */
  readonly scopes: Readonly<Record<string, Imports>>;
  /** Names that `package.json` depends on. */
  readonly packages: readonly string[];
  /** Whether packages are taken from folders `node_modules` that the user fills, as by a `package.json`. */
  readonly isInstalled: boolean;
  /** Passed on as it is. */
  readonly compilerOptions?: unknown;
  readonly unstable?: unknown;
}

/**
 * Reads the configuration that Deno takes for a folder: that of the nearest folder with one, and of its workspace.
 *
 * Imports of a workspace's members are not among it: Deno finds these by the folder itself.
 */
export async function readFolderConfiguration(folder: URL): Promise<FolderConfiguration> {
  let nearest: FolderConfiguration | undefined;
  for (let url = folder;; url = new URL("../", url)) {
    const deno = await readDenoJson(url);
    if (nearest === undefined) {
      const npm = await readText(new URL("package.json", url));
      if (deno !== undefined || npm !== undefined) nearest = await readAll(url, deno, npm);
    } else if (deno?.workspace !== undefined) return { ...nearest, unstable: deno.unstable };
    if (new URL("../", url).href === url.href) {
      return nearest ?? { imports: {}, scopes: {}, packages: [], isInstalled: false };
    }
  }
}

async function readAll(url: URL, deno: Json, npm: string | undefined): Promise<FolderConfiguration> {
  const { name, compilerOptions, unstable, importMap, nodeModulesDir } = deno ?? {};
  const isOwn = deno?.imports !== undefined || deno?.scopes !== undefined || typeof importMap !== "string";
  const base = isOwn ? url : new URL(importMap, url);
  const map = isOwn ? deno : await readImportMap(base);
  const own = npm === undefined ? undefined : parse(npm, new URL("package.json", url));
  const packages = ["dependencies", "devDependencies", "optionalDependencies"].flatMap((kind) =>
    Object.keys(objectOf(own?.[kind]))
  );
  const scopes = Object.entries(objectOf(map?.scopes)).map(([scope, imports]) =>
    [absolute(scope, base), absoluteAll(imports, base)] as const
  );
  return {
    name,
    compilerOptions,
    unstable,
    packages,
    isInstalled: nodeModulesDir === "manual" || npm !== undefined && nodeModulesDir !== "none",
    imports: absoluteAll(map?.imports, base),
    scopes: Object.fromEntries(scopes),
  };
}

/** Deno's own kernel does not start without it. */
async function readImportMap(url: URL): Promise<Json> {
  try {
    return parse(await (await fetch(url)).text(), url);
  } catch (cause) {
    console.error(`cannot read the import map ${url.href} that deno.json names: cells do without it`, cause);
    return undefined;
  }
}

async function readDenoJson(url: URL): Promise<Json> {
  for (const name of CONFIGURATIONS) {
    const file = new URL(name, url);
    const text = await readText(file);
    if (text !== undefined) return parse(text, file) ?? {};
  }
  return undefined;
}

type Json = Readonly<Record<string, unknown>> | undefined;

/**
 * Parses a configuration, which may have a byte order mark, comments, and commas before closing brackets.
 *
 * @throws {SyntaxError} If it is not JSON otherwise.
 */
export function parseConfiguration(text: string): Readonly<Record<string, unknown>> {
  const plain = text
    .replace(/^\ufeff/, "")
    .replace(/("(?:[^"\\]|\\.)*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g, "$1")
    .replace(/("(?:[^"\\]|\\.)*")|,(?=\s*[}\]])/g, "$1");
  return objectOf(JSON.parse(plain));
}

function parse(text: string, url: URL): Json {
  try {
    return parseConfiguration(text);
  } catch (cause) {
    console.error(`cannot read ${url.href}, which cells do without`, cause);
    return undefined;
  }
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? value as Record<string, unknown> : {};
}

async function readText(url: URL): Promise<string | undefined> {
  return await Deno.readTextFile(url).catch(() => undefined);
}

/** Makes relative addresses of an import map absolute. */
export function absoluteAll(imports: unknown, base: URL): Imports {
  const entries = Object.entries(objectOf(imports));
  return Object.fromEntries(entries.map(([name, target]) => [absolute(name, base), absolute(String(target), base)]));
}

function absolute(address: string, base: URL): string {
  return /^\.{0,2}\//.test(address) ? new URL(address, base).href : address;
}
