/**
 * One operation on the engine, from its plan to the end of its answers, across lost connections.
 *
 * The execution is reattachable: the server keeps answers until they are released. After a lost connection, and where
 * the server ends a stream without `ResultComplete` (it does so every two minutes), answers continue after the last one
 * that came. A reader that ends early has the operation interrupted on the engine. A reader must not pause: a server
 * forgets an operation that no stream was attached to for five minutes.
 */
import type { ExecuteAnswer, ExecutionProgress, Request } from "./_messages.ts";
import { INTERRUPT_OPERATION } from "./_messages.ts";
import { Patience } from "./_pause.ts";
import type { ExecutedPlan } from "./_relations.ts";
import type { Session } from "./_session.ts";

/** Milliseconds without any answer after which a connection counts as lost; a server's stream ends after 120,000. */
const SILENCE_MS = 150_000;

/** Milliseconds that each of the two calls may take that end an operation. */
const END_MS = 2000;

/** Streams in sequence that end without an answer until the server counts as faulty. */
const MAX_EMPTY = 20;

/** Progress of a statement on the engine. */
export interface SparkProgress {
  /** Tasks of the stages known so far. */
  readonly tasks: number;
  /** Tasks that are done. */
  readonly done: number;
  /** Tasks that run now. */
  readonly running: number;
  /** Bytes read from storage so far. */
  readonly bytesRead: number;
}

export interface ExecuteOptions {
  /** What it is for, in messages. */
  readonly task: string;
  readonly plan: ExecutedPlan;
  /** Ends the operation, on the engine too. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: SparkProgress) => void;
  /** Milliseconds without any answer after which the connection counts as lost; 150,000 by default. */
  readonly silenceMs?: number;
}

/**
 * Runs a plan and yields its answers, each once, as fast as they are asked for.
 *
 * @throws {SparkError} If the engine refuses or fails, or the connection does not come back.
 */
export async function* execute(session: Session, options: ExecuteOptions): AsyncGenerator<ExecuteAnswer, void, void> {
  const release = await session.holdFrames(options.plan.frames, options.signal);
  const operation = new Execution(session, options);
  try {
    for (let answer = await operation.next(); answer !== undefined; answer = await operation.next()) {
      // The first answer comes from a plan that is complete: its frames are in it.
      release();
      yield answer;
    }
  } finally {
    await operation.end();
    release();
  }
}

class Execution {
  readonly #id = crypto.randomUUID();
  readonly #session: Session;
  readonly #options: ExecuteOptions;
  readonly #patience: Patience;
  #answers: AsyncIterator<ExecuteAnswer> | undefined;
  #connection = new AbortController();
  #last: string | undefined;
  #isComplete = false;
  #hasFailed = false;
  #isLost = false;
  #empty = 0;
  #releasing: Promise<void> | undefined;

  constructor(session: Session, options: ExecuteOptions) {
    this.#session = session;
    this.#options = options;
    this.#patience = new Patience(session.reconnectMs);
  }

  /** The next answer that is not progress; `undefined` after the last. */
  async next(): Promise<ExecuteAnswer | undefined> {
    const { task, signal, onProgress } = this.#options;
    this.#release();
    for (;;) {
      signal?.throwIfAborted();
      const answer = await this.#read();
      if (answer === undefined) continue;
      this.#session.check(answer, task);
      if (answer.operationId !== this.#id) {
        throw this.#session.invalid(task, "an answer of another operation");
      }
      this.#last = answer.responseId;
      this.#empty = 0;
      this.#patience.renew();
      const { responseType } = answer;
      if (responseType.case === "resultComplete") {
        this.#isComplete = true;
        return undefined;
      }
      if (responseType.case === "executionProgress") onProgress?.(progressOf(responseType.value));
      else if (responseType.case !== undefined || answer.observedMetrics.length > 0) return answer;
    }
  }

