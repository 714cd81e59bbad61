/** Notes of a program that runs for long: what repeats is counted. */

/** Time between two notes of one kind. */
const EVERY_MS = 60_000;
/** Kinds that are counted each at once; all others are one kind. */
const MAX_KINDS = 50;
const OTHERS = "other faults";

/** Passes on the first note of a kind at once, and how many more there were once a minute. */
export class RepeatedNotes implements Disposable {
  readonly #note: (line: string) => void;
  readonly #more = new Map<string, number>();
  readonly #timer: ReturnType<typeof setInterval>;

  /** Takes where notes go, and how many milliseconds of one kind are one note. */
  constructor(note: (line: string) => void, everyMs: number = EVERY_MS) {
    this.#note = note;
    this.#timer = setInterval(() => this.#passOn(), everyMs);
    Deno.unrefTimer(this.#timer);
  }

  /** Notes what came so many times, or counts it if its kind was noted less than a minute ago. */
  say(line: string, times = 1): void {
    const kind = this.#more.has(line) || this.#more.size < MAX_KINDS ? line : OTHERS;
    const count = this.#more.get(kind);
    if (count === undefined) this.#note(kind);
    this.#more.set(kind, count === undefined ? times - 1 : count + times);
  }

  /** Passes on what is still counted. */
  [Symbol.dispose](): void {
    clearInterval(this.#timer);
    this.#passOn();
  }

  #passOn(): void {
    for (const [kind, count] of this.#more) {
      // A kind that did not come again is at once a note when it comes next.
      if (count === 0) this.#more.delete(kind);
      else {
        this.#note(`${kind} (${count} more)`);
        this.#more.set(kind, 0);
      }
    }
  }
}
