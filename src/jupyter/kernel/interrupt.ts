/**
 * Stop that keeps the kernel's state.
 *
 * The stock kernel dies of a SIGINT without a listener. So the proxy installs a listener that aborts a controller,
 * which the toolkit's work and a user's own `await` can follow, then ends every `await` of a cell
 * (`code/stoppable_awaits.ts`), and reports that it ran. If it does not run within a moment while the kernel computes,
 * and nothing else has run since the cell began, as in `while (true) {}`, the kernel's own interrupt ends the cell. It
 * is not used on work that awaits: it would end one step of it, and code that awaits the rest would wait forever. A
 * cell that continues, since no `await` of its own is pending, prints a message.
 */
import { AWAIT_NAME, EACH_NAME, OUTER_NAME } from "./code/stoppable_awaits.ts";
import { inOwnScope } from "./inside/own_scope.ts";
import { installStopping, type StoppingTerms } from "./inside/stopping.ts";
import type { OwnRequests } from "./own_requests.ts";
import { within } from "./within.ts";

/** How long a cell gets to hear of Stop. */
const GRACE_MS = 400;
/** How long a cell that lets other things run between its steps gets to hear of it. */
const STEP_MS = 3000;
/** How often is looked whether it will not hear. */
const RETRY_MS = 50;
/** How long work that received Stop may take to end before its cell reports that it continues. */
const ENDING_MS = 3000;
/** After this long a cell that outlives the kernel's own interrupt gets the signal again: its step may be cut. */
const AGAIN_MS = 1000;
/** Signs of life that tell of a cell that lets other things run; the first may be of before it. */
const BEATS = 2;
/** Longest wait for the fresh signal of a cell. */
const RENEW_MS = 5000;
/** What the kernel must have computed without hearing: less than that is a machine too busy to let it run at all. */
const DEAF_CPU_MS = 150;

/**
 * Name of the message by which the kernel reports that other tasks run during the cell, and whether Stop was received.
 */
export const ALIVE_TYPE = "seqreg_alive";

/** What this side and the kernel agree on. */
const TERMS: Omit<StoppingTerms, "listens"> = {
  aliveType: ALIVE_TYPE,
  beatMs: 250,
  // The kernel keeps some kilobytes of each message for good.
  mostBeats: 5,
  // Without a listener nothing comes of it.
  cellSignal: "SIGWINCH",
  followMs: 1500,
  awaitName: AWAIT_NAME,
  outerName: OUTER_NAME,
  eachName: EACH_NAME,
  renewName: "__seqreg_renew_stop",
};

/** Message of a cell that continues after Stop. */
const GOES_ON = "Stop was received, but this cell awaits work that does not follow it: it continues until that ends. " +
  "Give the work `signal: stopSignal()`, or restart the kernel to end it now.\n";

/** What Stop needs of the proxy. */
interface StopSurroundings {
  /** Sends the kernel a signal. */
  readonly signal: (signal: Deno.Signal) => void;
  /** Prints under the running cell. */
  readonly tell: (text: string) => void;
  /** What the kernel has computed since it began; infinite where that cannot be known. */
  readonly cpuMs: () => number;
}

/** Passes the Stop button on to the kernel. */
export class Interrupt {
  readonly #own: OwnRequests;
  readonly #around: StopSurroundings;
  #listens = false;
  #pressed = false;
  #isRunning = false;
  /** Stop was pressed for a cell that was still being prepared. */
  #isOwed = false;
  #heard = Promise.withResolvers<void>();
  #cell = "";
  #beats = 0;

  constructor(own: OwnRequests, around: StopSurroundings) {
    this.#own = own;
    this.#around = around;
  }

  /** Whether Stop was pressed since the last cell began. */
  readonly wasPressed = (): boolean => this.#pressed;

