/**
 * Stop that keeps the kernel's state.
 *
 * The stock kernel dies of a SIGINT that nobody listens to. So the proxy installs a listener that aborts a controller,
 * which the toolkit's work and a user's own `await` can follow; where the cell still runs a moment later, as in
 * `while (true) {}`, the kernel's own interrupt ends it. An `await` that follows no signal cannot be ended from outside:
 * it ends when what it waits for does.
 *
 * @module
 */
import type { OwnRequests } from "./own_requests.ts";

/** How long a cell gets to end by itself after Stop. */
const GRACE_MS = 200;

const STOP = `globalThis[Symbol.for("seqreg.stop")]`;

/** Passes the Stop button on to the kernel. */
export class Interrupt {
  readonly #own: OwnRequests;
  readonly #kill: () => void;
  #listens = false;
  #pressed = false;

  /** Takes how to run code in the kernel, and how to send it SIGINT. */
  constructor(own: OwnRequests, kill: () => void) {
    this.#own = own;
    this.#kill = kill;
  }

  /** Whether Stop was pressed since the last cell began. */
  readonly wasPressed = (): boolean => this.#pressed;

  /** Installs the listener; where signals are unknown the kernel's own interrupt is all there is. */
  async install(): Promise<void> {
    await this.#own.run(`${STOP} = new AbortController();`);
    if (Deno.build.os === "windows") return;
    this.#listens = await this.#own.run(
      `Deno.addSignalListener("SIGINT", () => ${STOP}.abort(new DOMException("stopped by the user", "AbortError")));`,
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
    this.#pressed = true;
    this.#kill();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const grace = new Promise<void>((resolve) => timer = setTimeout(resolve, GRACE_MS));
    await Promise.race([running, grace]);
    clearTimeout(timer);
    return !isBusy();
  }
}
