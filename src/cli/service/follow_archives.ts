/** A registry that follows its folder while `seqreg serve` runs. */
import { countOf } from "@seqreg/core/contract/count_of";
import { messageOf } from "@seqreg/core/errors";
import type { RenewableRegistry } from "@seqreg/embedded/service";
import type { CommandContext } from "../support/command.ts";
import { startProgress } from "../support/progress.ts";

/** SIGHUPs from now on: whether one came since the last look. */
export class Hangups {
  #hasCome = false;
  #wake = () => {};

  constructor(context: Pick<CommandContext, "onHangup">) {
    context.onHangup(() => {
      this.#hasCome = true;
      this.#wake();
    });
  }

  /** Waits for one, or so long, or until the signal aborts; whether one has come since the last time. */
  async wait(ms: number, signal: AbortSignal): Promise<boolean> {
    // Each time its own promise: one that lasts would keep every race that it was in.
    const { promise, resolve } = Promise.withResolvers<void>();
    const wake = () => resolve();
    this.#wake = wake;
    const timer = ms === Infinity ? undefined : setTimeout(wake, ms);
    signal.addEventListener("abort", wake);
    if (!this.#hasCome && !signal.aborted) await promise;
    clearTimeout(timer);
    signal.removeEventListener("abort", wake);
    const hasCome = this.#hasCome;
    this.#hasCome = false;
    return hasCome;
  }
}

/** So many looks without a fault show that it was mended: the same one is reported again. */
const LOOKS_WITHOUT = 10;

/**
 * Checks for new archives until the program ends; an import that fails is reported once, and the old archives stay in
 * use. At SIGHUP they are imported as they are, else when they are unchanged at two checks.
 */
export async function followArchives(
  registry: Pick<RenewableRegistry, "renew" | "store">,
  { everyMs, hangups }: { readonly everyMs: number; readonly hangups: Hangups },
  context: Pick<CommandContext, "signal" | "note" | "summary" | "drawProgress" | "writeProgress">,
): Promise<void> {
  const { signal } = context;
  let said = "";
  let looksWithout = 0;
  while (!signal.aborted) {
    const isAsked = await hangups.wait(everyMs, signal);
    if (signal.aborted) return;
    try {
      using progress = startProgress(context);
      const renewed = await registry.renew({ signal, settled: !isAsked, onProgress: progress.onProgress });
      progress.clear();
      if (renewed) context.summary(`new archives: now serving ${countOf(registry.store.recordCount, "record")}`);
      else if (isAsked) context.summary("no new archives");
      if (renewed || ++looksWithout === LOOKS_WITHOUT) said = "";
    } catch (cause) {
      const fault = messageOf(cause);
      if (!signal.aborted && (isAsked || fault !== said)) {
        context.note(`still serving the previous archives: ${fault}`);
      }
      said = fault;
      looksWithout = 0;
    }
  }
}
