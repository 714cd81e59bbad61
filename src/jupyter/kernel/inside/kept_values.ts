/**
 * Values that the real kernel loses, kept inside it until they are shown: see `code/kept_values.ts`.
 *
 * The proxy sends the function's own text to the kernel: it may use nothing from outside itself.
 */

/** Installs the function that keeps a value, and shows what was kept where the kernel reports nothing. */
export function installKeptValues(name: string): void {
  // Private to Deno as in `printing.ts`.
  const internal = Reflect.get(Deno, Reflect.get(Deno, "internal"));
  const { getPromiseDetails } = internal?.core ?? {};
  const { inspect } = Deno;
  const PENDING = 0;
  type Kept = readonly [value?: unknown];
  /** The last value of the cell, and what was thrown last, which code may have caught. */
  let [result, thrown]: [Kept, Kept] = [[], []];

  const keep = (...given: readonly [value?: unknown, isThrown?: unknown]): unknown => {
    const [value, isThrown] = given;
    if (isThrown !== undefined) thrown = [value];
    else result = [value];
    return value;
  };
  const clear = (): void => {
    [result, thrown] = [[], []];
  };
  /** What was kept, unless the kernel has it anyway; `[]` for that. */
  const lostOf = (kept: Kept): Kept => {
    const [value] = kept;
    // Of what a cell awaits the promise is kept, so that it takes no turn more.
    if (!(value instanceof Promise)) return isLost(value) ? kept : [];
    const [state, settled] = typeof getPromiseDetails === "function" ? getPromiseDetails(value) : [PENDING];
    return state !== PENDING && isLost(settled) ? [settled] : [];
  };
  const isLost = (value: unknown): boolean =>
    value === undefined || typeof value === "bigint" || typeof value === "number";
  const takeThrown = (): Kept => {
    // A cell with a result fails with what it awaits last.
    const lost = lostOf(result.length > 0 ? result : thrown);
    clear();
    return lost;
  };
  Object.defineProperties(keep, { clear: { value: clear }, takeThrown: { value: takeThrown } });
  const report = internal?.jupyter?.broadcastResult;
  if (typeof report === "function") {
    internal.jupyter.broadcastResult = (count: unknown, reported: unknown) => {
      const [lost] = lostOf(result);
      clear();
      const isShown = reported !== undefined || lost === undefined;
      const shown = isShown
        ? reported
        : { [Symbol.for("Jupyter.display")]: () => ({ "text/plain": inspect(lost, { colors: false }) }) };
      return Reflect.apply(report, internal.jupyter, [count, shown]);
    };
  }
  Object.defineProperty(globalThis, name, { value: keep });
}
