/** Files of the checkout for tests that read it, and temporary folders. */
import { fileURLToPath } from "node:url";

/** Path of the checkout, with `/` at its end. */
export const ROOT = fileURLToPath(new URL("../", import.meta.url));

/** Lists files below a folder, sorted, leaving out what git does not keep. */
export async function walk(folder: URL, ending: string | RegExp): Promise<URL[]> {
  const found: URL[] = [];
  for await (const entry of Deno.readDir(folder)) {
    if (entry.name === ".site" || entry.name === ".git" || entry.name === "node_modules" || entry.name === "out") {
      continue;
    }
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

/** Runs work in a temporary folder, which is removed at the end. */
export async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await Deno.makeTempDir();
  try {
    return await work(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** Copies a folder, and all that is in it, to one that may not exist. */
export async function copyFolder(from: string, to: string): Promise<void> {
  await Deno.mkdir(to, { recursive: true });
  for await (const { name, isDirectory } of Deno.readDir(from)) {
    if (isDirectory) await copyFolder(`${from}/${name}`, `${to}/${name}`);
    else await Deno.copyFile(`${from}/${name}`, `${to}/${name}`);
  }
}

/** Names in a folder, sorted. */
export function namesIn(folder: string): string[] {
  return Array.from(Deno.readDirSync(folder), ({ name }) => name).sort();
}
