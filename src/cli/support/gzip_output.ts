/** Compresses the output of a command chunk by chunk. Loaded for `--output NAME.gz` only. */
import { createGzip } from "node:zlib";

/** Writes gzip to a sink. */
export class GzipOutput {
  readonly #gzip = createGzip();
  readonly #sink: (bytes: Uint8Array) => Promise<void>;
  readonly #made: Uint8Array[] = [];
  readonly #ended = Promise.withResolvers<void>();

  /** Takes a function that receives the compressed bytes. */
  constructor(sink: (bytes: Uint8Array) => Promise<void>) {
    this.#sink = sink;
    this.#gzip.on("data", (part: Uint8Array) => this.#made.push(new Uint8Array(part)));
    this.#gzip.on("end", () => this.#ended.resolve());
    this.#gzip.on("error", (error: Error) => this.#ended.reject(error));
    // The failure is reported by end(), which may never be called.
    this.#ended.promise.catch(() => {});
  }

  /** Compresses bytes; the caller may reuse their buffer afterwards. */
  async write(bytes: Uint8Array): Promise<void> {
    await new Promise<void>((resolve, reject) =>
      this.#gzip.write(bytes, (error: unknown) => error ? reject(error) : resolve())
    );
    await this.#pass();
  }

  /** Writes the remaining bytes. */
  async end(): Promise<void> {
    this.#gzip.end();
    await this.#ended.promise;
    await this.#pass();
  }

  async #pass(): Promise<void> {
    for (const part of this.#made.splice(0)) await this.#sink(part);
  }
}
