/** Where results go: standard output, or a file that appears whole or not at all. */
import { RegistryError } from "../../errors.ts";
import { createAtomicFile } from "../../io/files/atomic_file.ts";

/** Takes the bytes of a result. */
export interface Output {
  /** Writes all of a text or of bytes. */
  write(content: string | Uint8Array): Promise<void>;
  /** Hands on what is held back, for whoever waits for it; files have no need of it. */
  flush?(): Promise<void>;
}

/** The reader of standard output went away, as `head` does: a quiet end with exit code 0. */
export class ClosedPipe extends Error {
  override readonly name = "ClosedPipe";
}

/** Gathers what is written in pieces of 64 KiB, since each write has its price. */
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

  /** Writes what is still held. */
  async flush(): Promise<void> {
    const bytes = this.#buffer.subarray(0, this.#used);
    this.#used = 0;
    await this.#sink(bytes);
  }
}

/** Standard output. */
export class Stdout extends Gathered {
  constructor() {
    super(writeAll);
  }
}

async function writeAll(bytes: Uint8Array): Promise<void> {
  try {
    for (let start = 0; start < bytes.length;) start += await Deno.stdout.write(bytes.subarray(start));
  } catch (cause) {
    if (cause instanceof Deno.errors.BrokenPipe) throw new ClosedPipe("standard output was closed", { cause });
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new RegistryError("disk", `Cannot write to standard output: ${why}; free some space, or use --output FILE`, {
      cause,
    });
  }
}

/** The option that every command with a result has. */
export const OUTPUT_OPTION = {
  output: {
    type: "string",
    short: "o",
    value: "FILE",
    describe: "write the result to FILE, which appears whole or not at all; - is standard output",
  },
} as const;

/** What of a command's context says where its result goes. */
interface OutputContext {
  readonly flags: { text(name: string): string | undefined };
  readonly stdout: Output;
  readonly signal: AbortSignal;
}

/**
 * Runs work that writes a result, to `--output` or to standard output. The file gets its name only when the work is
 * done; when it throws, or returns `keep: false`, what was there before stays.
 */
export async function withOutput<T extends { readonly keep?: boolean } | void>(
  context: OutputContext,
  work: (output: Output) => Promise<T>,
): Promise<T> {
  const path = context.flags.text("output");
  if (path === undefined || path === "-") return await work(context.stdout);
  await using file = await createAtomicFile(path, { signal: context.signal });
  const output = new Gathered((bytes) => {
    context.signal.throwIfAborted();
    return file.write(bytes);
  });
  const result = await work(output);
  await output.flush();
  if (result?.keep !== false) await file.commit();
  return result;
}
