/**
 * Stop, inside the real kernel: a signal that work can follow, and an end to what a cell awaits.
 *
 * The proxy sends the function's own text to the kernel: it may use nothing from outside itself.
 *
 * @module
 */

/** What the two sides agree on. */
export interface StoppingTerms {
  /** Name of the message that is a sign of life. */
  readonly aliveType: string;
  /** Time between two of them. */
  readonly beatMs: number;
  /** How long work that follows the signal gets to end in order before nothing waits for it any more. */
  readonly followMs: number;
  /** Name of the function that what is awaited is passed through. */
  readonly awaitName: string;
  /** Name of the function that what `for await` goes through is passed through. */
  readonly eachName: string;
  /** Name of the function that begins anew after a Stop. */
  readonly renewName: string;
  /** Whether the system has a signal to listen to. */
  readonly listens: boolean;
}

/** Installs the controller of Stop, the functions that cells are rewritten with, the signs of life and the listener. */
export function installStopping(
  { aliveType, beatMs, followMs, awaitName, eachName, renewName, listens }: StoppingTerms,
): void {
  const { broadcast } = Reflect.get(Deno, "jupyter");
  const STOP = Symbol.for("seqreg.stop");
  /** Steps between two looks at the clock. */
  const STEPS_PER_LOOK = 16;
  /** How long steps may go on without a turn for anything else. */
  const TURN_MS = 100;
  /** A value that a cell awaits. */
  interface Wait {
    /** Ends it with an error. */
    readonly end: (reason: unknown) => void;
    /** Whether the work asked for the signal, and may end by itself. */
    readonly follows: boolean;
    /** Whether its value came before it could be ended. */
    isFulfilled: boolean;
  }
  /** Everything that cells await now. */
  const waiting = new Set<Wait>();
  const reasons = new WeakSet<object>();
  /** Stop came while nothing was awaited, such as before the cell's first step: its next `await` ends with it. */
  let owed: DOMException | undefined;
  let asked = 0;
  let seen = 0;

  const renew = () => {
    owed = undefined;
    const controller = new AbortController();
    const { signal } = controller;
    // Work that asks for the signal ends by itself.
    Object.defineProperty(controller, "signal", { get: () => (asked++, signal) });
    Reflect.set(globalThis, STOP, controller);
  };
  const stop = () => {
    const controller: AbortController = Reflect.get(globalThis, STOP);
    controller.abort(new DOMException("stopped by the user", "AbortError"));
    const reason = new DOMException(
      "stopped by the user (work that does not follow stopSignal() may go on in the background)",
      "AbortError",
    );
    reasons.add(reason);
    // Where it was made says nothing about the cell.
    Object.defineProperty(reason, "stack", { value: `${reason.name}: ${reason.message}` });
    const under = [...waiting];
    if (under.length === 0) owed = reason;
    const someFollow = under.some(({ follows }) => follows);
    setTimeout(() => {
      // A cell that began meanwhile has another controller, and was not stopped.
      if (Reflect.get(globalThis, STOP) !== controller) return;
      // A value that came before its wait could be ended: the cell goes on, and what it awaits now ends instead.
      const isLost = !someFollow && under.some(({ isFulfilled }) => isFulfilled);
      const ended = isLost ? [...waiting] : under;
      if (isLost && ended.length === 0) owed = reason;
      for (const { end } of ended) end(reason);
    }, someFollow ? followMs : 0);
  };
  let passed = 0;
  /** When something other than steps of cells last had its turn. */
  let turnedAt = performance.now();
  const turned = () => {
    turnedAt = performance.now();
  };
  /** Steps that follow each other at once, as in `for (;;) await 0`, let nothing else run but now and then. */
  const withTurn = (value: unknown): unknown => {
    if (++passed % STEPS_PER_LOOK !== 0 || performance.now() - turnedAt < TURN_MS) return value;
    return new Promise((resolve) => setTimeout(() => (turned(), resolve(value))));
  };
  const stoppable = (given: unknown): unknown => {
    const value = withTurn(given);
    const follows = asked !== seen;
    seen = asked;
    const isThenable = (typeof value === "object" || typeof value === "function") && value !== null &&
      typeof Reflect.get(value, "then") === "function";
    if (!isThenable) return value;
    if (owed !== undefined) {
      const reason = owed;
      owed = undefined;
      Promise.resolve(value).catch(() => {});
      return Promise.reject(reason);
    }
    return new Promise((resolve, reject) => {
      const wait: Wait = {
        // What was ended is not awaited any longer.
        end: (error) => (waiting.delete(wait), reject(error)),
        follows,
        isFulfilled: false,
      };
      waiting.add(wait);
      const over = () => {
        waiting.delete(wait);
        seen = asked;
      };
      Promise.resolve(value).then(
        (result) => (over(), wait.isFulfilled = true, resolve(result)),
        (error) => (over(), reject(error)),
      );
    });
  };
  const { captureStackTrace } = Error;
  const stoppableSteps = (items: AsyncIterable<unknown> & Iterable<unknown>): AsyncIterable<unknown> => ({
    [Symbol.asyncIterator]: function beginSteps() {
      let begin: unknown;
      let isAsync: boolean;
      try {
        const beginAsync = items[Symbol.asyncIterator] ?? undefined;
        isAsync = beginAsync !== undefined;
        begin = beginAsync ?? items[Symbol.iterator];
        if (typeof begin !== "function") {
          throw new TypeError(`${typeof items === "object" ? "the object" : String(items)} is not async iterable`);
        }
      } catch (error) {
        // It is the cell's own: where we found it says nothing.
        captureStackTrace(Object(error), beginSteps);
        throw error;
      }
      const steps: AsyncIterator<unknown> = Reflect.apply(begin, items, []);
      return {
        async next() {
          const step = await (stoppable(steps.next()) as Promise<IteratorResult<unknown>>);
          // A list may hold promises.
          return isAsync || step.done ? step : { done: false, value: await stoppable(step.value) };
        },
        async return(value: unknown) {
          await steps.return?.();
          return { done: true, value };
        },
      };
    },
  });

  renew();
  // Cells name them: a user's list of variables does not.
  for (const [name, value] of [[awaitName, stoppable], [eachName, stoppableSteps], [renewName, renew]]) {
    Object.defineProperty(globalThis, String(name), { value, enumerable: false });
  }
  // An unawaited task was stopped too: that is not an error of its cell.
  globalThis.addEventListener("unhandledrejection", (event) => {
    if (typeof event.reason === "object" && event.reason !== null && reasons.has(event.reason)) event.preventDefault();
  });
  if (!listens) return;
  Deno.addSignalListener("SIGINT", () => {
    broadcast(aliveType, { heard: true });
    stop();
  });
  Deno.unrefTimer(setInterval(() => (turned(), broadcast(aliveType, { heard: false })), beatMs));
}
