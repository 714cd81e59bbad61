/** Reads one version in a thread of its own. */
import { TaskThread, type TaskWork } from "@seqreg/core/io/tasks";
import { type HashedRows, hashRows, type HashTask, pickRows, type PickTask } from "./_hash_rows.ts";
import { type AlignedHashes, alignHashes, type AlignHashesOptions } from "../hashes/align_hashes.ts";
import { type JoinedHashes, joinHashes, type JoinHashesOptions } from "../hashes/join_hashes.ts";

/** A task of the thread. */
export type SieveTask = HashTask | PickTask | AlignHashesOptions | JoinHashesOptions;

/** The result of a task; undefined where a version cannot be read this way. */
export interface SieveResult {
  readonly hashed?: HashedRows;
  readonly aligned?: AlignedHashes;
  readonly joined?: JoinedHashes;
  readonly isPicked?: true;
}

/** How a thread is used. */
export interface SieveThreadOptions {
  /** Takes the bytes of the file that were read. */
  readonly onBytes: (done: number) => void;
  readonly signal?: AbortSignal;
}

/** A running thread. */
export class SieveThread implements Disposable {
  readonly #thread: TaskThread<SieveTask, SieveResult, number>;
  readonly #signal: AbortSignal | undefined;
  readonly #end = () => this.#thread[Symbol.dispose]();

  constructor({ onBytes, signal }: SieveThreadOptions) {
    const worker = new Worker(new URL("./_sieve_worker.ts", import.meta.url), { type: "module" });
    this.#thread = new TaskThread(worker, { setup: null, work: sieveWork, onMessage: onBytes });
    this.#signal = signal;
    signal?.addEventListener("abort", this.#end);
  }

  /** Hashes the rows of a version; `undefined` where it cannot be read so. */
  async hash(task: HashTask): Promise<HashedRows | undefined> {
    return (await this.#run(task)).hashed;
  }

  /** Passes the hashes of both versions side by side; `undefined` where they cannot be read. */
  async align(task: AlignHashesOptions): Promise<AlignedHashes | undefined> {
    return (await this.#run(task)).aligned;
  }

  /** Joins a part of the hashes of both versions; `undefined` where they cannot be read. */
  async join(task: JoinHashesOptions): Promise<JoinedHashes | undefined> {
    return (await this.#run(task)).joined;
  }

  /** Picks rows of a version. @returns Whether it could be read. */
  async pick(task: PickTask): Promise<boolean> {
    return (await this.#run(task)).isPicked === true;
  }

  async #run(task: SieveTask): Promise<SieveResult> {
    this.#signal?.throwIfAborted();
    // A thread that died has found nothing.
    const result = await this.#thread.run(task).catch((): SieveResult => ({}));
    this.#signal?.throwIfAborted();
    return result;
  }

  /** Ends the thread, and what it does. */
  [Symbol.dispose](): void {
    this.#signal?.removeEventListener("abort", this.#end);
    this.#end();
  }
}

/** Works on tasks, one after another. */
export function sieveWork(): TaskWork<SieveTask, SieveResult, number> {
  return async (task, send) => {
    try {
      if ("bits" in task) {
        await pickRows(task);
        return { result: { isPicked: true } };
      }
      if ("mayRepeat" in task) return { result: { aligned: await alignHashes(task) } };
      if ("files" in task) return { result: { joined: await joinHashes(task) } };
      return { result: { hashed: await hashRows(task, (done) => send(done)) } };
    } catch {
      // The caller reads the file again and reports what is wrong with it.
      return { result: {} };
    }
  };
}
