/** Work in a thread of its own: a task at a time, in the order in which tasks were sent. */

/** What a task's result is, and which of its buffers are handed over. */
export interface TaskResult<Result> {
  readonly result: Result;
  readonly transfer?: Transferable[];
}

/** Works on one task; `send` sends a message before the result, and transfers buffers; `signal` cancels. */
export type TaskWork<Task, Result, Message = never> = (
  task: Task,
  send: (message: Message, transfer?: Transferable[]) => void,
  signal?: AbortSignal,
) => TaskResult<Result> | Promise<TaskResult<Result>>;

export interface TaskThreadSetup<Task, Result, Message> {
  /** What the worker receives first. */
  readonly setup: unknown;
  /** Begins the same work in this thread. */
  readonly work: () => TaskWork<Task, Result, Message>;
  readonly onMessage?: (message: Message) => void;
  /** What cannot be done if the thread dies: words of the error. */
  readonly aim?: string;
}

type Question<Task> =
  | { readonly kind: "task"; readonly task: Task }
  | { readonly kind: "stop" };

type Answer<Result, Message> =
  | { readonly kind: "begun" }
  | { readonly kind: "sent"; readonly message: Message }
  | { readonly kind: "done"; readonly result: Result }
  | { readonly kind: "failed"; readonly error: unknown };

/** A running thread. Where there can be none, tasks are worked on in this one. */
export class TaskThread<Task, Result, Message = never> implements Disposable {
  readonly #work: () => TaskWork<Task, Result, Message>;
  readonly #waiting: PromiseWithResolvers<Result>[] = [];
  readonly #port: MessagePort;
  readonly #worker: Worker;
  readonly #begun = Promise.withResolvers<boolean>();
  readonly #onMessage: (message: Message) => void;
  #inline: TaskWork<Task, Result, Message> | undefined;
  /** Why the thread takes nothing more. */
  #fault: unknown;

  /** Wraps a new worker, whose module calls {@linkcode serveTasks}. */
  constructor(
    worker: Worker,
    { setup, work, onMessage = () => {}, aim = "work in a thread" }: TaskThreadSetup<Task, Result, Message>,
  ) {
    const { port1, port2 } = new MessageChannel();
    this.#work = work;
    this.#onMessage = onMessage;
    this.#port = port1;
    this.#worker = worker;
    worker.onerror = (event) => {
      event.preventDefault();
      this.#fail(new Error(`Cannot ${aim}: ${event.message}`));
      this.#begun.resolve(false);
    };
    port1.onmessage = ({ data }: MessageEvent<Answer<Result, Message>>) => {
      if (data.kind === "begun") this.#begun.resolve(true);
      else if (data.kind === "sent") onMessage(data.message);
      else if (data.kind === "done") this.#waiting.shift()?.resolve(data.result);
      else this.#fail(data.error);
    };
    worker.postMessage(setup, [port2]);
  }

  /**
   * Works on a task, whose buffers in `transfer` are handed over.
   *
   * @param signal Ends the work with the signal's reason, when the work has stopped; the thread takes no other then.
   */
  async run(task: Task, transfer: Transferable[] = [], signal?: AbortSignal): Promise<Result> {
    signal?.throwIfAborted();
    if (!await this.#begun.promise) {
      this.#inline ??= this.#work();
      return (await this.#inline(task, this.#onMessage, signal)).result;
    }
    if (this.#fault !== undefined) throw this.#fault;
    const waiting = Promise.withResolvers<Result>();
    this.#waiting.push(waiting);
    const ask = (question: Question<Task>, given: Transferable[] = []) => this.#port.postMessage(question, given);
    const stop = () => ask({ kind: "stop" });
    ask({ kind: "task", task }, transfer);
    if (signal?.aborted) stop();
    signal?.addEventListener("abort", stop, { once: true });
    try {
      return await waiting.promise;
    } finally {
      signal?.removeEventListener("abort", stop);
      // Whatever the work ended with.
      signal?.throwIfAborted();
    }
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
export function serveTasks<Setup, Task, Result, Message = never>(
  begin: (setup: Setup) => TaskWork<Task, Result, Message>,
): void {
  addEventListener("message", (event) => {
    if (!(event instanceof MessageEvent)) return;
    const [port] = event.ports;
    const answer = (message: Answer<Result, Message>, transfer: Transferable[] = []): void =>
      port.postMessage(message, transfer);
    const work = begin(event.data);
    const stop = new AbortController();
    let before = Promise.resolve();
    const workOn = async (task: Task): Promise<void> => {
      try {
        const send = (message: Message, given?: Transferable[]) => answer({ kind: "sent", message }, given);
        const { result, transfer } = await work(task, send, stop.signal);
        answer({ kind: "done", result }, transfer);
      } catch (error) {
        answer({ kind: "failed", error });
      }
    };
    port.onmessage = ({ data }: MessageEvent<Question<Task>>) => {
      if (data.kind === "task") before = before.then(() => workOn(data.task));
      else stop.abort(new DOMException("the work was given up", "AbortError"));
    };
    answer({ kind: "begun" });
  });
}
