/**
 * Errors, inside the real kernel: those that nothing waits for are printed, and of the one that ended a cell all is
 * kept that it holds.
 *
 * Without a listener an error of a timer or a microtask ends what the kernel evaluates: its cell loses its result after
 * many seconds, and the error is never shown.
 *
 * The proxy sends the function's own text to the kernel: it may use nothing from outside itself.
 */

/** Frames that an error records: those of the toolkit come before the user's own, and V8 records ten. */
export const STACK_FRAMES = 50;

/** Key under which the toolkit stores the address of its own modules. */
export const TOOLKIT_NAME = "seqreg.toolkit";

/** What ended a cell, as its front end shows it. */
export interface ThrownValue {
  /** Its name and its value, where it is not an error. */
  readonly ename?: string;
  readonly evalue?: string;
  readonly traceback: readonly string[];
}

/** Prints errors that nothing waits for, and installs under a name what a cell's end needs of them. */
export function installFailures(frames: number, name: string, keepName: string, toolkitName: string): void {
  Error.stackTraceLimit = frames;
  // Private copies: a cell may replace both.
  const { error: print } = console;
  const { inspect } = Deno;
  const hasInstance = Function.prototype[Symbol.hasInstance];
  const isFrame = /^\s+at /;
  /** Messages of V8's own errors, which in the toolkit are its faults. */
  const isOfEngine =
    /^Cannot (read|set) propert|^Cannot (destructure|mix BigInt|convert (undefined|a |Symbol))|^Invalid array length| is not (a function|iterable|a constructor)|^Maximum call stack/;
  const toolkitKey = Symbol.for(toolkitName);
  const isInner = /^\s+at (?:.*\()?(?:ext|node):/;
  /** Errors within each other that are shown at most. */
  const mostParts = 8;
  const mostAsked = 16;
  const mostFrames = 10;
  /** How long a rejected promise may stay without anything that awaits it. */
  const holdMs = 20;

  const attempt = <T>(read: () => T, otherwise: T): T => {
    try {
      return read();
    } catch {
      return otherwise;
    }
  };
  const inspected = (value: unknown): string =>
    attempt(() => inspect(value, { colors: false, depth: 6 }), "a value that cannot be shown");
  const isError = (value: unknown): value is Error => Reflect.apply(hasInstance, Error, [value]);
  /** The errors that one was made of, and its cause. */
  const partsOf = (error: Error, seen: ReadonlySet<unknown>): { inner: string[]; cause: string[] } => {
    const errors = attempt<unknown>(() => Reflect.get(error, "errors"), undefined);
    const inner = errors instanceof Array ? errors.flatMap((each) => linesOf(each, seen)) : [];
    // The stacks that the toolkit writes name the causes, and messages may hold the cause's own.
    const isNamed = attempt(() => String(error.stack).includes("\n  cause: "), false) ||
      attempt(
        () => isError(error.cause) && error.cause.message !== "" && error.message.includes(error.cause.message),
        false,
      );
    const [head, ...rest] = !isNamed && attempt(() => "cause" in error, false) ? linesOf(error.cause, seen) : [];
    return {
      inner: inner.map((line) => `    ${line}`),
      cause: head === undefined ? [] : [`Caused by: ${head}`, ...rest],
    };
  };
  const withParts = (stack: readonly string[], inner: readonly string[], cause: readonly string[]): string[] => {
    const firstFrame = stack.findIndex((line) => isFrame.test(line));
    const lines = [...stack];
    lines.splice(firstFrame < 0 ? lines.length : firstFrame, 0, ...inner);
    return [...lines, ...cause];
  };
  /** Whether the toolkit refuses what its caller passed: where in the toolkit is nothing that the caller can mend. */
  const isRefusal = ({ name, message }: Error, firstFrame: string | undefined): boolean => {
    const toolkit: unknown = Reflect.get(globalThis, toolkitKey);
    return ["TypeError", "RangeError", "CriteriaError"].includes(name) && !isOfEngine.test(message) &&
      typeof toolkit === "string" && firstFrame !== undefined && firstFrame.includes(toolkit);
  };
  /** As many frames as V8 records by itself, and the user's own behind them, each once. */
  const shortened = (error: Error, stack: readonly string[]): string[] => {
    const seen = new Set<string>();
    let frames = 0;
    const ownAlone = isRefusal(error, stack.find((line) => isFrame.test(line)));
    return stack.filter((line) => {
      if (!isFrame.test(line)) return true;
      if (ownAlone) return line.includes("<anonymous>:");
      const isNew = !seen.has(line);
      seen.add(line);
      return ++frames <= mostFrames || isNew && line.includes("<anonymous>:");
    });
  };
  /** A value that was thrown as plain Deno prints it, without frames of the runtime. */
  const linesOf = (value: unknown, before: ReadonlySet<unknown> = new Set()): string[] => {
    if (!isError(value)) return inspected(value).split("\n");
    if (before.has(value) || before.size >= mostParts) return ["…"];
    const { inner, cause } = partsOf(value, new Set([...before, value]));
    const name = attempt(() => `${value.name}: ${value.message}`, "Error");
    const stack = attempt(() => String(value.stack || name), name).split("\n");
    const lines = shortened(value, stack.filter((line) => !isInner.test(line)));
    return withParts(lines, inner, cause);
  };
  /** What is to be printed of rejected promises, unless something awaits them in the moment that they are held. */
  const waiting = new Map<unknown, () => void>();
  const tellOf = (promise: unknown): void => {
    const tell = waiting.get(promise);
    waiting.delete(promise);
    tell?.();
  };
  const watch = (type: string, textOf: (event: Event) => string): void => {
    globalThis.addEventListener(type, (event) => {
      // What the kernel does with it otherwise freezes or ends it.
      event.preventDefault();
      let isHandled = false;
      // Listeners of the user's and of Stop come behind this one, and say in this way that they see to it.
      Object.defineProperty(event, "preventDefault", { value: () => isHandled = true });
      const tell = () => print(textOf(event));
      const promise: unknown = Reflect.get(event, "promise");
      Promise.resolve().then(() => {
        if (isHandled) return;
        if (promise === undefined) return tell();
        waiting.set(promise, tell);
        setTimeout(() => tellOf(promise), holdMs);
      });
    });
  };

  /** What was last asked whether it is an error: the kernel asks that of what ended a cell, and passes on its text. */
  const asked: unknown[] = [];
  let next = 0;
  Object.defineProperty(Error, Symbol.hasInstance, {
    configurable: true,
    value: function (this: unknown, value: unknown): boolean {
      // Classes of errors inherit this.
      if (this === Error) asked[next = (next + 1) % mostAsked] = value;
      return Reflect.apply(hasInstance, this, [value]);
    },
  });
  /** The message that the kernel passes on of a value. */
  const messageOf = (value: unknown): string =>
    attempt(() => String(isError(value) ? value.message : value) || "(none)", "(none)");
  const describe = (failure: string): ThrownValue | undefined => {
    const latest = [...asked.slice(next + 1), ...asked.slice(0, next + 1)];
    const at = latest.findLastIndex((value) => messageOf(value) === failure);
    asked.length = 0;
    if (at < 0) return undefined;
    const value = latest[at];
    if (!isError(value)) {
      // The kernel passes on `null` for what it loses.
      const lost: readonly unknown[] = value === null ? Reflect.get(globalThis, keepName)?.takeThrown() ?? [] : [];
      const shown = inspected(lost.length > 0 ? lost[0] : value);
      return {
        ename: "Uncaught",
        evalue: typeof value === "string" ? value : shown,
        traceback: `Uncaught ${shown}`.split("\n"),
      };
    }
    const { inner, cause } = partsOf(value, new Set([value]));
    const stack = attempt(() => String(value.stack), "").split("\n");
    const lines = shortened(value, stack);
    if (inner.length + cause.length === 0 && lines.length === stack.length) return undefined;
    return { traceback: withParts(lines, inner, cause) };
  };
  const flush = (): void => {
    for (const promise of [...waiting.keys()]) tellOf(promise);
  };
  Object.defineProperty(globalThis, name, { value: { describe, flush } });

  watch("error", (event) => {
    const { error, message }: { error?: unknown; message?: unknown } = Object(event);
    // An error of a worker has a message alone.
    return error === undefined || error === null ? String(message) : `Uncaught ${linesOf(error).join("\n")}`;
  });
  watch("unhandledrejection", (event) => `Uncaught (in promise) ${linesOf(Reflect.get(event, "reason")).join("\n")}`);
  globalThis.addEventListener("rejectionhandled", (event) => {
    waiting.delete(Reflect.get(event, "promise"));
  });
}
