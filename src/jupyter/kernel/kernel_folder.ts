/**
 * A folder that `deno jupyter` is started in, so that cells find an installed toolkit.
 *
 * The kernel of Deno takes import maps from the `deno.json` at or above its working directory alone. A notebook may be
 * anywhere, so a temporary folder repeats the path of the notebook's folder below a `deno.json` that holds the
 * toolkit's imports and what the notebook's own configuration says, and maps addresses below it back: `./mine.ts` is
 * the notebook's neighbour. The first thing that the kernel runs is a change to the notebook's own folder.
 */
import { type Imports, readFolderConfiguration } from "./folder_configuration.ts";

/** What cells import, beyond what the notebook's own configuration names. */
export interface KernelImports {
  /** Addresses of the toolkit's modules and packages by name. */
  readonly imports: Imports;
  /** The toolkit's lock file, where its packages come from Deno's cache; else they are in a `node_modules` folder. */
  readonly lock?: string;
}

export interface KernelFolder {
  /** Where the kernel is started. */
  readonly path: string;
  /** TypeScript that leads the kernel to the notebook's folder. */
  readonly enter: string;
  remove(): void;
}

/**
 * Makes the folder for a notebook's.
 *
 * @param notebooks Folder of the notebook, absolute.
 * @returns `undefined` where the notebook's own configuration imports a toolkit.
 */
export async function makeKernelFolder(
  notebooks: string,
  toolkit: KernelImports,
): Promise<KernelFolder | undefined> {
  const own = await readFolderConfiguration(new URL(folderUrl(notebooks)));
  if (own.name === "seqreg" || Object.hasOwn(own.imports, "seqreg")) return undefined;
  const top = await Deno.realPath(await Deno.makeTempDir({ prefix: "seqreg-kernel-" }));
  // Of a drive of Windows its letter remains.
  const path = `${top}/${notebooks.replace(":", "").replaceAll("\\", "/").replace(/^\/+/, "")}`;
  await Deno.mkdir(path, { recursive: true });
  const drive = /^([A-Za-z]):/.exec(notebooks)?.[1];
  const below = drive === undefined
    ? [folderUrl(top), "file:///"]
    : [folderUrl(`${top}/${drive}`), `file:///${drive}:/`];
  const entries = Object.entries(toolkit.imports);
  const write = (config: unknown) => Deno.writeTextFile(`${top}/deno.json`, JSON.stringify(config, null, 2));
  if (toolkit.lock !== undefined) {
    await Deno.writeTextFile(`${top}/deno.lock`, toolkit.lock);
    if (own.isInstalled) {
      const packages = entries.filter(([, address]) => address.startsWith("npm:"));
      await write({ imports: Object.fromEntries(packages), nodeModulesDir: "auto" });
      await installPackages(top);
    }
  }
  const isOwn = (name: string) => own.packages.includes(name) && name !== "seqreg";
  await write({
    imports: {
      ...Object.fromEntries(entries.filter(([name]) => !isOwn(name))),
      ...own.imports,
      [below[0]]: below[1],
    },
    scopes: {
      ...own.scopes,
      // What the folder has in a version of its own, the toolkit's modules still take in theirs.
      [new URL("./", toolkit.imports.seqreg).href]: Object.fromEntries(entries.filter(([name]) => isOwn(name))),
    },
    compilerOptions: own.compilerOptions,
    unstable: own.unstable,
    ...(toolkit.lock === undefined || own.isInstalled) && { nodeModulesDir: "manual", lock: false },
  });
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

/** Links the toolkit's packages from Deno's cache: a kernel takes all packages from the cache, or none. */
async function installPackages(folder: string): Promise<void> {
  const { success, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["install", "--quiet"],
    cwd: folder,
    stdin: "null",
    stdout: "null",
    stderr: "piped",
  }).output();
  if (success) return;
  console.error(`cannot install the toolkit's packages, which cells do without: ${new TextDecoder().decode(stderr)}`);
}

/** Address of a folder, with `/` at its end. */
function folderUrl(path: string): string {
  const encoded = path.replaceAll("\\", "/").split("/").map(encodeURIComponent).join("/").replaceAll("%3A", ":");
  return `file://${encoded.startsWith("/") ? "" : "/"}${encoded.replace(/\/?$/, "/")}`;
}
