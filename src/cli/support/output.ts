/** Output of results: standard output, or a file that is written atomically. */
import { basename } from "node:path";
import { messageOf, RegistryError } from "@seqreg/core/errors";
import { TerminalBytes } from "../process/terminal_bytes.ts";
import { isOutputClosed } from "./closed_output.ts";
import { outputOption } from "../arguments/output_option.ts";

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

  async flush(): Promise<void> {
    const bytes = this.#buffer.subarray(0, this.#used);
    this.#used = 0;
    await this.#sink(bytes);
  }
}

/** Standard output; on a terminal, characters that it would obey are visible. */
export class Stdout extends Gathered {
  #isOpen = false;

  constructor() {
    let visible: TerminalBytes | undefined;
    let isKnown = false;
    super(async (bytes) => {
      if (!isKnown && bytes.length > 0) {
        isKnown = true;
        if (Deno.stdout.isTerminal()) visible = new TerminalBytes();
      }
      await writeAll(visible === undefined ? bytes : visible.push(bytes));
    });
  }

  /** Writes all of a text or of bytes. @throws {RegistryError} With code `disk` if standard output is closed. */
  override async write(content: string | Uint8Array): Promise<void> {
    // Before the first byte is buffered: the summary must not report buffered bytes as written.
    if (!this.#isOpen && content.length > 0) {
      if (await isOutputClosed()) {
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

/** The option that every command with a result has. */
export const OUTPUT_OPTION = outputOption(
  "FILE",
  "write the result to FILE, atomically; text is compressed if FILE ends with .gz; - is standard output",
);

// Computed specifiers: Deno reads every source that a literal one leads to, which most commands never run.
const loadFiles = (): Promise<typeof import("@seqreg/core/io/files/atomic_file")> =>
  import(import.meta.resolve("@seqreg/core/io/files/atomic_file"));
const loadGzip = (): Promise<typeof import("@seqreg/core/io/gzip/gzip_stream")> =>
  import(import.meta.resolve("@seqreg/core/io/gzip/gzip_stream"));

const loadDigest = (): Promise<typeof import("@seqreg/core/io/digest")> =>
  import(import.meta.resolve("@seqreg/core/io/digest"));

/** The part of a command's context that names its files. */
type OutputFlags = { text(name: string): string | undefined };

export interface WrittenFile {
  readonly name: string;
  readonly sha256: string;
}

/** Files that were written, by the flags that name them. */
const WRITTEN = new WeakMap<OutputFlags, WrittenFile>();

/** The file of `--output`, if {@linkcode withOutput} has written it and a ledger is asked for. */
export function writtenFile(flags: OutputFlags): WrittenFile | undefined {
  return WRITTEN.get(flags);
}

/** The parts of a command's context that determine its output. */
interface OutputContext {
  readonly flags: OutputFlags;
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
  const { createAtomicFile } = await loadFiles();
  await using file = await createAtomicFile(path, { signal: context.signal });
  const hash = context.flags.text("ledger") === undefined ? undefined : (await loadDigest()).startSha256();
  const sink = (bytes: Uint8Array) => {
    context.signal.throwIfAborted();
    hash?.update(bytes);
    return file.write(bytes);
  };
  const gzip = isText && /\.gz$/i.test(path) ? new (await loadGzip()).GzipStream() : undefined;
  const pass = async (parts: readonly Uint8Array[]) => {
    for (const part of parts) await sink(part);
  };
  const output = new Gathered(async (bytes) => await pass(gzip === undefined ? [bytes] : await gzip.write(bytes)));
  const result = await work(output);
  await output.flush();
  if (gzip !== undefined) await pass(await gzip.end());
  if (result?.keep === false) return result;
  await file.commit();
  if (hash !== undefined) WRITTEN.set(context.flags, { name: basename(path), sha256: hash.digest() });
  return result;
}
