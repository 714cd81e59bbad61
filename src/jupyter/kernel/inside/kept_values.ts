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
  const PENDING = 0;
  let kept: readonly [value?: unknown] = [];

  const keep = (...values: readonly [value?: unknown]): unknown => {
    kept = values;
    return values[0];
  };
  /** What was kept, unless the kernel has it anyway; `[]` for that. */
  const takeLost = (): readonly [value?: unknown] => {
    const values = kept;
    kept = [];
    const [value] = values;
    // Of what a cell awaits the promise is kept, so that it takes no turn more.
    if (!(value instanceof Promise)) return isLost(value) ? values : [];
    const [state, result] = typeof getPromiseDetails === "function" ? getPromiseDetails(value) : [PENDING];
    return state !== PENDING && isLost(result) ? [result] : [];
  };
  const isLost = (value: unknown): boolean =>
    value === undefined || typeof value === "bigint" || typeof value === "number";
  Object.defineProperty(keep, "takeLost", { value: takeLost });
  const report = internal?.jupyter?.broadcastResult;
  if (typeof report === "function") {
    internal.jupyter.broadcastResult = (count: unknown, result: unknown) => {
      const [lost] = takeLost();
      const isShown = result !== undefined || lost === undefined;
      const shown = isShown
        ? result
        : { [Symbol.for("Jupyter.display")]: () => ({ "text/plain": inspect(lost, { colors: false }) }) };
      return Reflect.apply(report, internal.jupyter, [count, shown]);
    };
  }
  Object.defineProperty(globalThis, name, { value: keep });
}
