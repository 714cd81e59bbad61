/** Where recorded calls go: into a lock, or into the list of a replay. */
import { appendToJournal } from "./journal.ts";
import { mergeIntoLock, pendingCalls, replacedText } from "./lock_file.ts";
import type { LockedCall } from "./locked_call.ts";

/** Least time between two writes of a lock, in ms: it is read and written as a whole; calls are listed meanwhile. */
const WRITE_MS = 2000;

/** How long the first write waits for other calls, in ms. */
const GATHER_MS = 200;

export interface CallSink {
  /** @throws What kept earlier calls from being written. */
  check(): void;
  add(key: string, call: LockedCall): void;
  /** Waits until all is written. @throws What kept it from being written. */
  close(): Promise<void>;
}

export class LockSink implements CallSink {
  readonly #path: string;
  readonly #onWarning: ((warning: string) => void) | undefined;
  #fresh = new Map<string, LockedCall>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #writtenAt = -Infinity;
  #writing: Promise<void> | undefined;
  #fault: unknown;

  constructor(path: string, onWarning?: (warning: string) => void) {
    this.#path = path;
    this.#onWarning = onWarning;
  }

  check(): void {
    if (this.#fault !== undefined) throw this.#fault;
  }

  add(key: string, call: LockedCall): void {
    // The program may be killed before the lock is written.
    appendToJournal(pendingCalls(this.#path), { key, call });
    this.#fresh.set(key, call);
    this.#timer ??= setTimeout(
      () => this.#start(),
      Math.max(GATHER_MS, this.#writtenAt + WRITE_MS - performance.now()),
    );
  }

  async close(): Promise<void> {
    this.#start();
    await this.#writing;
    this.check();
  }

  #start(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#writing ??= this.#write().catch((cause) => void (this.#fault = cause)).finally(() => {
      this.#writing = undefined;
      this.#writtenAt = performance.now();
    });
  }

  /** Writes what was recorded, and what is recorded meanwhile. */
  async #write(): Promise<void> {
    while (this.#fresh.size > 0) {
      const calls = this.#fresh;
      this.#fresh = new Map();
      await mergeIntoLock(this.#path, calls, (replaced) => this.#onWarning?.(replacedText(this.#path, replaced)));
    }
  }
}

export class JournalSink implements CallSink {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  check(): void {}

  add(key: string, call: LockedCall): void {
    appendToJournal(this.#path, { key, call });
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}
