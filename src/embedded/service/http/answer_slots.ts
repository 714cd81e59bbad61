/** The queue of a server: how many answers are under way at once, whose, and which wait. */

/** Of so many slots one is kept for clients that have none. */
const KEPT_OF = 8;

/** Time after an answer was cut off for another client in which no client gets more than half of the slots. */
const SHARED_MS = 60_000;

/** A slot among the active answers. */
export interface AnswerSlot extends Disposable {
  /** Aborts when the slot goes to another client. */
  readonly lost: AbortSignal;
  /**
   * Marks the answer as being sent. From then on the slot is only lost if its client has more than half of all, and
   * of these the one first whose reader was waited for the longest.
   */
  send(waitedMs: () => number): void;
}

interface TakenSlot {
  readonly client: string;
  readonly losing: AbortController;
  waitedMs: (() => number) | undefined;
}

interface Waiting {
  readonly client: string;
  readonly begin: (slot: AnswerSlot | undefined) => void;
}

export class AnswerSlots {
  readonly #most: number;
  readonly #mostWaiting: number;
  readonly #now: () => number;
  readonly #taken = new Set<TakenSlot>();
  readonly #waiting = new Set<Waiting>();
  #sharedUntil = -Infinity;

  /** Makes so many slots, for which others may wait; `now` is in milliseconds since any beginning. */
  constructor(most: number, waiting = 0, now: () => number = () => performance.now()) {
    this.#most = most;
    this.#mostWaiting = waiting;
    this.#now = now;
  }

  /**
   * Takes a slot when there is one: clients with fewer come first, each in its own order. `undefined` when too many
   * wait, or when the client has left.
   */
  async wait(client: string, gone: AbortSignal): Promise<AnswerSlot | undefined> {
    const isBehindOwn = [...this.#waiting].some((waiting) => waiting.client === client);
    const slot = isBehindOwn ? undefined : this.take(client);
    if (slot !== undefined || this.#waiting.size >= this.#mostWaiting || gone.aborted) return slot;
    const { promise, resolve } = Promise.withResolvers<AnswerSlot | undefined>();
    const waiting = { client, begin: resolve };
    // A slot that becomes free now goes to somebody else.
    const leave = () => {
      this.#waiting.delete(waiting);
      resolve(undefined);
    };
    this.#waiting.add(waiting);
    gone.addEventListener("abort", leave);
    try {
      return await promise;
    } finally {
      this.#waiting.delete(waiting);
      gone.removeEventListener("abort", leave);
    }
  }

  /**
   * Takes a slot; `undefined` when all are taken, or all but those that are kept for clients that have none. A client
   * that has fewer than another takes one of those that the other has not begun to send, or has beyond half of all;
   * after that none gets more than half for a minute.
   */
  take(client: string): AnswerSlot | undefined {
    if (!this.#mayHaveMore(client)) return undefined;
    return this.#taken.size < this.#most || this.#makeRoom(client) ? this.#give(client) : undefined;
  }

  #mayHaveMore(client: string): boolean {
    const isShared = this.#now() < this.#sharedUntil;
    const most = isShared ? Math.floor(this.#most / 2) : this.#most - Math.floor(this.#most / KEPT_OF);
    return this.#countOf(client) < Math.max(1, most);
  }

  #give(client: string): AnswerSlot {
    const slot: TakenSlot = { client, losing: new AbortController(), waitedMs: undefined };
    this.#taken.add(slot);
    return {
      lost: slot.losing.signal,
      send: (waitedMs) => void (slot.waitedMs = waitedMs),
      [Symbol.dispose]: () => {
        this.#taken.delete(slot);
        this.#serveWaiting();
      },
    };
  }

  #serveWaiting(): void {
    while (this.#taken.size < this.#most) {
      const able = [...this.#waiting].filter(({ client }) => this.#mayHaveMore(client));
      if (able.length === 0) return;
      const next = able.reduce((best, one) => this.#countOf(one.client) < this.#countOf(best.client) ? one : best);
      this.#waiting.delete(next);
      next.begin(this.#give(next.client));
    }
  }

  #countOf(client: string): number {
    let count = 0;
    for (const slot of this.#taken) if (slot.client === client) count++;
    return count;
  }

  #makeRoom(client: string): boolean {
    const counts = new Map<string, number>();
    for (const slot of this.#taken) counts.set(slot.client, (counts.get(slot.client) ?? 0) + 1);
    const own = counts.get(client) ?? 0;
    const loser = this.#waitingLoser(counts, own) ?? this.#sendingLoser(counts, own);
    if (loser === undefined) return false;
    this.#taken.delete(loser);
    if (loser.waitedMs !== undefined) this.#sharedUntil = this.#now() + SHARED_MS;
    loser.losing.abort(new DOMException("another client has fewer answers under way", "AbortError"));
    return true;
  }

  /** Of what is not sent yet, the last of the client with the most. */
  #waitingLoser(counts: ReadonlyMap<string, number>, own: number): TakenSlot | undefined {
    let loser: TakenSlot | undefined;
    for (const slot of this.#taken) {
      const count = counts.get(slot.client) ?? 0;
      const least = loser === undefined ? own + 2 : counts.get(loser.client) ?? 0;
      if (slot.waitedMs === undefined && count >= least) loser = slot;
    }
    return loser;
  }

  /** Of what a client has beyond half, the answer that waited for its reader the longest. */
  #sendingLoser(counts: ReadonlyMap<string, number>, own: number): TakenSlot | undefined {
    let loser: TakenSlot | undefined;
    let longest = -1;
    for (const slot of this.#taken) {
      const count = counts.get(slot.client) ?? 0;
      if (count <= this.#most / 2 || count < own + 2) continue;
      const waitedMs = slot.waitedMs?.() ?? -1;
      if (waitedMs > longest) [loser, longest] = [slot, waitedMs];
    }
    return loser;
  }
}
