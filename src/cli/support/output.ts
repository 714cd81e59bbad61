/** Output of results: standard output, or a file that is written atomically. */
import { messageOf, RegistryError } from "../../errors.ts";
import { createAtomicFile } from "../../io/files/atomic_file.ts";

/** Receives the bytes of a result. */
export interface Output {
  /** Writes all of a text or of bytes. */
  write(content: string | Uint8Array): Promise<void>;
  /** Flushes the buffer; files do not need it. */
  flush?(): Promise<void>;
}

/** The reader of standard output has exited, as `head` does: ends quietly with exit code 0. */
export class ClosedPipe extends Error {
  override readonly name = "ClosedPipe";
}

/** Buffers output in chunks of 64 KiB, since each write is a system call. */
class Gathered implements Output {
  readonly #encoder = new TextEncoder();
  readonly #buffer = new Uint8Array(1 << 16);
  readonly #sink: (bytes: Uint8Array) => Promise<void>;
  #used = 0;

  constructor(sink: (bytes: Uint8Array) => Promise<void>) {
    this.#sink = sink;
  }

  async write(content: string | Uint8Array): Promise<void> {
    const bytes = typeof content === "string" ? this.#encoder.encode(content) : content;
    if (this.#used + bytes.length > this.#buffer.length) await this.flush();
    if (bytes.length > this.#buffer.length) return await this.#sink(bytes);
    this.#buffer.set(bytes, this.#used);
    this.#used += bytes.length;
  }

  /** Writes the remaining bytes. */
  async flush(): Promise<void> {
    const bytes = this.#buffer.subarray(0, this.#used);
    this.#used = 0;
    await this.#sink(bytes);
  }
}

/** Standard output. */
export class Stdout extends Gathered {
  #isOpen = false;

  constructor() {
    super(writeAll);
  }

  /** Writes all of a text or of bytes. @throws {RegistryError} With code `disk` if standard output is closed. */
  override async write(content: string | Uint8Array): Promise<void> {
    // Before the first byte is buffered: the summary must not report buffered bytes as written.
    if (!this.#isOpen && content.length > 0) {
      if (await isClosed()) {
        throw new RegistryError("disk", "Cannot write to standard output: it is closed; open it, or use --output FILE");
      }
      this.#isOpen = true;
    }
    await super.write(content);
  }
}

async function writeAll(bytes: Uint8Array): Promise<void> {
  try {
    for (let start = 0; start < bytes.length;) start += await Deno.stdout.write(bytes.subarray(start));
  } catch (cause) {
    if (cause instanceof Deno.errors.BrokenPipe) throw new ClosedPipe("standard output was closed", { cause });
    const why = messageOf(cause);
    throw new RegistryError("disk", `Cannot write to standard output: ${why}; free some space, or use --output FILE`, {
      cause,
    });
  }
}

/** Device of /dev/null on Linux. */
const NULL_DEVICE = 1 << 8 | 3;
/** `fcntl` command that returns the access mode of a file, and the value for reading and writing. */
const F_GETFL = 3;
const O_ACCMODE = 3;
const O_RDWR = 2;

/**
 * Whether standard output was closed when the program started. The runtime then opens /dev/null for reading and writing
 * instead; a shell opens it for writing only. Only the C library can tell these apart, so nothing is known without the
 * permission for foreign functions.
 */
async function isClosed(): Promise<boolean> {
  if (Deno.build.os !== "linux" || Deno.stdout.isTerminal()) return false;
  if (Deno.permissions.querySync({ name: "ffi", path: C_LIBRARY }).state !== "granted") return false;
  try {
    using library = disposable(Deno.dlopen(C_LIBRARY, FCNTL));
    if ((library.symbols.fcntl(1, F_GETFL) & O_ACCMODE) !== O_RDWR) return false;
  } catch {
    // Another C library.
    return false;
  }
  const { fstatSync } = await import("node:fs");
  const info = fstatSync(1);
  return info.isCharacterDevice() && info.rdev === NULL_DEVICE;
}

const C_LIBRARY = "libc.so.6";
const FCNTL = { fcntl: { parameters: ["i32", "i32"], result: "i32" } } as const;

function disposable(library: Deno.DynamicLibrary<typeof FCNTL>) {
  return { symbols: library.symbols, [Symbol.dispose]: () => library.close() };
}

/** The option that every command with a result has. */
export const OUTPUT_OPTION = {
  output: {
    type: "string",
    short: "o",
    value: "FILE",
    describe: "write the result to FILE, atomically; text is compressed if FILE ends with .gz; " +
      "- is standard output",
  },
} as const;

/** The parts of a command's context that determine its output. */
interface OutputContext {
  readonly flags: { text(name: string): string | undefined };
  readonly stdout: Output;
  readonly signal: AbortSignal;
}

/**
 * Runs work that writes a result, to `--output` or to standard output. The file is renamed when the work is done; if
 * the work throws or returns `keep: false`, an existing file stays. Text is compressed if the name ends with `.gz`.
 */
export async function withOutput<T extends { readonly keep?: boolean } | void>(
  context: OutputContext,
  work: (output: Output) => Promise<T>,
  { isText = true }: { readonly isText?: boolean } = {},
): Promise<T> {
  const path = context.flags.text("output");
  if (path === undefined || path === "-") return await work(context.stdout);
  await using file = await createAtomicFile(path, { signal: context.signal });
  const sink = (bytes: Uint8Array) => {
    context.signal.throwIfAborted();
    return file.write(bytes);
  };
  const gzip = isText && path.endsWith(".gz") ? new (await import("./gzip_output.ts")).GzipOutput(sink) : undefined;
  const output = new Gathered((bytes) => gzip === undefined ? sink(bytes) : gzip.write(bytes));
  const result = await work(output);
  await output.flush();
  await gzip?.end();
  if (result?.keep !== false) await file.commit();
  return result;
}
