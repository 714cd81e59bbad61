/** Work that several callers wait for, each with a signal of its own. */
import { unlessAborted } from "./pause.ts";

interface SharedRun<T> {
  readonly result: Promise<T>;
  readonly stop: AbortController;
  waiting: number;
  isDone: boolean;
}

/** Work that is done once for all callers, such as opening a session. Its result is kept; a failure is not. */
export class SharedTask<T> {
  #run: SharedRun<T> | undefined;

  /** The result, also of work that is under way; `undefined` before any call, after a failure and once forgotten. */
  get result(): Promise<T> | undefined {
    return this.#run?.result;
  }

  /** Forgets the result: the next call begins the work anew. */
  forget(): void {
    this.#run = undefined;
  }

  /**
   * Waits for the work; begins it if it is neither under way nor done.
   *
   * @param begin Begins the work; its signal aborts when no caller waits any more.
   * @param signal Ends the wait with its reason, and the work only if no other caller waits for it: then the end of the
   * work is waited for.
   */
  async wait(begin: (signal: AbortSignal) => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
    for (;;) {
      signal?.throwIfAborted();
      const run = this.#run ??= this.#begin(begin);
      if (run.isDone || !run.stop.signal.aborted) return await join(run, signal);
      // It is being ended, since its callers have left.
      await unlessAborted(run.result.catch(() => {}), signal);
    }
  }

  #begin(begin: (signal: AbortSignal) => Promise<T>): SharedRun<T> {
    const stop = new AbortController();
    const run: SharedRun<T> = { result: begin(stop.signal), stop, waiting: 0, isDone: false };
    run.result.then(() => run.isDone = true, () => {
      if (this.#run === run) this.#run = undefined;
    });
    return run;
  }
}

async function join<T>(run: SharedRun<T>, signal: AbortSignal | undefined): Promise<T> {
  run.waiting++;
  try {
    return await unlessAborted(run.result, signal);
  } catch (cause) {
    if (run.waiting === 1 && signal?.aborted) {
      run.stop.abort(signal.reason);
      await run.result.catch(() => {});
    }
    throw cause;
  } finally {
    run.waiting--;
  }
}
