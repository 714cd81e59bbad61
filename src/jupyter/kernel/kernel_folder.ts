/**
 * A folder that `deno jupyter` is started in, so that cells find an installed toolkit.
 *
 * The kernel of Deno takes import maps from the `deno.json` at or above its working directory alone. A notebook may be
 * anywhere, so a temporary folder repeats the path of the notebook's folder below a `deno.json` that holds the
 * toolkit's imports, and maps addresses below it back: `./mine.ts` is the notebook's neighbour. The first thing that
 * the kernel runs is a change to the notebook's own folder.
 *
 * @module
 */

/** Names of a project's configuration, in the order in which Deno looks for them. */
const CONFIGURATIONS = ["deno.json", "deno.jsonc"];

/** What cells import, beyond what the notebook's own configuration names. */
export interface KernelImports {
  /** Addresses of the toolkit's modules and packages by name. */
  readonly imports: Readonly<Record<string, string>>;
  /** The toolkit's lock file, where its packages come from Deno's cache; else they are in a `node_modules` folder. */
  readonly lock?: string;
}

/** The folder. */
export interface KernelFolder {
  /** Where the kernel is started. */
  readonly path: string;
  /** TypeScript that leads the kernel to the notebook's folder. */
  readonly enter: string;
  /** Removes it. */
  remove(): void;
}

/**
 * Makes the folder for a notebook's.
 *
 * @param notebooks Folder of the notebook, absolute.
 * @param toolkit What cells import.
 * @returns `undefined` where the notebook's own configuration imports a toolkit.
 */
export async function makeKernelFolder(
  notebooks: string,
  toolkit: KernelImports,
): Promise<KernelFolder | undefined> {
  const own = await findConfiguration(notebooks);
  if (own.name === "seqreg" || Object.hasOwn(own.imports, "seqreg")) return undefined;
  const top = await Deno.realPath(await Deno.makeTempDir({ prefix: "seqreg-kernel-" }));
  // Of a drive of Windows its letter remains.
  const path = `${top}/${notebooks.replace(":", "").replaceAll("\\", "/").replace(/^\/+/, "")}`;
  await Deno.mkdir(path, { recursive: true });
  const drive = /^([A-Za-z]):/.exec(notebooks)?.[1];
  const below = drive === undefined
    ? [folderUrl(top), "file:///"]
    : [folderUrl(`${top}/${drive}`), `file:///${drive}:/`];
  const config = {
    imports: { ...toolkit.imports, ...own.imports, [below[0]]: below[1] },
    ...own.compilerOptions !== undefined && { compilerOptions: own.compilerOptions },
    ...toolkit.lock === undefined && { nodeModulesDir: "manual", lock: false },
  };
  await Deno.writeTextFile(`${top}/deno.json`, JSON.stringify(config, null, 2));
  if (toolkit.lock !== undefined) await Deno.writeTextFile(`${top}/deno.lock`, toolkit.lock);
  // Packages that the user installed there with npm.
  await Deno.symlink(`${notebooks}/node_modules`, `${path}/node_modules`, { type: "junction" }).catch(() => {});
  return {
    path,
    enter: `Deno.chdir(${JSON.stringify(notebooks)});`,
    remove: () => {
      try {
        Deno.removeSync(top, { recursive: true });
      } catch {
        // Removed before.
      }
    },
  };
}

interface Configuration {
  /** Name of the package: a checkout of the toolkit imports itself. */
  readonly name?: unknown;
  readonly imports: Readonly<Record<string, string>>;
  readonly compilerOptions?: unknown;
}

/** The nearest configuration at or above a folder; relative addresses in its imports are made absolute. */
async function findConfiguration(folder: string): Promise<Configuration> {
  for (let url = new URL(folderUrl(folder));; url = new URL("../", url)) {
    for (const name of CONFIGURATIONS) {
      const text = await Deno.readTextFile(new URL(name, url)).catch(() => undefined);
      if (text === undefined) continue;
      const { name: own, imports = {}, compilerOptions } = parse(text);
      const absolute = (address: string) => /^\.{0,2}\//.test(address) ? new URL(address, url).href : address;
      const entries = Object.entries(imports).map(([name, address]) => [absolute(name), absolute(String(address))]);
      return { name: own, imports: Object.fromEntries(entries), compilerOptions };
    }
    if (new URL("../", url).href === url.href) return { imports: {} };
  }
}

/** A configuration may have comments and commas before closing brackets; one that cannot be read counts as empty. */
function parse(text: string): { name?: unknown; imports?: Record<string, unknown>; compilerOptions?: unknown } {
  const plain = text
    .replace(/("(?:[^"\\]|\\.)*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g, "$1")
    .replace(/("(?:[^"\\]|\\.)*")|,(?=\s*[}\]])/g, "$1");
  try {
    return JSON.parse(plain);
  } catch {
    return {};
  }
}

/** Address of a folder, with `/` at its end. */
function folderUrl(path: string): string {
  const encoded = path.replaceAll("\\", "/").split("/").map(encodeURIComponent).join("/").replaceAll("%3A", ":");
  return `file://${encoded.startsWith("/") ? "" : "/"}${encoded.replace(/\/?$/, "/")}`;
}
