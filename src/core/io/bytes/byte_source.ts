/** Bytes from wherever they are: a path, a URL of a file, memory, a stream or a response. */
import { RegistryError } from "../../errors.ts";
import type { OptionRule } from "../../options/option_rule.ts";
import { checkArgument } from "../../options/check_options.ts";
import * as rule from "../../options/rules.ts";
import { unlessAborted } from "../tasks/pause.ts";
import { closing } from "./closing.ts";

/** Anything the toolkit reads bytes from. A text is a path; a `URL` must be a `file:` one. */
export type ByteSource = string | URL | Uint8Array | ReadableStream<Uint8Array> | AsyncIterable<Uint8Array> | Response;

export const BYTE_SOURCE: OptionRule<ByteSource> = rule.like(
  "a path, a file: URL, bytes, a stream of bytes or a Response",
  (value) =>
    typeof value === "string" || value instanceof URL || value instanceof Uint8Array || value instanceof Response ||
    typeof value === "object" && value !== null && Symbol.asyncIterator in value,
);

const SOURCE = rule.required(BYTE_SOURCE);

export interface ReadBytesOptions {
  /** Ends the reading with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Bytes a file is read in; 1 MiB by default. */
  readonly chunkBytes?: number;
}

/**
 * Reads bytes in chunks of bounded size.
 *
 * A chunk is valid until the next one is requested: a file is read into buffers that are reused, since fresh memory is
 * slow. The next chunk of a large file is read while the consumer works on the last. Copy what is kept.
 * A consumer that stops early, or before it has begun, closes the file or cancels the stream.
 *
 * @throws {RegistryError} With code `disk` if a file cannot be read.
 * @throws {TypeError} If the source is anything else, or a response's body was used already.
 */
export function readBytes(source: ByteSource, options: ReadBytesOptions = {}): AsyncGenerator<Uint8Array> {
  checkArgument("a reader", "source", source, SOURCE);
  if (typeof source === "string" || source instanceof URL) return readFile(source, options);
  if (source instanceof Uint8Array) return readMemory(source, options);
  const isStream = source instanceof ReadableStream || source instanceof Response;
  return isStream ? readStream(source, options.signal) : readIterable(source, options.signal);
}

/**
 * Releases a source that has not been read: cancels a stream or the body of a response, ends an iterable.
 *
 * @param source The source. Paths and memory hold no resources.
 */
export async function releaseSource(source: ByteSource): Promise<void> {
  if (typeof source === "string" || source instanceof URL || source instanceof Uint8Array) return;
  const chunks = source instanceof Response ? source.body : source;
  try {
    if (chunks instanceof ReadableStream) await chunks.cancel();
    else await chunks?.[Symbol.asyncIterator]().return?.();
  } catch {
    // Another reader has it, or it has failed: it cannot be released here.
  }
}

async function* readMemory(
  bytes: Uint8Array,
  { signal, chunkBytes = 1 << 20 }: ReadBytesOptions,
): AsyncGenerator<Uint8Array> {
  signal?.throwIfAborted();
  for (let start = 0; start < bytes.length; start += chunkBytes) {
    signal?.throwIfAborted();
    yield bytes.subarray(start, start + chunkBytes);
  }
}

