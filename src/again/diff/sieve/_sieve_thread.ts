/** Reads one version in a thread of its own. */
import type { HashedRows, HashTask, PickTask } from "./_hash_rows.ts";
import type { JoinedHashes, JoinHashesOptions } from "./_join_hashes.ts";

/** A task of the thread. */
export type SieveTask = HashTask | PickTask | JoinHashesOptions;

/** Messages of the thread. */
export type SieveAnswer =
  | { readonly kind: "bytes"; readonly done: number }
  | { readonly kind: "hashed"; readonly found: HashedRows }
  | { readonly kind: "joined"; readonly found: JoinedHashes }
  | { readonly kind: "picked" }
  | { readonly kind: "failed" };

/** How a thread is used. */
export interface SieveThreadOptions {
  /** Takes the bytes of the file that were read. */
  readonly onBytes: (done: number) => void;
  readonly signal?: AbortSignal;
}

/** A running thread. */
export class SieveThread implements Disposable {
  readonly #worker = new Worker(new URL("./_sieve_worker.ts", import.meta.url), { type: "module" });
  readonly #options: SieveThreadOptions;

  constructor(options: SieveThreadOptions) {
    this.#options = options;
  }

  /** Hashes the rows of a version; `undefined` where it cannot be read so. */
  async hash(task: HashTask): Promise<HashedRows | undefined> {
    const answer = await this.#ask(task);
    return answer.kind === "hashed" ? answer.found : undefined;
  }

  /** Joins a part of the hashes of both versions; `undefined` where they cannot be read. */
  async join(task: JoinHashesOptions): Promise<JoinedHashes | undefined> {
    const answer = await this.#ask(task);
    return answer.kind === "joined" ? answer.found : undefined;
  }

  /** Picks rows of a version. @returns Whether it could be read. */
  async pick(task: PickTask): Promise<boolean> {
    return (await this.#ask(task)).kind === "picked";
  }

  async #ask(task: SieveTask): Promise<SieveAnswer> {
    const { onBytes, signal } = this.#options;
    signal?.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<SieveAnswer>();
    const { port1, port2 } = new MessageChannel();
    const stop = () => reject(signal?.reason);
    signal?.addEventListener("abort", stop);
    port1.onmessage = ({ data }: MessageEvent<SieveAnswer>) => {
      if (data.kind === "bytes") onBytes(data.done);
      else resolve(data);
    };
    this.#worker.onerror = (event) => {
      event.preventDefault();
      resolve({ kind: "failed" });
    };
    try {
      this.#worker.postMessage(task, [port2]);
      return await promise;
    } finally {
      signal?.removeEventListener("abort", stop);
      port1.close();
    }
  }

  /** Ends the thread, and what it does. */
  [Symbol.dispose](): void {
    this.#worker.terminate();
  }
}
