/** Reads the body of one answer: with a limit on silence, and an error if it ends before its length. */
import { RegistryError } from "../errors.ts";
import { type Sha256, startSha256 } from "../io/digest/sha256.ts";
import { NetworkError, TimeoutError, UnexpectedResponseError } from "./errors.ts";
import type { BodyObserver } from "./intercept.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/** Parameters of a {@linkcode BodyReader}. */
export interface BodyContext {
  /** The operation, for errors: `Cannot <task>: …`. */
  readonly task: string;
  /** Address that answered. */
  readonly url: string;
  /** Announced bytes; `null` if none were announced. */
  readonly expectedBytes: number | null;
  /** Receives the body too. */
  readonly observer?: BodyObserver;
  /** Whether the SHA-256 of the body is wanted. */
  readonly isHashed: boolean;
  /** Maximum milliseconds without a byte. */
  readonly idleMs: number;
  /** Milliseconds to the first byte; `idleMs` when absent. */
  readonly firstByteMs?: number;
  /** Ends the exchange; reads then throw its reason. */
  readonly stop: AbortController;
  /** Called once, when the exchange is over. */
  readonly release: () => void;
}

export class BodyReader {
  /** Bytes read so far. */
  bytes = 0;
  /** SHA-256 of the body, once it has ended; `null` where it is not wanted. */
  sha256: string | null = null;
  readonly #hash: Sha256 | undefined;
  readonly #context: BodyContext;
  readonly #reader: ReadableStreamDefaultReader<Bytes> | undefined;
  #over = false;
  #failure: { readonly error: unknown } | undefined;
  #rejectPending: ((reason: unknown) => void) | undefined;
  #pendingSince = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(body: ReadableStream<Bytes> | null, context: BodyContext) {
    this.#context = context;
    this.#reader = body?.getReader();
    this.#hash = context.isHashed ? startSha256() : undefined;
    if (context.stop.signal.aborted) this.#onStop();
    else context.stop.signal.addEventListener("abort", this.#onStop, { once: true });
  }

  /** Reads the next chunk, not empty; `null` at the end. Throws unless the body ended properly. */
  async read(): Promise<Bytes | null> {
    for (;;) {
      if (this.#failure !== undefined) throw this.#failure.error;
      if (this.#over) return null;
      let chunk: Bytes | undefined;
      try {
        chunk = await this.#nextChunk();
      } catch (cause) {
        throw this.#fail(this.#context.stop.signal.aborted ? this.#context.stop.signal.reason : this.#broken(cause));
      }
      const { expectedBytes } = this.#context;
      if (chunk === undefined) {
        if (expectedBytes !== null && this.bytes < expectedBytes) throw this.#fail(this.#broken());
        await this.#end();
        return null;
      }
      if (this.bytes === 0) this.#clearTimer();
      this.bytes += chunk.length;
      if (expectedBytes !== null && this.bytes > expectedBytes) throw this.#fail(this.#tooLong(expectedBytes));
      if (chunk.length === 0) continue;
      this.#keep(chunk);
      return chunk;
    }
  }

  #keep(chunk: Bytes): void {
    this.#hash?.update(chunk);
    try {
      this.#context.observer?.take(chunk);
    } catch (error) {
      throw this.#fail(error);
    }
  }

  async #end(): Promise<void> {
    this.sha256 = this.#hash?.digest() ?? null;
    const { observer } = this.#context;
    try {
      if (observer !== undefined && this.sha256 !== null) await observer.end(this.sha256);
    } catch (error) {
      throw this.#fail(error);
    }
    this.#close();
  }

  /** Ends the exchange before the end of the body. Later calls do nothing. */
  async cancel(reason?: unknown): Promise<void> {
    if (this.#over) return;
    this.#close();
    await this.#reader?.cancel(reason).catch(() => {});
    this.#context.stop.abort(reason);
  }

  /**
   * Returns the body as a stream, including chunks that were already read.
   *
   * Reads only on demand; a consumer that stops early ends the exchange.
   */
  toStream(head: readonly Bytes[], onChunk: (chunk: Bytes) => void, onEnd: () => void): ReadableStream<Bytes> {
    const waiting = [...head];
    return new ReadableStream<Bytes>({
      pull: async (controller) => {
        const chunk = waiting.shift() ?? await this.read();
        if (chunk === null) {
          onEnd();
          controller.close();
        } else {
          onChunk(chunk);
          controller.enqueue(chunk);
        }
      },
      cancel: (reason) => this.cancel(reason),
    }, { highWaterMark: 0 });
  }

  #nextChunk(): Promise<Bytes | undefined> {
    return new Promise((resolve, reject) => {
      if (this.#reader === undefined) return resolve(undefined);
      this.#rejectPending = reject;
      this.#pendingSince = performance.now();
      this.#timer ??= setTimeout(this.#onTimer, this.#silenceMs());
      this.#reader.read().then(({ value }) => {
        this.#rejectPending = undefined;
        resolve(value);
      }, reject);
    });
  }

  /** One timer for many chunks: it checks whether a pending read has waited too long. */
  readonly #onTimer = (): void => {
    this.#timer = undefined;
    if (this.#rejectPending === undefined) return;
    const { task, url, stop } = this.#context;
    const idleMs = this.#silenceMs();
    const leftMs = idleMs - (performance.now() - this.#pendingSince);
    if (leftMs > 1) {
      this.#timer = setTimeout(this.#onTimer, leftMs);
      return;
    }
    stop.abort(
      new TimeoutError(
        `Cannot ${task}: no data from ${url} for ${idleMs / 1000} s, ${this.#progress()}; ` +
          `try again, or allow more time`,
        url,
        idleMs,
      ),
    );
  };

  #clearTimer(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #silenceMs(): number {
    const { idleMs, firstByteMs = idleMs } = this.#context;
    return this.bytes === 0 ? firstByteMs : idleMs;
  }

  readonly #onStop = (): void => {
    const { reason } = this.#context.stop.signal;
    const reject = this.#rejectPending;
    this.#fail(reason);
    reject?.(reason);
    this.#reader?.cancel(reason).catch(() => {});
  };

  #fail(error: unknown): unknown {
    if (this.#over) return error;
    this.#failure = { error };
    this.#close();
    this.#reader?.cancel(error).catch(() => {});
    if (!this.#context.stop.signal.aborted) this.#context.stop.abort(error);
    return error;
  }

  #close(): void {
    this.#over = true;
    if (this.sha256 === null) this.#context.observer?.drop();
    this.#rejectPending = undefined;
    this.#clearTimer();
    this.#context.stop.signal.removeEventListener("abort", this.#onStop);
    this.#context.release();
  }

  #progress(): string {
    const { expectedBytes } = this.#context;
    return `after ${this.bytes}${expectedBytes === null ? "" : ` of ${expectedBytes}`} bytes`;
  }

  #broken(cause?: unknown): RegistryError {
    if (cause instanceof RegistryError) return cause;
    const { task, url } = this.#context;
    const message = `Cannot ${task}: the connection to ${url} broke ${this.#progress()}; try again`;
    return new NetworkError(message, url, { cause });
  }

  #tooLong(expectedBytes: number): UnexpectedResponseError {
    const { task, url } = this.#context;
    return new UnexpectedResponseError(
      `Cannot ${task}: ${url} announced ${expectedBytes} bytes and sent more; try again, then report it to the registry`,
      url,
    );
  }
}
