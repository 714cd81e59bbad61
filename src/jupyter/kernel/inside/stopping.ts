/**
 * Stop, inside the real kernel: a signal that work can follow, and an end to what a cell awaits.
 *
 * The proxy sends the function's own text to the kernel: it may use nothing from outside itself.
 */

/** What the two sides agree on. */
export interface StoppingTerms {
  /** Name of the message that is a sign of life. */
  readonly aliveType: string;
  /** Time between two of them. */
  readonly beatMs: number;
  /** How many are sent of a cell. */
  readonly mostBeats: number;
  /** Signal that a cell has begun. */
  readonly cellSignal: "SIGWINCH";
  /** How long work that follows the signal gets to end in order before nothing waits for it any more. */
  readonly followMs: number;
  /** Name of the function that what a function awaits is passed through. */
  readonly awaitName: string;
  /** Name of the function that what the cell itself awaits is passed through. */
  readonly outerName: string;
  /** Name of the function that what `for await` goes through is passed through. */
  readonly eachName: string;
  /** Name of the function that begins anew after a Stop. */
  readonly renewName: string;
  /** Whether the system has a signal to listen to. */
  readonly listens: boolean;
}

/** Installs the controller of Stop, the functions that cells are rewritten with, the signs of life and the listener. */
export function installStopping(
  { aliveType, beatMs, mostBeats, cellSignal, followMs, awaitName, outerName, eachName, renewName, listens }:
    StoppingTerms,
): void {
  const { broadcast } = Reflect.get(Deno, "jupyter");
  const STOP = Symbol.for("seqreg.stop");
  /** Steps between checks of the clock, and between those of quick steps, of which a check would be a large part. */
  const [STEPS_PER_LOOK, QUICK_STEPS_PER_LOOK] = [16, 64];
  /** A step that is quick. */
  const QUICK_MS = 0.01;
  /** How long steps may go on without a turn for anything else. */
  const TURN_MS = 100;
  /** Steps without such a turn that take what is settled in one turn; to ask its state costs more than a step. */
  const EXACT_STEPS = 256;
  const PENDING = 0;
  type Details = readonly [state: number, value?: unknown];
  // Private to Deno, as in `printing.ts`: without it all promises count as pending.
  const { getPromiseDetails } = Reflect.get(Deno, Reflect.get(Deno, "internal"))?.core ?? {};
  const detailsOf: (promise: Promise<unknown>) => Details = getPromiseDetails ?? (() => [PENDING]);
  /** A value that a cell awaits. */
  interface Wait {
    /** Ends it with an error. */
    readonly end: (reason: unknown) => void;
    /** Whether the work asked for the signal, and may end by itself. */
    readonly follows: boolean;
    /** What is awaited. */
    readonly promise: Promise<unknown>;
    /** The wait that began before it, and the one that began after it. */
    before: Wait;
    after: Wait;
  }
  const makeWait = (promise: Promise<unknown>, end: (reason: unknown) => void, follows: boolean): Wait => {
    const wait = { promise, end, follows } as unknown as Wait;
    wait.before = wait.after = wait;
    return wait;
  };
  const settled = Promise.resolve();
  /** Everything that functions await now, as a ring: a set would double what an `await` costs. */
  const ring = makeWait(settled, () => {}, false);
  /** Nothing that the cell itself awaits. */
  const idle = { promise: settled as Promise<unknown>, end: (_reason: unknown) => {}, follows: false, done: settled };
  /** What the cell itself awaits or awaited last: one thing at a time, so that nothing has to be taken off a list. */
  let outer = idle;
  /** The last of these that is forgotten when it ends. */
  let watched = idle;
  /** Forgets what the cell has awaited, with its value: at once, or when it ends. */
  const forgetOuter = () => {
    const wait = outer;
    const forget = () => {
      if (outer === wait) outer = idle;
    };
    if (detailsOf(wait.promise)[0] !== PENDING) return forget();
    if (watched === wait) return;
    watched = wait;
    wait.done.then(() => {
      forget();
      if (watched === wait) watched = idle;
    });
  };
  const listWaits = (): Wait[] => {
    const waits: Wait[] = [];
    for (let wait = ring.after; wait !== ring; wait = wait.after) waits.push(wait);
    const isAwaited = outer !== idle && detailsOf(outer.promise)[0] === PENDING;
    if (isAwaited) waits.push(makeWait(outer.promise, outer.end, outer.follows));
    return waits;
  };
  const leave = (wait: Wait): void => {
    wait.before.after = wait.after;
    wait.after.before = wait.before;
    wait.before = wait.after = wait;
  };
  const reasons = new WeakSet<object>();
  /** Stop came while nothing was awaited, such as before the cell's first step: its next `await` ends with it. */
  let owed: DOMException | undefined;
  /** Whether the signal was asked for in the step that is being run. */
  let isAsked = false;

  const ask = () => {
    if (!isAsked) Promise.resolve().then(() => isAsked = false);
    isAsked = true;
  };
  const renew = () => {
    owed = undefined;
    const controller = new AbortController();
    const { signal } = controller;
    // Work that asks for the signal ends by itself.
    Object.defineProperty(controller, "signal", { get: () => (ask(), signal) });
    Reflect.set(globalThis, STOP, controller);
  };
  const stop = () => {
    const controller: AbortController = Reflect.get(globalThis, STOP);
    const aborted = new DOMException("stopped by the user", "AbortError");
    // Work that nothing awaits any longer ends with either.
    reasons.add(aborted);
    controller.abort(aborted);
    const reason = new DOMException(
      "stopped by the user (work that does not follow stopSignal() may go on in the background)",
      "AbortError",
    );
    reasons.add(reason);
    // Where it was made says nothing about the cell.
    Object.defineProperty(reason, "stack", { value: `${reason.name}: ${reason.message}` });
    const under = listWaits();
    if (under.length === 0) owed = reason;
    const someFollow = under.some(({ follows }) => follows);
    setTimeout(() => {
      // A cell that began meanwhile has another controller, and was not stopped.
      if (Reflect.get(globalThis, STOP) !== controller) return;
      // What came before its wait could be ended: the cell goes on, and what it awaits now ends instead.
      const isLost = !someFollow && under.some(({ promise }) => {
        const [state, value] = detailsOf(promise);
        return state !== PENDING && value !== aborted;
      });
      const ended = isLost ? listWaits() : under;
      if (isLost && ended.length === 0) owed = reason;
      for (const wait of ended) {
        // What was ended is not awaited any longer.
        leave(wait);
        wait.end(reason);
      }
    }, someFollow ? followMs : 0);
  };
  /** Steps since which nothing else has had its turn, and when they began. */
  let steps = 0;
  let begunAt: number | undefined;
  /** The step at which the clock is looked at. */
  let lookAt = STEPS_PER_LOOK;
  /** Steps that follow each other at once, as in `for (;;) await 0`, let nothing else run but now and then. */
  const withTurn = (value: unknown): unknown => {
    if (begunAt === undefined) {
      begunAt = performance.now();
      steps = 0;
      lookAt = STEPS_PER_LOOK;
      setTimeout(() => {
        begunAt = undefined;
        forgetOuter();
      });
    }
    if (++steps < lookAt) return value;
    const spentMs = performance.now() - begunAt;
    lookAt = steps + (spentMs < steps * QUICK_MS ? QUICK_STEPS_PER_LOOK : STEPS_PER_LOOK);
    if (spentMs < TURN_MS) return value;
    // It may have failed already: it is not unhandled, since the cell gets it a turn later.
    Promise.resolve(value).catch(() => {});
    return new Promise((resolve) => setTimeout(() => resolve(value)));
  };
  const makeStoppable = (
    standIn: (promise: Promise<unknown>) => Promise<unknown>,
  ) =>
  // What a cell awaits last is kept as well: see `kept_values.ts`.
  (given: unknown, keep?: (promise: unknown) => void): unknown => {
    const value = withTurn(given);
    keep?.(value);
    if (typeof value !== "object" && typeof value !== "function" || value === null) return value;
    const promise = Promise.resolve(value);
    keep?.(promise);
    if (owed !== undefined) {
      const reason = owed;
      owed = undefined;
      promise.catch(() => {});
      return Promise.reject(reason);
    }
    // It is awaited in one turn as it is: the order of turns is that of the cell's own code.
    if (steps <= EXACT_STEPS && detailsOf(promise)[0] !== PENDING) return promise;
    return standIn(promise);
  };
  // Its own functions, bare: by them the engine finds who awaits this one, for the stack of an error. A second reaction
  // of the same promise would hide it.
  const stoppable = makeStoppable((promise) =>
    new Promise((resolve, reject) => {
      const wait: Wait = { promise, end: reject, follows: isAsked, before: ring.before, after: ring };
      ring.before = wait.before.after = wait;
      promise.then(resolve, reject).then(() => leave(wait));
    })
  );
  const stoppableOuter = makeStoppable((promise) =>
    new Promise((resolve, reject) => {
      outer = { promise, end: reject, follows: isAsked, done: promise.then(resolve, reject) };
    })
  );
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
        // Without `async`: the stack of an error would name this function.
        next() {
          const step = steps.next();
          if (isAsync) return stoppable(step) as Promise<IteratorResult<unknown>>;
          const { done, value } = step as unknown as IteratorResult<unknown>;
          // A list may hold promises.
          return Promise.resolve(done ? value : stoppable(value)).then((value) => ({ done, value }));
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
  const functions = {
    [awaitName]: stoppable,
    [outerName]: stoppableOuter,
    [eachName]: stoppableSteps,
    [renewName]: renew,
  };
  for (const [name, value] of Object.entries(functions)) Object.defineProperty(globalThis, name, { value });
  // An unawaited task was stopped too: that is not an error of its cell.
  globalThis.addEventListener("unhandledrejection", (event) => {
    if (typeof event.reason === "object" && event.reason !== null && reasons.has(event.reason)) event.preventDefault();
  });
  if (!listens) return;
  Deno.addSignalListener("SIGINT", () => {
    broadcast(aliveType, { heard: true });
    stop();
  });
  let beats = 0;
  const beat = () => {
    if (beats === 0) return;
    beats--;
    broadcast(aliveType, { heard: false });
  };
  Deno.addSignalListener(cellSignal, () => {
    beats = mostBeats;
    beat();
  });
  Deno.unrefTimer(setInterval(beat, beatMs));
}
