/** The queue of a server: how many answers are under way at once, and whose. */

/** Time after an answer was cut off for another client in which no client gets more than half of the places. */
const SHARED_MS = 60_000;

/** A slot among the active answers. */
export interface Place extends Disposable {
  /** Aborts when the place goes to another client. */
  readonly lost: AbortSignal;
  /**
   * Marks the answer as being sent. From then on the place is only lost if its client has more than half of all, and
   * of these the one first whose reader was waited for the longest.
   */
  send(waitedMs: () => number): void;
}

interface TakenPlace {
  readonly client: string;
  readonly losing: AbortController;
  waitedMs: (() => number) | undefined;
}

/** Places of answers. */
export class AnswerPlaces {
  readonly #most: number;
  readonly #now: () => number;
  readonly #taken = new Set<TakenPlace>();
  #sharedUntil = -Infinity;

  /** Makes so many places; `now` is in milliseconds since any beginning. */
  constructor(most: number, now: () => number = () => performance.now()) {
    this.#most = most;
    this.#now = now;
  }

  /**
   * Takes a place; `undefined` when all are taken. A client that has fewer than another takes one of those that the
   * other has not begun to send, or has beyond half of all; after that none gets more than half for a minute.
   */
  take(client: string): Place | undefined {
    const isShared = this.#now() < this.#sharedUntil;
    if (isShared && this.#countOf(client) >= Math.max(1, Math.floor(this.#most / 2))) return undefined;
    if (this.#taken.size >= this.#most && !this.#makeRoom(client)) return undefined;
    const place: TakenPlace = { client, losing: new AbortController(), waitedMs: undefined };
    this.#taken.add(place);
    return {
      lost: place.losing.signal,
      send: (waitedMs) => void (place.waitedMs = waitedMs),
      [Symbol.dispose]: () => void this.#taken.delete(place),
    };
  }

  #countOf(client: string): number {
    let count = 0;
    for (const place of this.#taken) if (place.client === client) count++;
    return count;
  }

  #makeRoom(client: string): boolean {
    const counts = new Map<string, number>();
    for (const place of this.#taken) counts.set(place.client, (counts.get(place.client) ?? 0) + 1);
    const own = counts.get(client) ?? 0;
    const loser = this.#waitingLoser(counts, own) ?? this.#sendingLoser(counts, own);
    if (loser === undefined) return false;
    this.#taken.delete(loser);
    if (loser.waitedMs !== undefined) this.#sharedUntil = this.#now() + SHARED_MS;
    loser.losing.abort(new DOMException("another client has fewer answers under way", "AbortError"));
    return true;
  }

  /** Of what is not sent yet, the last of the client with the most. */
  #waitingLoser(counts: ReadonlyMap<string, number>, own: number): TakenPlace | undefined {
    let loser: TakenPlace | undefined;
    for (const place of this.#taken) {
      const count = counts.get(place.client) ?? 0;
      const least = loser === undefined ? own + 2 : counts.get(loser.client) ?? 0;
      if (place.waitedMs === undefined && count >= least) loser = place;
    }
    return loser;
  }

  /** Of what a client has beyond half, the answer that waited for its reader the longest. */
  #sendingLoser(counts: ReadonlyMap<string, number>, own: number): TakenPlace | undefined {
    let loser: TakenPlace | undefined;
    let longest = -1;
    for (const place of this.#taken) {
      const count = counts.get(place.client) ?? 0;
      if (count <= this.#most / 2 || count < own + 2) continue;
      const waitedMs = place.waitedMs?.() ?? -1;
      if (waitedMs > longest) [loser, longest] = [place, waitedMs];
    }
    return loser;
  }
}
