/** Tests that need what a machine may lack. Where it is absent they are ignored and print `not run: NAME`. */

import { testAlone } from "./_test_alone.ts";

type Run = (t: Deno.TestContext) => void | Promise<void>;

/** What a test needs, and whether it is present. */
export type Needs = Readonly<Record<string, boolean>>;

/** A test that is ignored, and named, unless all of its needs are present; the gate and checks fail on such a line. */
export function testNeeding(
  needs: Needs,
  name: string,
  run: Run,
  { alone, ...options }: Pick<Deno.TestDefinition, "sanitizeOps" | "sanitizeResources"> & {
    /** The file's URL, for a test with a process of its own. */
    readonly alone?: string;
  } = {},
): void {
  const absent = Object.keys(needs).filter((need) => !needs[need]);
  if (absent.length > 0) console.log(`not run: ${name} (absent: ${absent.join(", ")})`);
  const about = { ...options, name, ignore: absent.length > 0 };
  if (alone === undefined) Deno.test({ ...about, fn: run });
  else testAlone(alone, about, run);
}

/** Folder of public genomes in `../shared`; `undefined` without it. */
export const REAL_DATA: URL | undefined = isPresent(new URL("../../shared/real/", import.meta.url))
  ? new URL("../../shared/real/", import.meta.url)
  : undefined;

/** The public genomes. */
export const NEEDS_REAL_DATA: Needs = { "../shared/real": REAL_DATA !== undefined };

/** Modes, links and pipes as POSIX has them. */
export const NEEDS_POSIX: Needs = { "a POSIX system": Deno.build.os !== "windows" };

export const NEEDS_LINUX: Needs = { "Linux": Deno.build.os === "linux" };

/** Programs on the path. */
export function needsPrograms(...names: readonly string[]): Needs {
  return Object.fromEntries(names.map((name) => [name, hasProgram(name)]));
}

/** A test that needs programs. */
export function testWithPrograms(programs: readonly string[], name: string, run: Run): void {
  testNeeding(needsPrograms(...programs), name, run);
}

/** A test on the public genomes. */
export function testWithRealData(
  name: string,
  run: (real: URL, t: Deno.TestContext) => void | Promise<void>,
): void {
  testNeeding(NEEDS_REAL_DATA, name, (t) => run(REAL_DATA!, t));
}

/** Whether a program is on the path, or at this path. */
export function hasProgram(name: string): boolean {
  if (name.includes("/")) return isPresent(name);
  return (Deno.env.get("PATH") ?? "").split(":").some((folder) => folder !== "" && isPresent(`${folder}/${name}`));
}

/**
 * The command line before a program whom file modes bind: empty unless the user is root, who can write to any file;
 * `undefined` for root without `setpriv` or without the right to use it.
 */
export function boundByModes(): readonly string[] | undefined {
  if (Deno.uid() !== 0) return [];
  const setpriv = ["setpriv", "--bounding-set=-all", "--inh-caps=-all"];
  return succeeds([...setpriv, "true"]) ? setpriv : undefined;
}

/** Whether a command can be run and ends with 0. */
export function succeeds([command, ...args]: readonly string[]): boolean {
  if (!hasProgram(command)) return false;
  return new Deno.Command(command, { args, stdout: "null", stderr: "null" }).outputSync().success;
}

function isPresent(path: string | URL): boolean {
  try {
    Deno.statSync(path);
    return true;
  } catch {
    return false;
  }
}
