/** Packages of the lock file that the toolkit needs on a platform, and where they go below `node_modules`. */
import type { Platform } from "./platforms.ts";

/** What the lock file says of a package, as far as it is used here. */
interface LockedPackage {
  readonly dependencies?: readonly string[];
  readonly optionalDependencies?: readonly string[];
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
}

/** `npm` of a `deno.lock`: packages by name and version. */
export type LockedPackages = Readonly<Record<string, LockedPackage>>;

export interface PlacedPackage {
  /** Name and version, such as `zod@4.6.7`. */
  readonly id: string;
  /** Its folder, such as `node_modules/d3-dsv/node_modules/commander`. */
  readonly folder: string;
}

/**
 * Places the packages that others need: each at the top, or, where another version is there already, below the package
 * that needs it, as npm does.
 *
 * @param locked `npm` of the lock file.
 * @param direct Packages that the toolkit imports, by name; each is locked in one version.
 * @param platform Packages for others are left out, as are those for musl: Deno's own builds are linked with glibc.
 * @throws {Error} If the lock file lacks one.
 */
export function placePackages(locked: LockedPackages, direct: readonly string[], platform: Platform): PlacedPackage[] {
  const top = new Map<string, string>();
  const placed: PlacedPackage[] = [];
  const place = (id: string, above: string): void => {
    const name = nameOf(id);
    if (top.get(name) === id) return;
    const folder = top.has(name) ? `${above}/node_modules/${name}` : `node_modules/${name}`;
    if (placed.some((other) => other.folder === folder)) return;
    if (!top.has(name)) top.set(name, id);
    placed.push({ id, folder });
    for (const dependency of dependenciesOf(locked, id, platform)) place(dependency, folder);
  };
  const ids = direct.map((name) => findLocked(locked, name));
  // What the toolkit itself imports is at the top.
  for (const id of ids) top.set(nameOf(id), id);
  for (const id of ids) {
    placed.push({ id, folder: `node_modules/${nameOf(id)}` });
    for (const dependency of dependenciesOf(locked, id, platform)) place(dependency, `node_modules/${nameOf(id)}`);
  }
  return placed.sort((a, b) => a.folder < b.folder ? -1 : 1);
}

function dependenciesOf(locked: LockedPackages, id: string, platform: Platform): string[] {
  const { dependencies = [], optionalDependencies = [] } = locked[id];
  const optional = optionalDependencies.map((name) => findLocked(locked, name)).filter((other) => {
    const { os, cpu } = locked[other];
    return (os?.includes(platform.os) ?? true) && (cpu?.includes(platform.cpu) ?? true) && !/-musl@/.test(other);
  });
  return [...dependencies.map((name) => findLocked(locked, name)), ...optional];
}

/** A dependency is named with its version only where several versions are locked. */
function findLocked(locked: LockedPackages, dependency: string): string {
  if (Object.hasOwn(locked, dependency)) return dependency;
  const found = Object.keys(locked).filter((id) => nameOf(id) === dependency);
  if (found.length !== 1) throw new Error(`deno.lock names ${found.length} versions of ${dependency}, expected one`);
  return found[0];
}

/** `@a/b@1.0.0` to `@a/b`. */
export function nameOf(id: string): string {
  const at = id.indexOf("@", 1);
  return at === -1 ? id : id.slice(0, at);
}

/** `a@1.0.0_b@2.0.0`, where `b` is a peer, to `1.0.0`. */
export function versionOf(id: string): string {
  return id.slice(nameOf(id).length + 1).split("_", 1)[0];
}
