/**
 * Work in a thread of its own: a task at a time, in the order in which tasks were sent.
 *
 * @module
 */

/** What a task's result is, and which of its buffers are handed over. */
export interface TaskResult<Result> {
  readonly result: Result;
  readonly transfer: Transferable[];
}

/** Works on one task. */
export type TaskWork<Task, Result> = (task: Task) => TaskResult<Result>;

type Answer<Result> =
  | { readonly kind: "begun" }
  | { readonly kind: "done"; readonly result: Result }
  | { readonly kind: "failed"; readonly error: unknown };

/** A running thread. Where there can be none, tasks are worked on in this one. */
export class TaskThread<Task, Result> implements Disposable {
  readonly #work: () => TaskWork<Task, Result>;
  readonly #waiting: PromiseWithResolvers<Result>[] = [];
  readonly #port: MessagePort;
  readonly #worker: Worker;
  readonly #begun = Promise.withResolvers<boolean>();
  #inline: TaskWork<Task, Result> | undefined;
  /** Why the thread takes nothing more. */
  #fault: unknown;

  /**
   * Wraps a new worker, whose module calls {@linkcode serveTasks}.
   *
   * @param worker The worker.
   * @param setup What the worker receives first.
   * @param work Begins the same work in this thread.
   */
  constructor(
    worker: Worker,
    { setup, work }: { readonly setup: unknown; readonly work: () => TaskWork<Task, Result> },
  ) {
    const { port1, port2 } = new MessageChannel();
    this.#work = work;
    this.#port = port1;
    this.#worker = worker;
    worker.onerror = (event) => {
      event.preventDefault();
      this.#fail(new Error(`Cannot work in a thread: ${event.message}`));
      this.#begun.resolve(false);
    };
    port1.onmessage = ({ data }: MessageEvent<Answer<Result>>) => {
      if (data.kind === "begun") this.#begun.resolve(true);
      else if (data.kind === "done") this.#waiting.shift()?.resolve(data.result);
      else this.#fail(data.error);
    };
    worker.postMessage(setup, [port2]);
  }

  /** Works on a task, whose buffers in `transfer` are handed over. */
  async run(task: Task, transfer: Transferable[]): Promise<Result> {
    if (!await this.#begun.promise) {
      this.#inline ??= this.#work();
      return this.#inline(task).result;
    }
    if (this.#fault !== undefined) throw this.#fault;
    const waiting = Promise.withResolvers<Result>();
    this.#waiting.push(waiting);
    this.#port.postMessage(task, transfer);
    return await waiting.promise;
  }

  /** Ends the thread, and what it does. */
  [Symbol.dispose](): void {
    this.#port.close();
    this.#worker.terminate();
    this.#fail(new DOMException("the work was given up", "AbortError"));
    this.#begun.resolve(true);
  }

  /** A thread that failed answers nothing more: a later caller must not wait for it. */
  #fail(error: unknown): void {
    this.#fault ??= error;
    for (const { reject } of this.#waiting.splice(0)) reject(error);
  }
}

/** Answers the tasks of a {@linkcode TaskThread}: to be called once, by the module of a worker. */
export function serveTasks<Setup, Task, Result>(begin: (setup: Setup) => TaskWork<Task, Result>): void {
  addEventListener("message", (event) => {
    if (!(event instanceof MessageEvent)) return;
    const [port] = event.ports;
    const answer = (message: Answer<Result>, transfer: Transferable[] = []): void =>
      port.postMessage(message, transfer);
    const work = begin(event.data);
    port.onmessage = ({ data }: MessageEvent<Task>) => {
      try {
        const { result, transfer } = work(data);
        answer({ kind: "done", result }, transfer);
      } catch (error) {
        answer({ kind: "failed", error });
      }
    };
    answer({ kind: "begun" });
  });
}
