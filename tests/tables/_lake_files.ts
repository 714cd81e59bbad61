/** Folders and archives for tests of the lake. */
import { gzipSync } from "node:zlib";

/** Runs work in a temporary folder and removes it. */
export async function inFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    await work(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** Writes a text as gzip. */
export async function writeGzip(path: string, text: string): Promise<void> {
  await Deno.writeFile(path, gzipSync(text, { level: 1 }));
}

/** Names in a folder, sorted. */
export function namesIn(folder: string): string[] {
  return [...Deno.readDirSync(folder)].map(({ name }) => name).sort();
}
