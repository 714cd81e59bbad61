/** How fast a client takes its answer: judged only by the time in which the answer waits for the client. */

/** The least that a client must take. */
export interface PaceLimits {
  /** Milliseconds of waiting after which a client is judged, and from then on anew. */
  readonly stallMs: number;
  /** Bytes that it must have taken since. */
  readonly stallBytes: number;
}

export class ReaderPace {
  readonly #limits: PaceLimits;
  #taken = 0;
  #waitedMs = 0;
  #judgedMs = 0;

  constructor(limits: PaceLimits) {
    this.#limits = limits;
  }

  /** Milliseconds that the answer has waited for its reader so far. */
  get waitedMs(): number {
    return this.#waitedMs;
  }

  /** Milliseconds of waiting that are left until the reader is judged. */
  get leftMs(): number {
    return Math.max(0, this.#judgedMs + this.#limits.stallMs - this.#waitedMs);
  }

  /** Adds milliseconds in which the answer waited. */
  wait(ms: number): void {
    this.#waitedMs += ms;
  }

  /** Adds bytes that the socket took. What it takes before the first wait is not the reader's doing. */
  take(bytes: number): void {
    if (this.#waitedMs > 0) this.#taken += bytes;
  }

  /** Judges the reader, and begins anew. Returns whether it has taken less than it must. */
  judge(): boolean {
    const isTooSlow = this.#taken < this.#limits.stallBytes;
    this.#judgedMs = this.#waitedMs;
    this.#taken = 0;
    return isTooSlow;
  }
}
