/**
 * Decompresses Zstandard, all frames of it, and refuses what is damaged.
 *
 * Files of several frames are legal (as by `cat` or `pzstd`), and so are skippable frames, whose content is passed
 * over. Truncation and trailing garbage are refused; content checksums are compared where a frame has one (`zstd`
 * writes them). Windows of more than 128 MiB are refused, since they are memory.
 *
 * `minizlib` instead of `node:zlib` alone: the streams of Deno 2.9 never end, nor fail, once data is damaged, and
 * `zstdDecompressSync` needs the whole frame.
 */
import { ZstdDecompress } from "minizlib";
import { cutZstd, damagedZstd, wideZstd } from "./zstd_error.ts";
import { FrameFault, ZstdFrames } from "./_zstd_frames.ts";

export { ZstdError } from "./zstd_error.ts";

/** Options of a stream: bytes that it gives at a time, which the types of the package do not have. */
const STREAM_OPTIONS: ConstructorParameters<typeof ZstdDecompress>[0] & { readonly chunkSize: number } = {
  chunkSize: 1 << 18,
};

/**
 * Decompresses Zstandard chunk by chunk, in bounded memory.
 *
 * @param chunks Compressed bytes; each chunk is used up before the next is asked for.
 * @returns Chunks, each valid until the next is asked for.
 * @throws {ZstdError} If the data is truncated, damaged, followed by garbage, or no Zstandard. Chunks before the fault
 * have been given out by then: a caller that needs all or nothing keeps them aside until the end.
 */
export async function* unzstd(
  chunks: AsyncIterable<Uint8Array>,
  name = "Zstandard data",
): AsyncGenerator<Uint8Array> {
  const frames = new ZstdFrames();
  using decompressor = new FrameDecompressor();
  try {
    for await (const chunk of chunks) {
      for (const { bytes, isLast } of frames.pieces(chunk)) {
        yield* decompressor.add(bytes);
        if (isLast) decompressor.restart();
      }
    }
  } catch (cause) {
    if (cause instanceof FrameFault) throw damagedZstd(name, frames.position, cause.message);
    if (!(cause instanceof DecompressorFault)) throw cause;
    if (/memory/.test(cause.message)) throw wideZstd(name, frames.position, cause);
    throw damagedZstd(name, frames.position, cause.message, cause);
  }
  if (!frames.mayEnd) throw cutZstd(name, frames.position);
}

/** What a decompressor says of damaged data. */
class DecompressorFault extends Error {}

/** Decompresses one frame after the other. */
class FrameDecompressor implements Disposable {
  #stream = new ZstdDecompress(STREAM_OPTIONS);
  #made: Uint8Array[] = [];
  #fault: Error | undefined;

  constructor() {
    this.#stream.on("data", (text) => void this.#made.push(text));
    this.#stream.on("error", (error) => this.#fault ??= error as Error);
  }

  /** Takes bytes of a frame and returns all that can be decompressed of them. */
  add(bytes: Uint8Array): Uint8Array[] {
    // The stream works within this call, and reports to its listeners before it returns.
    this.#stream.write(bytes);
    if (this.#fault !== undefined) {
      const words = this.#fault.message.replace(/^zlib: (?:Zstd decompress error: )?/, "").toLowerCase();
      throw new DecompressorFault(words, { cause: this.#fault });
    }
    const made = this.#made;
    this.#made = [];
    return made;
  }

  /** Ends a frame: another one begins. */
  restart(): void {
    this.#stream.reset();
  }

  [Symbol.dispose](): void {
    this.#stream.close();
  }
}
