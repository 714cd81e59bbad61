/** Compresses chunk by chunk, as one member of gzip. */
import { createGzip } from "node:zlib";

/** A gzip member that is being written. */
export class GzipStream implements Disposable {
  readonly #gzip: ReturnType<typeof createGzip>;
  readonly #made: Uint8Array<ArrayBuffer>[] = [];
  readonly #ended = Promise.withResolvers<void>();

  /** Begins a member; `level` is from 1, quick, to 9, small. */
  constructor(level = 6) {
    this.#gzip = createGzip({ level });
    this.#gzip.on("data", (part: Uint8Array) => this.#made.push(new Uint8Array(part)));
    this.#gzip.on("end", () => this.#ended.resolve());
    this.#gzip.on("error", (error: Error) => this.#ended.reject(error));
    // The error is reported by end(), which may never be called; this prevents an unhandled rejection until then.
    this.#ended.promise.catch(() => {});
  }

  /** Compresses bytes, whose buffer may be reused afterwards; returns what is ready. */
  async write(bytes: Uint8Array): Promise<Uint8Array<ArrayBuffer>[]> {
    await new Promise<void>((resolve, reject) =>
      this.#gzip.write(bytes, (error: unknown) => error ? reject(error) : resolve())
    );
    return this.#made.splice(0);
  }

  /** Ends the member; returns the rest. */
  async end(): Promise<Uint8Array<ArrayBuffer>[]> {
    this.#gzip.end();
    await this.#ended.promise;
    return this.#made.splice(0);
  }

  /** Drops what is not written yet. */
  [Symbol.dispose](): void {
    this.#gzip.destroy();
  }
}
