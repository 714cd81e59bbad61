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

/** Folder of public genomes beside the checkout, or `undefined`, said aloud, where there is none. */
export function realData(test: string): URL | undefined {
  const folder = new URL("../../shared/real/", import.meta.url);
  try {
    Deno.statSync(folder);
    return folder;
  } catch {
    console.log(`not run: ${test} (no ../shared/real beside the checkout)`);
    return undefined;
  }
}

/** Whether a program is installed; says `not run: NAME` where it is not. */
export async function hasProgram(name: string, test: string): Promise<boolean> {
  try {
    const { success } = await new Deno.Command(name, { args: ["--version"], stdout: "null", stderr: "null" }).output();
    if (success) return true;
  } catch {
    // Not there: said below.
  }
  console.log(`not run: ${test} (no ${name} on this machine)`);
  return false;
}
