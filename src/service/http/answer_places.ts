/** The queue of a server: how many answers are under way at once, and whose. */

/** A slot among the active answers. */
export interface Place extends Disposable {
  /** Aborts when the place goes to another client, which only happens before `keep`. */
  readonly lost: AbortSignal;
  /** Keeps the place to the end: the answer is about to be sent. */
  keep(): void;
}

interface TakenPlace {
  readonly client: string;
  readonly losing: AbortController;
  kept: boolean;
}

/** Places of answers. */
export class AnswerPlaces {
  readonly #most: number;
  readonly #taken = new Set<TakenPlace>();

  /** Makes so many places. */
  constructor(most: number) {
    this.#most = most;
  }

  /**
   * Takes a place; `undefined` when all are taken. A client that has fewer than another takes one of those that the
   * other has not begun to send.
   */
  take(client: string): Place | undefined {
    if (this.#taken.size >= this.#most && !this.#makeRoom(client)) return undefined;
    const place: TakenPlace = { client, losing: new AbortController(), kept: false };
    this.#taken.add(place);
    return {
      lost: place.losing.signal,
      keep: () => void (place.kept = true),
      [Symbol.dispose]: () => void this.#taken.delete(place),
    };
  }

  #makeRoom(client: string): boolean {
    const counts = new Map<string, number>();
    for (const place of this.#taken) counts.set(place.client, (counts.get(place.client) ?? 0) + 1);
    const own = counts.get(client) ?? 0;
    let loser: TakenPlace | undefined;
    for (const place of this.#taken) {
      const count = counts.get(place.client) ?? 0;
      const least = loser === undefined ? own + 2 : counts.get(loser.client) ?? 0;
      if (!place.kept && count >= least) loser = place;
    }
    if (loser === undefined) return false;
    this.#taken.delete(loser);
    loser.losing.abort(new DOMException("another client has fewer answers under way", "AbortError"));
    return true;
  }
}
