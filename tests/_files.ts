/** Finds files of the checkout for tests that read it. */

/** Lists files below a folder, sorted, leaving out what git does not keep. */
export async function walk(folder: URL, ending: string | RegExp): Promise<URL[]> {
  const found: URL[] = [];
  for await (const entry of Deno.readDir(folder)) {
    if (entry.name === ".git" || entry.name === "node_modules" || entry.name === "out") continue;
    const url = new URL(encodeURIComponent(entry.name) + (entry.isDirectory ? "/" : ""), folder);
    if (entry.isDirectory) found.push(...await walk(url, ending));
    else if (typeof ending === "string" ? entry.name.endsWith(ending) : ending.test(entry.name)) found.push(url);
  }
  return found.sort((a, b) => a.href < b.href ? -1 : 1);
}

/** Path of a file below a folder, with `/` between names. */
export function relative(folder: URL, file: URL): string {
  return decodeURIComponent(file.href.slice(folder.href.length));
}

/** Path of a file for programs that take no URL. */
export function fromFileUrl(url: URL): string {
  return decodeURIComponent(url.pathname);
}

/** Folder of public genomes beside the checkout; `undefined` where there is none. */
export const REAL_DATA: URL | undefined = findRealData();

function findRealData(): URL | undefined {
  const folder = new URL("../../shared/real/", import.meta.url);
  try {
    Deno.statSync(folder);
    return folder;
  } catch {
    return undefined;
  }
}

/** Whether a program is on the path. */
export function hasProgram(name: string): boolean {
  return (Deno.env.get("PATH") ?? "").split(":").some((folder) => {
    try {
      return folder !== "" && Deno.statSync(`${folder}/${name}`).isFile;
    } catch {
      return false;
    }
  });
}

/**
 * A test that needs programs that are not ours. Where one is absent the test is not counted, and says `not run: NAME`;
 * `.ci/run` fails on such a line.
 */
export function testWithPrograms(
  programs: readonly string[],
  name: string,
  run: (t: Deno.TestContext) => void | Promise<void>,
): void {
  const absent = programs.filter((program) => !hasProgram(program));
  if (absent.length > 0) console.log(`not run: ${name} (no ${absent.join(", no ")} on this machine)`);
  Deno.test({ name, ignore: absent.length > 0, fn: run });
}

/** A test on the public genomes beside the checkout. Where they are absent it is not counted, and says so. */
export function testWithRealData(
  name: string,
  run: (real: URL, t: Deno.TestContext) => void | Promise<void>,
): void {
  const real = REAL_DATA;
  if (real === undefined) console.log(`not run: ${name} (no ../shared/real beside the checkout)`);
  Deno.test({ name, ignore: real === undefined, fn: (t) => real === undefined ? undefined : run(real, t) });
}
