/**
 * Stop that keeps the kernel's state.
 *
 * The stock kernel dies of a SIGINT that nobody listens to. So the proxy installs a listener that aborts a controller,
 * which the toolkit's work and a user's own `await` can follow. The listener also says that it was heard. Where nothing is
 * heard within a moment the cell lets nothing else run, as `while (true) {}` does: then the kernel's own interrupt ends it.
 * Where Stop was heard, work gets the time to end in order, since that interrupt would tear it apart wherever it is; a
 * second press, or a few seconds, bring the interrupt all the same. An `await` that follows no signal cannot be ended from
 * outside: it ends when what it waits for does.
 *
 * @module
 */
import type { OwnRequests } from "./own_requests.ts";

/** How long a cell gets to hear of Stop. */
const GRACE_MS = 400;
/** How long work that has heard of Stop gets to end in order. */
const ENDING_MS = 4000;

/** Name of the message by which the listener says that Stop was heard. */
export const HEARD_TYPE = "seqreg_heard";

const STOP = `globalThis[Symbol.for("seqreg.stop")]`;

/** Passes the Stop button on to the kernel. */
export class Interrupt {
  readonly #own: OwnRequests;
  readonly #kill: () => void;
  #listens = false;
  #pressed = false;
  #heard = Promise.withResolvers<void>();

  /** Takes how to run code in the kernel, and how to send it SIGINT. */
  constructor(own: OwnRequests, kill: () => void) {
    this.#own = own;
    this.#kill = kill;
  }

  /** Whether Stop was pressed since the last cell began. */
  readonly wasPressed = (): boolean => this.#pressed;

  /** The listener in the kernel has heard of Stop. */
  readonly hear = (): void => this.#heard.resolve();

  /** Installs the listener; where signals are unknown the kernel's own interrupt is all there is. */
  async install(): Promise<void> {
    await this.#own.run(`${STOP} = new AbortController();`);
    if (Deno.build.os === "windows") return;
    this.#listens = await this.#own.run(
      `((send, stop) => Deno.addSignalListener("SIGINT", () => { send("${HEARD_TYPE}", {}); stop(); }))(` +
        `Deno.jupyter.broadcast, () => ${STOP}.abort(new DOMException("stopped by the user", "AbortError")));`,
    );
  }

  /** A cell is about to run: after a Stop it gets a fresh signal. */
  async prepareCell(): Promise<void> {
    if (!this.#pressed) return;
    this.#pressed = false;
    await this.#own.run(`${STOP} = new AbortController();`);
  }

  /**
   * Stop was pressed.
   *
   * @param running Ends when the running cell ends.
   * @param isBusy Whether a cell still runs.
   * @returns Whether the cell ended by itself; else the kernel's own interrupt must end it.
   */
  async press(running: Promise<void>, isBusy: () => boolean): Promise<boolean> {
    if (!this.#listens) return false;
    const isFirst = !this.#pressed;
    this.#pressed = true;
    this.#heard = Promise.withResolvers();
    this.#kill();
    const wasHeard = await within(Promise.race([running, this.#heard.promise]), GRACE_MS);
    if (wasHeard && isFirst) await within(running, ENDING_MS);
    else if (wasHeard) await within(running, GRACE_MS);
    return !isBusy();
  }
}

/** Waits for something, but no longer than this; says whether it came. */
async function within(promise: Promise<void>, timeMs: number): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<false>((resolve) => timer = setTimeout(() => resolve(false), timeMs));
  try {
    return await Promise.race([promise.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}