/** Reads an iterable; an abort ends even the wait for a chunk that never comes. */
function readIterable(
  chunks: AsyncIterable<Uint8Array>,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array> {
  let iterator: AsyncIterator<Uint8Array> | undefined;
  let isWaiting = false;
  return closing(async function* () {
    signal?.throwIfAborted();
    iterator = chunks[Symbol.asyncIterator]();
    for (;;) {
      isWaiting = true;
      const { done, value } = await unlessAborted(iterator.next(), signal);
      isWaiting = false;
      signal?.throwIfAborted();
      if (done) return;
      yield value;
    }
  }, async () => {
    const ending = Promise.resolve((iterator ?? chunks[Symbol.asyncIterator]()).return?.());
    // A generator ends after the chunk that it is asked for, which may never come.
    if (isWaiting) ending.catch(() => {});
    else await ending;
  });
}

/** Reads a stream; an abort ends even the wait for a chunk that never arrives, such as terminal input. */
function readStream(
  source: ReadableStream<Uint8Array> | Response,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array> {
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  const stop = () => void reader?.cancel(signal?.reason).catch(() => {});
  return closing(async function* () {
    signal?.throwIfAborted();
    reader = (source instanceof Response ? bodyOf(source) : source).getReader();
    signal?.addEventListener("abort", stop, { once: true });
    for (;;) {
      const { done, value } = await reader.read();
      signal?.throwIfAborted();
      if (done) return;
      yield value;
    }
  }, async () => {
    if (reader === undefined) return await releaseSource(source);
    signal?.removeEventListener("abort", stop);
    // A stream that failed has given its error to the reader already.
    await reader.cancel().catch(() => {});
    reader.releaseLock();
  });
}

function bodyOf(response: Response): ReadableStream<Uint8Array> {
  if (response.bodyUsed) throw new TypeError("Cannot read the response: its body was read already");
  return response.body ?? new ReadableStream({ start: (controller) => controller.close() });
}

async function* readFile(path: string | URL, options: ReadBytesOptions): AsyncGenerator<Uint8Array> {
  const file = await openFile(path, options);
  let info: Deno.FileInfo;
  try {
    info = await file.stat();
  } catch (error) {
    file.close();
    throw error;
  }
  yield* readOpenFile({ file, name: String(path), isFile: info.isFile, size: info.size }, options);
}

export interface OpenedFile {
  readonly file: Deno.FsFile;
  /** Named in errors. */
  readonly name: string;
  /** Whether it is a regular file, rather than a pipe or a device. */
  readonly isFile: boolean;
  /** Bytes of it when it was opened. */
  readonly size: number;
  /** Bytes that were read from its beginning already. */
  readonly first?: Uint8Array;
}

/** Reads an open file to its end and closes it; see {@linkcode readBytes}. */
export function readOpenFile(
  { file, name, isFile, size, first = new Uint8Array(0) }: OpenedFile,
  { signal, chunkBytes = 1 << 20 }: ReadBytesOptions,
): AsyncGenerator<Uint8Array> {
  // Reading ahead on a pipe could wait for ever; on a small file it is not worth a second buffer.
  const readsAhead = isFile && size > Math.max(chunkBytes, first.length);
  let pending: Promise<number | null> | undefined;
  let bytes = first.length;
  const read = async function* () {
    if (first.length > 0) yield first;
    let buffer = new Uint8Array(chunkBytes);
    let other = readsAhead ? new Uint8Array(chunkBytes) : buffer;
    for (;;) {
      signal?.throwIfAborted();
      const count = await (pending ?? (isFile ? file.read(buffer) : unlessAborted(file.read(buffer), signal)));
      pending = undefined;
      if (count === null) {
        if (isFile && bytes < size) throw shrunk(name, size, bytes);
        return;
      }
      bytes += count;
      const chunk = buffer.subarray(0, count);
      if (readsAhead) {
        [buffer, other] = [other, buffer];
        pending = file.read(buffer);
        // The error is reported where the promise is awaited; this prevents an unhandled rejection until then.
        pending.catch(() => {});
      }
      yield chunk;
    }
  };
  return closing(read, async () => {
    await pending?.catch(() => {});
    file.close();
  });
}

/**
 * Opens a file to read it, and says in words why it cannot be.
 *
 * Opening a pipe waits for a writer: an abort ends the wait.
 *
 * @throws {RegistryError} With code `disk` if the file does not exist, is a folder, or may not be read.
 *
 * @example
 * ```ts
 * import { assertRejects } from "@std/assert";
 * import { openFile } from "./byte_source.ts";
 *
 * await assertRejects(() => openFile("no such file"), Error, "does not exist");
 * ```
 */
export async function openFile(
  path: string | URL,
  options: { readonly signal?: AbortSignal } = {},
): Promise<Deno.FsFile> {
  options.signal?.throwIfAborted();
  const opening = Deno.open(path, { read: true });
  try {
    const file = await unlessAborted(opening, options.signal);
    if (!(await file.stat()).isDirectory) return file;
    file.close();
    throw notAFile(path);
  } catch (cause) {
    if (options.signal?.aborted) opening.then((file) => file.close(), () => {});
    if (cause instanceof Deno.errors.NotFound) {
      const next = /[\r\n]/.test(String(path))
        ? "a text is a path, so give what is to be read as bytes: new TextEncoder().encode(text)"
        : "check its name and folder";
      throw new RegistryError("disk", `Cannot read ${path}: the file does not exist; ${next}`, { cause });
    }
    if (cause instanceof Deno.errors.PermissionDenied) {
      throw new RegistryError("disk", `Cannot read ${path}: permission denied; check the file's owner and mode`, {
        cause,
      });
    }
    throw cause;
  }
}

/** The error of a file that became shorter while it was read. */
export function shrunk(name: string, before: number, now: number): RegistryError {
  return new RegistryError(
    "disk",
    `Cannot read ${name}: it had ${before} bytes and now ends after ${now}; wait until it is written, then try again`,
  );
}

function notAFile(path: string | URL): RegistryError {
  return new RegistryError("disk", `Cannot read ${path}: it is a folder; name a file in it`);
}
