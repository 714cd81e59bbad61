/** Which packages the toolkit needs on this platform, and a configuration with exactly these. */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { isRecord } from "@seqreg/core/options/is_record";
import { isFolder } from "@seqreg/core/io/files/is_there";
import { makeTempFile } from "@seqreg/core/io/files/temp_path";
import { ParseError, RegistryError } from "@seqreg/core/errors";

export interface CachedPackage {
  /** Name and version, such as `zod@4.6.7`. */
  readonly id: string;
  readonly folder: string;
}

/** What `deno info --json` returns about packages, as far as it is used here. */
export interface PackageGraph {
  readonly imported: readonly string[];
  /** Every package of the lock file. */
  readonly packages: ReadonlyMap<string, { readonly folder: string; readonly dependencies: readonly string[] }>;
}

/** Whether a file of the toolkit is a TypeScript module: the sources of its WebAssembly are not. */
export function isModule(path: string): boolean {
  return /^(src\/.*|mod)\.ts$/.test(path) && !path.endsWith(".as.ts");
}

/**
 * Asks Deno which packages modules import, statically or not, and where they are in its cache.
 *
 * @throws {RegistryError} With code `disk` if Deno cannot be run, or does not fetch or print anything.
 */
export async function readPackageGraph(
  root: string,
  entries: readonly string[],
  signal: AbortSignal,
): Promise<PackageGraph> {
  const entry = await makeTempFile({ suffix: ".ts" });
  try {
    const imports = entries.map((path) => `import ${JSON.stringify(pathToFileURL(join(root, path)).href)};\n`);
    await Deno.writeTextFile(entry, imports.join(""));
    const configuration = ["--config", join(root, "deno.json"), "--lock", join(root, "deno.lock"), "--frozen"];
    // Fetches what another platform's or an older version's cache lacks.
    await runDeno(["cache", "--quiet", ...configuration, entry], signal);
    return readGraph(await runDeno(["info", "--json", ...configuration, entry], signal));
  } finally {
    await Deno.remove(entry);
  }
}

async function runDeno(args: readonly string[], signal: AbortSignal): Promise<string> {
  const decoder = new TextDecoder();
  let output: Deno.CommandOutput;
  try {
    output = await new Deno.Command(Deno.execPath(), { args: [...args], stdout: "piped", stderr: "piped", signal })
      .output();
  } catch (cause) {
    if (!(cause instanceof Deno.errors.NotCapable)) throw cause;
    throw new RegistryError("disk", `Cannot run ${Deno.execPath()} to find the packages: give --allow-run`, { cause });
  }
  signal.throwIfAborted();
  if (output.success) return decoder.decode(output.stdout);
  throw new RegistryError(
    "disk",
    `Cannot find the packages with deno ${args[0]}: ${
      decoder.decode(output.stderr).trim().slice(0, 500)
    }; a bundle is ` +
      `made where the package registry can be reached, or where all packages are cached`,
  );
}

/** Parses the output of `deno info --json`. @throws {ParseError} If it has another shape. */
export function readGraph(text: string): PackageGraph {
  const info = asRecord(JSON.parse(text));
  const packages = new Map<string, { folder: string; dependencies: readonly string[] }>();
  for (const [id, value] of Object.entries(asRecord(info.npmPackages))) {
    const { localPath, dependencies } = asRecord(value);
    if (typeof localPath !== "string" || !Array.isArray(dependencies)) {
      throw new ParseError(`Cannot read what deno info says of ${id}: expected localPath and dependencies`);
    }
    packages.set(id, { folder: localPath, dependencies: dependencies.map(String) });
  }
  if (!Array.isArray(info.modules)) throw new ParseError("Cannot read what deno info says: expected a list of modules");
  const imported = info.modules.map((module) => asRecord(module).npmPackage).filter((id) => typeof id === "string");
  return { imported, packages };
}

/**
 * Finds the packages that are needed and present. Absent ones are for another platform: the caller has fetched all
 * others. Native packages that are linked with another C library than this Deno are left out.
 */
export async function findPackages({ imported, packages }: PackageGraph): Promise<CachedPackage[]> {
  const needed = new Set<string>();
  const open = [...imported];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (needed.has(id)) continue;
    needed.add(id);
    open.push(...packages.get(id)?.dependencies ?? []);
  }
  const found: CachedPackage[] = [];
  for (const id of [...needed].sort()) {
    const folder = packages.get(id)?.folder;
    if (folder === undefined || isForOtherLibc(id)) continue;
    if (await isFolder(folder)) found.push({ id, folder });
  }
  return found;
}

/** Deno's own builds are linked with glibc. */
function isForOtherLibc(id: string): boolean {
  return /-musl(eabihf)?@/.test(id);
}

/** The two files that list packages, reduced to those of a bundle: Deno requires everything in a lock file. */
export function pruneConfiguration(
  config: string,
  lock: string,
  packages: readonly CachedPackage[],
): { readonly config: string; readonly lock: string } {
  const kept = new Set(packages.map(({ id }) => id));
  const keptNames = new Set(packages.map(({ id }) => nameOf(id)));
  const locked = asRecord(JSON.parse(lock));
  const npm = Object.fromEntries(
    Object.entries(asRecord(locked.npm)).filter(([id]) => kept.has(id)).map(([id, value]) => {
      const entry: Record<string, unknown> = { ...asRecord(value) };
      for (const key of ["dependencies", "optionalDependencies", "optionalPeers"]) {
        const list = entry[key];
        if (!Array.isArray(list)) continue;
        // A dependency is named with its version only where several versions are locked.
        const own = list.map(String).filter((name) => kept.has(name) || keptNames.has(nameOf(name)));
        if (own.length > 0) entry[key] = own;
        else delete entry[key];
      }
      return [id, entry];
    }),
  );
  const specifiers = Object.fromEntries(
    Object.entries(asRecord(locked.specifiers)).filter(([specifier]) => keptNames.has(nameOf(specifier.slice(4)))),
  );
  const own = asRecord(JSON.parse(config));
  const imports = Object.fromEntries(
    Object.entries(asRecord(own.imports)).filter(([, target]) =>
      Object.keys(specifiers).some((specifier) => String(target).replace(/^npm:\//, "npm:").startsWith(specifier))
    ),
  );
  const workspace = { ...asRecord(locked.workspace), dependencies: Object.keys(specifiers) };
  return {
    config: `${JSON.stringify({ ...own, imports }, null, 2)}\n`,
    lock: `${JSON.stringify({ ...locked, specifiers, npm, workspace }, null, 2)}\n`,
  };
}

/** `@a/b@1.0.0` and `@a/b` to `@a/b`. */
function nameOf(id: string): string {
  const at = id.indexOf("@", 1);
  return at === -1 ? id : id.slice(0, at);
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : {};
}
