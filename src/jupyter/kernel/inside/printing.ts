/**
 * Joins printed lines inside the real kernel.
 *
 * The kernel sends a message for each line and keeps several kilobytes for each: 100,000 lines take ten seconds and
 * hundreds of megabytes. So the first lines of a moment are sent as they come, and those behind them together. What is
 * held is sent before anything else that a cell puts out or asks for, and when the cell ends.
 *
 * The proxy sends the function's own text to the kernel: it may use nothing from outside itself.
 */

/** Installs it, and under a name the function that sends what is held. */
export function installPrinting(name: string): void {
  /** How long lines are held. */
  const holdMs = 50;
  /** Lines of one moment that are sent as they come: before long work a few lines are seen at once. */
  const mostAlone = 20;
  /** Characters that are sent at once, however short the hold was. */
  const mostHeld = 100_000;
  // Private to Deno as in `notebook/kernel_internals.ts`: `tests/jupyter/kernel/printing_test.ts` notices a change.
  const internal = Reflect.get(Deno, Reflect.get(Deno, "internal"));
  const write: ((text: string, isError: boolean) => void) | undefined = internal?.core?.print;
  if (typeof write !== "function" || typeof internal.Console !== "function") return;

  let texts: string[] = [];
  let characters = 0;
  let isError = false;
  let alone = 0;
  /** When the present moment began. */
  let begunAt = -Infinity;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const flush = (): void => {
    if (texts.length === 0) return;
    const held = texts;
    texts = [];
    characters = 0;
    write(held.join(""), isError);
  };
  const print = (text: string, level: number): void => {
    const toError = level > 1;
    const now = performance.now();
    if (now - begunAt >= holdMs) {
      flush();
      [begunAt, alone] = [now, 0];
    }
    if (texts.length === 0 && alone < mostAlone) {
      alone++;
      return write(text, toError);
    }
    if (toError !== isError) flush();
    isError = toError;
    texts.push(text);
    characters += text.length;
    if (characters >= mostHeld) flush();
    if (timer !== undefined) return;
    timer = setTimeout(() => {
      timer = undefined;
      flush();
    }, holdMs);
    Deno.unrefTimer(timer);
  };

  const joined = new internal.Console(print);
  for (const [name, method] of Object.entries(joined)) {
    if (typeof method === "function") Reflect.set(console, name, method);
  }
  /** What is shown or asked for comes behind what was printed before it. */
  const flushBefore = (owner: object, name: string): void => {
    const method: unknown = Reflect.get(owner, name);
    if (typeof method !== "function") return;
    Reflect.set(owner, name, (...values: unknown[]) => {
      flush();
      return Reflect.apply(method, owner, values);
    });
  };
  const api = Reflect.get(Deno, "jupyter");
  for (const name of ["broadcast", "display"]) flushBefore(api, name);
  flushBefore(internal.jupyter, "broadcastResult");
  for (const name of ["prompt", "confirm", "alert"]) flushBefore(globalThis, name);
  globalThis.addEventListener("unload", flush);
  Object.defineProperty(globalThis, name, { value: flush });
}
