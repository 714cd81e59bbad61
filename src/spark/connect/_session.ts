/** One session on a server: its identity in every request, its short calls, and what their failures mean. */
import type { Answers, ErrorDetailsAnswer, ExecuteAnswer, Request, SessionAnswer, StreamMethod } from "./_messages.ts";
import type { CallOptions, Rpc } from "./_rpc.ts";
import type { SparkEndpoint } from "./connection_string.ts";
import { cleanText, errorOf, judge, reasonOf, type Verdict } from "./_failure.ts";
import { unlessAborted } from "@seqreg/core/io/tasks";
import { Patience } from "./_pause.ts";
import { SparkError } from "./spark_error.ts";

/** Milliseconds that looking up the whole of an error may take. */
const DETAILS_MS = 5000;

export interface SessionOptions {
  /** The way to the server. */
  readonly rpc: Rpc;
  readonly endpoint: SparkEndpoint;
  /** Milliseconds that a short call may take. */
  readonly timeoutMs: number;
  /** Milliseconds in which a lost connection must be back. */
  readonly reconnectMs: number;
}

export interface ShortCall {
  /** What the call is for, in messages: `set the session's settings`. */
  readonly task: string;
  readonly signal?: AbortSignal;
  /** Milliseconds in which a lost connection must be back; the session's by default, 0: no second attempt. */
  readonly reconnectMs?: number;
  /** Milliseconds that the call may take; the session's by default. */
  readonly timeoutMs?: number;
}

export class Session {
  /** Its identity, a UUID. */
  readonly id: string;
  readonly #options: SessionOptions;
  readonly #heldFrames = new Map<string, Promise<void>>();
  #serverSideId: string | undefined;

  /** Begins a session; the server learns of it with the first call. */
  constructor(options: SessionOptions, id: string = crypto.randomUUID()) {
    this.id = id;
    this.#options = options;
  }

  /** Milliseconds in which a lost connection must be back. */
  get reconnectMs(): number {
    return this.#options.reconnectMs;
  }

  /**
   * Makes a call with one answer, again and again while the connection is lost: all of these calls may be repeated.
   *
   * @throws {SparkError} If the server refuses it, or the connection does not come back.
   */
  async call<Method extends keyof Answers>(
    method: Method,
    request: Request,
    { task, signal, reconnectMs, timeoutMs }: ShortCall,
  ): Promise<Answers[Method]> {
    const { rpc } = this.#options;
    const patience = new Patience(reconnectMs ?? this.#options.reconnectMs);
    for (;;) {
      signal?.throwIfAborted();
      try {
        const options = { signal, timeoutMs: timeoutMs ?? this.#options.timeoutMs };
        const answer = await rpc.call(method, this.#complete(request), options);
        this.check(answer, task);
        return answer;
      } catch (thrown) {
        signal?.throwIfAborted();
        const verdict = this.judge(thrown);
        if (verdict.isConnection && await patience.wait(signal)) continue;
        throw await this.errorOf(task, verdict);
      }
    }
  }

  /**
   * Waits until no other statement of this session has frames of these names, and returns what ends that.
   *
   * A frame is a temporary view of the session while the server plans the statement: of two statements at a time with
   * a frame of one name, one would read the frame of the other.
   */
  async holdFrames(names: readonly string[], signal?: AbortSignal): Promise<() => void> {
    // Names of views are compared without regard to case.
    const keys = names.map((name) => name.toLowerCase());
    for (;;) {
      const held = keys.flatMap((key) => this.#heldFrames.get(key) ?? []);
      if (held.length === 0) break;
      await unlessAborted(Promise.race(held), signal);
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    for (const key of keys) this.#heldFrames.set(key, promise);
    return () => {
      for (const key of keys) if (this.#heldFrames.get(key) === promise) this.#heldFrames.delete(key);
      resolve();
    };
  }

  stream(method: StreamMethod, request: Request, options: CallOptions): AsyncIterable<ExecuteAnswer> {
    return this.#options.rpc.stream(method, this.#complete(request), options);
  }

  /** Checks that an answer belongs to this session, and to the same one as the answers before it. */
  check(answer: SessionAnswer, task: string): void {
    if (answer.sessionId !== this.id) throw this.invalid(task, "the answer belongs to another session");
    if (answer.serverSideSessionId === "") return;
    if (this.#serverSideId !== undefined && this.#serverSideId !== answer.serverSideSessionId) {
      throw this.error(task, "session", "the server has begun the session anew, without its views and settings");
    }
    this.#serverSideId = answer.serverSideSessionId;
  }

  /** Judges what was thrown; throws it again if it is not a failure of a call. */
  judge(thrown: unknown): Verdict {
    const failure = thrown instanceof SparkError ? undefined : this.#options.rpc.failureOf(thrown);
    if (failure === undefined) throw thrown;
    return judge(failure);
  }

  /** The error of a judged failure, with the whole text where the server keeps it. */
  async errorOf(task: string, verdict: Verdict): Promise<SparkError> {
    const { endpoint } = this.#options;
    // No answer has ever come: there was no connection to lose.
    if (verdict.reason === "lost" && verdict.isConnection && this.#serverSideId === undefined) {
      return errorOf(task, endpoint, { ...verdict, reason: "unreachable" });
    }
    const whole = verdict.errorId === undefined ? undefined : await this.#fetchDetails(verdict.errorId);
    const text = whole === undefined ? "" : causesOf(whole);
    if (text === "") return errorOf(task, endpoint, verdict);
    const isOpen = verdict.reason === "failed" || verdict.reason === "unreadable";
    const reason = isOpen ? reasonOf(text, verdict.errorClass, undefined) : verdict.reason;
    return errorOf(task, endpoint, { ...verdict, reason, text });
  }

  /** An error that this side finds. */
  error(task: string, reason: Verdict["reason"], why: string): SparkError {
    return errorOf(task, this.#options.endpoint, { reason, isConnection: false, text: why }, why);
  }

  /** The error of an answer that breaks the protocol. */
  invalid(task: string, why: string): SparkError {
    const shown = cleanText(why, this.#options.endpoint);
    return this.error(task, "invalid-answer", `the answer does not follow the protocol: ${shown}`);
  }

  #complete(request: Request): Request {
    const { endpoint } = this.#options;
    return {
      sessionId: this.id,
      clientObservedServerSideSessionId: this.#serverSideId,
      userContext: { userId: endpoint.userId, userName: endpoint.userId },
      clientType: endpoint.userAgent,
      ...request,
    };
  }

  async #fetchDetails(errorId: string): Promise<ErrorDetailsAnswer | undefined> {
    try {
      const request = this.#complete({ errorId });
      return await this.#options.rpc.call("fetchErrorDetails", request, { timeoutMs: DETAILS_MS });
    } catch {
      // The short text of the failure is at hand: its details are an addition.
      return undefined;
    }
  }
}

/** Messages of an error and of its causes, each once. */
function causesOf({ errors, rootErrorIdx }: ErrorDetailsAnswer): string {
  const texts: string[] = [];
  const seen = new Set<number>();
  for (let index = rootErrorIdx; index !== undefined && !seen.has(index) && seen.size < 5;) {
    seen.add(index);
    const { message, causeIdx } = errors[index] ?? { message: "", causeIdx: undefined };
    if (message !== "" && !texts.some((text) => text.includes(message))) texts.push(message);
    index = causeIdx;
  }
  return texts.join("; caused by: ");
}