  /** A sign of life has come from the kernel, while it ran this cell. */
  readonly seeAlive = (heardStop: boolean, cell: string): void => {
    if (cell === this.#cell) this.#beats++;
    if (heardStop) this.#heard.resolve();
  };

  /** Installs what Stop needs; where signals are unknown the kernel's own interrupt is all there is. */
  async install(): Promise<void> {
    const listens = Deno.build.os !== "windows";
    const terms: StoppingTerms = { ...TERMS, listens };
    this.#listens = await this.#own.run(inOwnScope(`(${installStopping})(${JSON.stringify(terms)});`)) && listens;
  }

  /** A cell is about to run: after a Stop of another cell it gets a fresh signal. */
  async prepareCell(cell: string): Promise<void> {
    if (this.#pressed && !this.#isOwed) {
      this.#pressed = false;
      // Work of an earlier cell may keep the kernel busy: what is sent next runs after this in any case.
      await within(this.#own.run(`${TERMS.renewName}()`), RENEW_MS);
      // Pressed meanwhile: the fresh signal has not seen it.
      if (this.#isOwed) this.#around.signal("SIGINT");
    }
    this.#isOwed = false;
    this.#isRunning = true;
    this.#cell = cell;
    this.#beats = 0;
  }

  /** The cell was sent to the kernel. */
  beginCell(): void {
    if (this.#listens) this.#around.signal(TERMS.cellSignal);
  }

  endCell(): void {
    this.#isRunning = false;
  }

  /**
   * Stop was pressed.
   *
   * @param isBusy Whether a cell still runs.
   * @returns Whether that was all that can be done; else the kernel's own interrupt must end the cell.
   */
  async press(running: Promise<void>, isBusy: () => boolean): Promise<boolean> {
    if (!this.#listens) return false;
    this.#pressed = true;
    this.#isOwed = !this.#isRunning && isBusy();
    this.#heard = Promise.withResolvers();
    this.#around.signal("SIGINT");
    const ended = running.then(() => {});
    const isHeard = await this.#isHeard(Promise.race([ended, this.#heard.promise]));
    if (!isHeard && !isBusy()) return true;
    const ending = comes(ended, ENDING_MS).then((isOver) => {
      if (!isOver && isBusy()) this.#around.tell(GOES_ON);
    });
    if (isHeard) await ending;
    else this.#pressAgain(ended, isBusy);
    return isHeard;
  }

  /** The kernel's own interrupt may cut a step that the cell then waits for without end: Stop ends that too. */
  async #pressAgain(ended: Promise<void>, isBusy: () => boolean): Promise<void> {
    if (!await comes(ended, AGAIN_MS) && isBusy()) this.#around.signal("SIGINT");
  }

  /**
   * Waits until Stop was heard, or it is clear that it will not be: a kernel that still computes at a second look, and
   * not one whose step has just ended, since the kernel's own interrupt could then end the very work of Stop.
   */
  async #isHeard(heard: Promise<void>): Promise<boolean> {
    const before = this.#around.cpuMs();
    const latest = performance.now() + GRACE_MS + STEP_MS;
    if (await comes(heard, GRACE_MS)) return true;
    const afterGrace = this.#around.cpuMs();
    while (performance.now() < latest) {
      const atLook = this.#around.cpuMs();
      if (await comes(heard, RETRY_MS)) return true;
      const now = this.#around.cpuMs();
      // A busy machine lets it compute little between two checks: then what it has computed since the first counts.
      const computesOn = now - atLook >= RETRY_MS / 2 || now - afterGrace >= DEAF_CPU_MS / 2;
      const isComputing = now === Infinity || (now - before >= DEAF_CPU_MS && computesOn);
      if (this.#beats < BEATS && isComputing) return false;
    }
    return false;
  }
}

/** Waits for something, but no longer than this; returns whether it came. */
async function comes(promise: Promise<void>, timeMs: number): Promise<boolean> {
  return await within(promise.then(() => true), timeMs) ?? false;
}
