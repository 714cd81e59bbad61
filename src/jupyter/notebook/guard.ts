/**
 * Keeps printed lines under their own cell on the stock Deno kernel, where our own kernel is not installed.
 *
 * The stock kernel reports a cell as done while its lines are still on the way, and late ones land under the next cell.
 * The guard joins printed text into few messages, sends them before anything else that is shown, and gives the kernel a
 * moment to deliver before a cell's result is reported.
 */
import { findKernel, methodOf, OWN_KERNEL } from "./kernel_internals.ts";

/** Time that the kernel gets to deliver what was printed before a result is reported. */
const SETTLE_MS = 40;
/** How long printed text is held to be joined with what follows. */
const JOIN_MS = 20;
/** Characters that are sent at once, however short the hold was. */
const MOST_HELD = 64_000;

/**
 * Installs the guard in a notebook; does nothing elsewhere, and nothing the second time.
 *
 * @returns Whether the guard is in place.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { installGuard } from "./guard.ts";
 *
 * assertEquals(installGuard(), false); // not in a notebook
 * ```
 */
export function installGuard(): boolean {
  const kernel = findKernel();
  if (kernel === undefined) return false;
  // Our own kernel keeps lines under their cell by itself, and faster.
  if (Reflect.has(globalThis, OWN_KERNEL)) return true;
  if (Reflect.get(kernel.jupyter, GUARDED) === true) return true;
  const { api, jupyter, inspect } = kernel;
  const broadcast = methodOf(api, "broadcast");
  const report = methodOf(jupyter, "broadcastResult");
  if (broadcast === undefined || report === undefined) return false;

  let held: { name: string; text: string }[] = [];
  let characters = 0;
  let waiting = false;
  let since = 0;
  let sentAt = 0;
  const send = (): void => {
    waiting = false;
    characters = 0;
    sentAt = performance.now();
    const parts = held;
    held = [];
    for (const part of parts) broadcast("stream", part);
  };
  const print = (name: string, text: string): void => {
    const last = held.at(-1);
    if (last?.name === name) last.text += text;
    else held.push({ name, text });
    characters += text.length;
    if (!waiting) {
      waiting = true;
      since = performance.now();
      // A burst goes out when its synchronous part ends, also when that throws; frequent bursts are joined.
      if (since - sentAt > JOIN_MS / 4) queueMicrotask(send);
      else setTimeout(send, JOIN_MS);
    }
    if (characters > MOST_HELD || performance.now() - since > 4 * JOIN_MS) send();
  };

  const printing: readonly (readonly [stream: string, methods: readonly string[]])[] = [
    ["stdout", ["log", "info", "debug"]],
    ["stderr", ["warn", "error"]],
  ];
  for (const [stream, methods] of printing) {
    for (const method of methods) {
      Reflect.set(
        console,
        method,
        (...args: unknown[]) => print(stream, `${inspect(args, { colors: !Deno.noColor })}\n`),
      );
    }
  }
  const sendBefore = (owner: object, methods: readonly string[]): void => {
    for (const method of methods) {
      const original = methodOf(owner, method);
      if (original === undefined) continue;
      Reflect.set(owner, method, (...args: unknown[]) => {
        send();
        return original(...args);
      });
    }
  };
  sendBefore(console, ["table", "dir", "trace", "group", "groupEnd", "count", "timeEnd"]);
  sendBefore(api, ["display", "broadcast"]);
  Reflect.set(jupyter, "broadcastResult", async (...args: unknown[]) => {
    send();
    await report(...args);
    await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
  });
  Reflect.set(jupyter, GUARDED, true);
  return true;
}

const GUARDED = Symbol.for("seqreg.guarded");
