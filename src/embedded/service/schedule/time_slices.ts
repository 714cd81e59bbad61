/**
 * Shares the one thread: who computes next, and when sockets are looked at.
 *
 * A request that is answered within its first slice never comes here. Longer work waits for slices, which clients take
 * in turn. Between slices the event loop runs until it is idle, so that a short request waits for at most one slice,
 * independent of the number of long ones.
 *
 * Long works of one client take turns, too, instead of ending in the order of their begin: behind a proxy all clients
 * have one address, and a large export would hold up every page that begins after it. What is under way together is
 * bounded by its slots, not by its order: `deno task checks operator` holds what a flood of large pages takes.
 */
import { setImmediate } from "node:timers";
import type { Work } from "./work.ts";

/** Milliseconds that are computed before sockets are looked at. */
export const SLICE_MS = 8;

/** Milliseconds of computing up to which work goes before its client's longer work. */
const SHORT_MS = 250;
/** One slice of so many goes to what would otherwise wait for all shorter work. */
const LONG_EVERY = 4;
/** One slice of so many goes to background work, however many clients compute; all of them while none does. */
const BACKGROUND_EVERY = 4;

/**
 * Rounds of the event loop between slices, at least: it was seen to ask the system for sockets only at each 24th to
 * 28th while there is anything else to do. They take 40 µs.
 */
const ROUNDS = 32;
/** A round that takes so many milliseconds did something for a request. */
const BUSY_ROUND_MS = 0.05;
/** Milliseconds without such a round after which the event loop counts as idle. */
const QUIET_MS = 0.15;
/** Milliseconds that the event loop has between slices, at most. */
const PATIENCE_MS = 16;
/**
 * Work that has computed for less is like a request that has just come: the event loop does not run until it is quiet
 * first, which would let every later request overtake.
 */
const QUICK_MS = 50;

export interface TimeSlicesOptions {
  /** Milliseconds that are computed before sockets are looked at; `SLICE_MS` by default. */
  readonly sliceMs?: number;
  /** Milliseconds since any beginning. */
  readonly now?: () => number;
  /** Runs the event loop: until it is quiet before long work, for as long as a slice before short work. */
  readonly breathe?: (isBeforeLongWork: boolean) => Promise<void>;
}

interface Waiting {
  readonly work: Work;
  readonly resume: () => void;
}

/** Deals slices of one thread. */
export class TimeSlices {
  readonly #sliceMs: number;
  readonly #now: () => number;
  readonly #breathe: (isBeforeLongWork: boolean) => Promise<void>;
  readonly #waiting = new Set<Waiting>();
  /** When each client had its last slice: the least lately served is next. */
  readonly #servedClients = new Map<string, number>();
  #count = 0;
  #dealing = false;

  constructor({ sliceMs = SLICE_MS, now = () => performance.now(), breathe = runLoop }: TimeSlicesOptions = {}) {
    this.#sliceMs = sliceMs;
    this.#now = now;
    this.#breathe = breathe;
  }

  /** Slices that were dealt so far. */
  get dealt(): number {
    return this.#count;
  }

  /** Resolves when work has its next slice. */
  next(work: Work): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.add({ work, resume: resolve });
      if (!this.#dealing) this.#deal();
    });
  }

  async #deal(): Promise<void> {
    this.#dealing = true;
    let begun = -Infinity;
    for (;;) {
      if (this.#now() - begun >= this.#sliceMs) {
        await this.#breathe(![...this.#waiting].some(isQuick));
        begun = this.#now();
      }
      const next = this.#choose();
      if (next === undefined) break;
      this.#waiting.delete(next);
      this.#count++;
      this.#servedClients.set(next.work.client, this.#count);
      next.resume();
      // When the event loop returns here, the resumed work has run until it waits again or has ended.
      await round();
    }
    this.#servedClients.clear();
    this.#dealing = false;
  }

  /**
   * Chooses background work in its turn; else the client that was served least lately, and of its work what waits
   * longest: short work first, mostly.
   */
  #choose(): Waiting | undefined {
    const all = [...this.#waiting];
    const background = all.find(({ work }) => work.background);
    const asked = all.filter(({ work }) => !work.background);
    const isBackgroundsTurn = this.#count % BACKGROUND_EVERY === 1;
    if (asked.length === 0 || background !== undefined && isBackgroundsTurn) return background;
    const client = least(asked, ({ work }) => this.#servedClients.get(work.client) ?? 0)?.work.client;
    const own = asked.filter(({ work }) => work.client === client);
    const short = own.filter(({ work }) => work.usedMs < SHORT_MS);
    const long = own.filter(({ work }) => work.usedMs >= SHORT_MS);
    const isLongsTurn = this.#count % LONG_EVERY === LONG_EVERY - 1;
    return short.length > 0 && (long.length === 0 || !isLongsTurn) ? short[0] : long[0];
  }
}

function isQuick({ work }: Waiting): boolean {
  return !work.background && work.usedMs < QUICK_MS;
}

/** The slices of this thread. */
export const slices: TimeSlices = new TimeSlices();

/** Finds the first item of the least measure. */
function least<T>(items: readonly T[], measure: (item: T) => number): T | undefined {
  let best: T | undefined;
  let bestMeasure = Infinity;
  for (const item of items) {
    const own = measure(item);
    if (own < bestMeasure) [best, bestMeasure] = [item, own];
  }
  return best;
}

function round(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

async function runLoop(isBeforeLongWork: boolean): Promise<void> {
  const begun = performance.now();
  const patienceMs = isBeforeLongWork ? PATIENCE_MS : SLICE_MS;
  let before = begun;
  let quietSince = begun;
  for (let rounds = 0; rounds < ROUNDS || (isBeforeLongWork && before - quietSince < QUIET_MS); rounds++) {
    await round();
    const now = performance.now();
    if (now - before >= BUSY_ROUND_MS) quietSince = now;
    before = now;
    if (now - begun >= patienceMs) return;
  }
}