  /** Reads one answer; `undefined` if the connection must be taken up again, after the wait for it. */
  async #read(): Promise<ExecuteAnswer | undefined> {
    const { task, signal } = this.#options;
    try {
      this.#answers ??= this.#attach();
      const { done, value } = await this.#withinSilence(this.#answers.next());
      if (done !== true) return value;
      this.#answers = undefined;
      if (++this.#empty > MAX_EMPTY) throw this.#session.invalid(task, "streams without an answer, again and again");
      if (this.#empty > 1) await this.#patience.wait(signal);
      return undefined;
    } catch (thrown) {
      signal?.throwIfAborted();
      this.#answers = undefined;
      const verdict = this.#session.judge(thrown);
      // The request had not reached the server when the connection was lost.
      if (verdict.errorClass === "INVALID_HANDLE.OPERATION_NOT_FOUND" && this.#last === undefined) {
        this.#isSent = false;
        if (await this.#patience.wait(signal)) return undefined;
      }
      if (verdict.isConnection && await this.#patience.wait(signal)) return undefined;
      this.#hasFailed = true;
      this.#isLost = verdict.isConnection || ["lost", "session", "abandoned"].includes(verdict.reason);
      throw await this.#session.errorOf(task, verdict);
    }
  }

  #isSent = false;

  #attach(): AsyncIterator<ExecuteAnswer> {
    this.#connection = new AbortController();
    const { signal: own } = this.#connection;
    const { signal, plan } = this.#options;
    const options = { signal: signal === undefined ? own : AbortSignal.any([signal, own]) };
    const [method, request] = this.#isSent
      ? ["reattachExecute", { operationId: this.#id, lastResponseId: this.#last }] as const
      : ["executePlan", {
        operationId: this.#id,
        plan: plan.message,
        requestOptions: [{ requestOption: { case: "reattachOptions", value: { reattachable: true } } }],
      }] as const;
    this.#isSent = true;
    return this.#session.stream(method, request, options)[Symbol.asyncIterator]();
  }

  async #withinSilence<T>(promise: Promise<T>): Promise<T> {
    const connection = this.#connection;
    const timer = setTimeout(() => connection.abort(), this.#options.silenceMs ?? SILENCE_MS);
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Reports to the server which answers it need not keep; one call at a time, and its failure is harmless. */
  #release(): void {
    const responseId = this.#last;
    if (responseId === undefined || this.#releasing !== undefined) return;
    const release = { case: "releaseUntil", value: { responseId } };
    this.#releasing = this.#short("releaseExecute", { operationId: this.#id, release })
      .finally(() => this.#releasing = undefined);
  }

  /** Ends the operation: interrupts it unless it is complete, and has the server forget it. */
  async end(): Promise<void> {
    const isRunning = this.#isSent && !this.#isComplete && !this.#hasFailed;
    if (isRunning) {
      await this.#short("interrupt", {
        interruptType: INTERRUPT_OPERATION,
        interrupt: { case: "operationId", value: this.#id },
      });
    }
    // The stream's own end is waited for, so that nothing of it is left behind.
    this.#connection.abort();
    await this.#answers?.return?.().catch(() => {});
    await this.#releasing;
    if (this.#isSent && !this.#isLost) {
      await this.#short("releaseExecute", { operationId: this.#id, release: { case: "releaseAll", value: {} } });
    }
  }

  async #short(method: "interrupt" | "releaseExecute", request: Request): Promise<void> {
    const call = { task: "end the operation", reconnectMs: 0, timeoutMs: END_MS };
    await this.#session.call(method, request, call).catch(() => {});
  }
}

function progressOf({ stages, numInflightTasks }: ExecutionProgress): SparkProgress {
  const sum = (pick: (stage: ExecutionProgress["stages"][number]) => bigint) =>
    stages.reduce((total, stage) => total + Number(pick(stage)), 0);
  return {
    tasks: sum(({ numTasks }) => numTasks),
    done: sum(({ numCompletedTasks }) => numCompletedTasks),
    running: Number(numInflightTasks),
    bytesRead: sum(({ inputBytesRead }) => inputBytesRead),
  };
}
