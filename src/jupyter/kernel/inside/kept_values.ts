/**
 * Values that the real kernel loses, kept inside it until they are shown: see `code/kept_values.ts`.
 *
 * The proxy sends the function's own text to the kernel: it may use nothing from outside itself.
 *
 * @module
 */

/** Installs the function that keeps a value, and shows what was kept where the kernel reports nothing. */
export function installKeptValues(name: string): void {
  // Private to Deno as in `printing.ts`.
  const internal = Reflect.get(Deno, Reflect.get(Deno, "internal"));
  const { getPromiseDetails } = internal?.core ?? {};
  const { inspect } = Deno;
  const FULFILLED = 1;
  let kept: unknown;

  const keep = (value: unknown): unknown => {
    kept = value;
    return value;
  };
  /** The kept value where the kernel loses it: a bigint, or a number that JSON does not have. */
  const takeLost = (): unknown => {
    let value = kept;
    kept = undefined;
    // Of what a cell awaits the promise is kept, so that it takes no turn more.
    if (value instanceof Promise && typeof getPromiseDetails === "function") {
      const [state, result] = getPromiseDetails(value);
      value = state === FULFILLED ? result : undefined;
    }
    return typeof value === "bigint" || typeof value === "number" ? value : undefined;
  };
  Object.defineProperty(keep, "takeLost", { value: takeLost });
  const report = internal?.jupyter?.broadcastResult;
  if (typeof report === "function") {
    internal.jupyter.broadcastResult = (count: unknown, result: unknown) => {
      const lost = takeLost();
      const isShown = result !== undefined || lost === undefined;
      const shown = isShown
        ? result
        : { [Symbol.for("Jupyter.display")]: () => ({ "text/plain": inspect(lost, { colors: false }) }) };
      return Reflect.apply(report, internal.jupyter, [count, shown]);
    };
  }
  Object.defineProperty(globalThis, name, { value: keep });
}
