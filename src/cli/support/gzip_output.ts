/** Compresses a result that a command writes piece by piece. Loaded for `--output NAME.gz` alone. */
import { createGzip } from "node:zlib";

/** Writes gzip to a sink. */
export class GzipOutput {
  readonly #gzip = createGzip();
  readonly #sink: (bytes: Uint8Array) => Promise<void>;
  readonly #made: Uint8Array[] = [];
  readonly #ended = Promise.withResolvers<void>();

  /** Takes whom to give the compressed bytes. */
  constructor(sink: (bytes: Uint8Array) => Promise<void>) {
    this.#sink = sink;
    this.#gzip.on("data", (part: Uint8Array) => this.#made.push(new Uint8Array(part)));
    this.#gzip.on("end", () => this.#ended.resolve());
    this.#gzip.on("error", (error: Error) => this.#ended.reject(error));
    // A failure is for end(), which may never be called.
    this.#ended.promise.catch(() => {});
  }

  /** Compresses bytes, which may be used again afterwards. */
  async write(bytes: Uint8Array): Promise<void> {
    await new Promise<void>((resolve, reject) =>
      this.#gzip.write(bytes, (error: unknown) => error ? reject(error) : resolve())
    );
    await this.#pass();
  }

  /** Writes what is still to come. */
  async end(): Promise<void> {
    this.#gzip.end();
    await this.#ended.promise;
    await this.#pass();
  }

  async #pass(): Promise<void> {
    for (const part of this.#made.splice(0)) await this.#sink(part);
  }
}
