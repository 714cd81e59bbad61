/** Writes tar archives, the same bytes for the same files: every entry has the same owner and time. */
import { once } from "node:events";
import type { Pack } from "tar-stream";

/** One file of an archive. */
export interface TarEntry {
  /** Path with `/` between names, relative, without `..`. */
  readonly path: string;
  readonly bytes: number;
  /** Returns the content when the entry is written. */
  open(): AsyncIterable<Uint8Array<ArrayBuffer>>;
  readonly executable?: boolean;
}

/** The first second of 2000: some programs warn of earlier times. */
const MODIFIED = new Date(Date.UTC(2000, 0, 1));

/**
 * Writes a tar archive.
 *
 * @throws {RangeError} If a path could leave the folder that it is unpacked in.
 * @throws {Error} If a file has not as many bytes as its entry states.
 */
export async function* writeTar(
  entries: AsyncIterable<TarEntry> | Iterable<TarEntry>,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const { pack } = await import("tar-stream");
  const archive = pack();
  const stop = new AbortController();
  const writing = (async () => {
    for await (const entry of entries) await writeEntry(archive, entry, stop.signal);
    archive.finalize();
  })();
  writing.catch((error) => archive.destroy(error));
  try {
    for await (const chunk of archive) yield new Uint8Array(chunk);
    await writing;
  } finally {
    stop.abort();
    archive.destroy();
    await writing.catch(() => {});
  }
}

async function writeEntry(
  archive: Pack,
  { path, bytes, executable, open }: TarEntry,
  signal: AbortSignal,
): Promise<void> {
  if (path.startsWith("/") || path.includes("\\") || path.split("/").some((part) => ["", ".", ".."].includes(part))) {
    throw new RangeError(`Cannot pack ${JSON.stringify(path)}: expected a relative path with / between names`);
  }
  const { promise: done, resolve, reject } = Promise.withResolvers<void>();
  // Whatever ends the archive ends its entry, and is thrown there.
  done.catch(() => {});
  const headers = { name: path, size: bytes, mode: executable ? 0o755 : 0o644, mtime: MODIFIED };
  const file = archive.entry(headers, (error) => error ? reject(error) : resolve());
  file.on("error", reject);
  let written = 0;
  for await (const chunk of open()) {
    written += chunk.length;
    if (written > bytes) break;
    if (!file.write(chunk)) await once(file, "drain", { signal });
  }
  if (written !== bytes) {
    throw new Error(
      `Cannot pack ${path}: expected ${bytes} bytes, got ${written}; it was changed meanwhile, try again`,
    );
  }
  file.end();
  await done;
}
