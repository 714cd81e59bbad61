/** Sources that are read more than once. */
import { basename, join } from "node:path";
import { createScratchFolder } from "../files/scratch_folder.ts";
import { temporaryError } from "../files/temp_path.ts";
import { type ByteSource, readBytes } from "./byte_source.ts";

/**
 * Returns a source that can be read again: files and bytes as they are, a stream or a pipe by a file in a temporary
 * folder, which is removed when the result is disposed of.
 */
export async function rereadable(
  source: ByteSource,
  signal?: AbortSignal,
): Promise<AsyncDisposable & { readonly source: ByteSource }> {
  if (source instanceof Uint8Array || await isPlainFile(source)) {
    return { source, [Symbol.asyncDispose]: () => Promise.resolve() };
  }
  using stack = new DisposableStack();
  const path = join(stack.use(await createScratchFolder("input")).path, "bytes");
  await save(source, path, signal);
  const folder = stack.move();
  return { source: path, [Symbol.asyncDispose]: () => Promise.resolve(folder.dispose()) };
}

/** Paths that can be read again. Dispose of it when they are no longer needed. */
export interface RereadablePaths extends Disposable {
  readonly paths: readonly string[];
}

/**
 * Returns paths of files that can be read again: files and folders as they are, a pipe by a file of its name in a
 * temporary folder.
 *
 * @param paths Paths; what is absent stays as it is.
 * @param options Streams that stand for a path, with the name of its file; signal.
 */
export async function rereadablePaths(
  paths: readonly string[],
  { streamOf, signal }: {
    readonly streamOf?: (path: string) => { readonly name: string; readonly source: ByteSource } | undefined;
    readonly signal?: AbortSignal;
  } = {},
): Promise<RereadablePaths> {
  using stack = new DisposableStack();
  const files: string[] = [];
  for (const path of paths) {
    const stream = streamOf?.(path);
    if (stream === undefined && await isPlainFile(path)) {
      files.push(path);
      continue;
    }
    const { name, source } = stream ?? { name: basename(path), source: path };
    const file = join(stack.use(await createScratchFolder("input")).path, name);
    await save(source, file, signal);
    files.push(file);
  }
  const folders = stack.move();
  return { paths: files, [Symbol.dispose]: () => folders.dispose() };
}

async function save(source: ByteSource, path: string, signal?: AbortSignal): Promise<void> {
  using file = await Deno.open(path, { write: true, create: true });
  for await (const chunk of readBytes(source, { signal })) {
    for (let start = 0; start < chunk.length;) {
      start += await file.write(chunk.subarray(start)).catch((cause) => {
        throw temporaryError(cause);
      });
    }
  }
}

/** Distinguishes files from streams and pipes. What is absent counts as a file: reading it reports that. */
async function isPlainFile(source: ByteSource): Promise<boolean> {
  if (typeof source !== "string" && !(source instanceof URL)) return false;
  const info = await Deno.stat(source).catch(() => undefined);
  return info === undefined || info.isFile || info.isDirectory;
}
