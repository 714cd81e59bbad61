/** Writes progress for programs: one JSON object per line. */
import type { ProgressEvent } from "@seqreg/core/io/tasks";
import { type Ledger, LEDGER_VERSION, type Provenance } from "@seqreg/core/contract/ledger";

/** Milliseconds between two lines of one task; its first and last states are always written. */
const REWRITE_MS = 100;

/** Writes progress, at most ten lines per second. */
export class JsonProgress {
  readonly #write: (line: string) => void;
  readonly #clock: () => number;
  #task: string | undefined;
  #writtenMs = -Infinity;
  #waiting: ProgressEvent | undefined;

  /** Takes a function that writes a line, and a clock in milliseconds. */
  constructor(write: (line: string) => void, clock: () => number) {
    this.#write = write;
    this.#clock = clock;
  }

  add(event: ProgressEvent): void {
    const now = this.#clock();
    const isSameTask = event.task === this.#task;
    if (!isSameTask) this.flush();
    this.#task = event.task;
    if (isSameTask && !event.finished && !event.stopped && now - this.#writtenMs < REWRITE_MS) {
      this.#waiting = event;
      return;
    }
    this.#waiting = undefined;
    this.#writtenMs = now;
    this.#write(progressLine(event));
  }

  /** Writes the last state unless it was written. */
  flush(): void {
    if (this.#waiting !== undefined) this.#write(progressLine(this.#waiting));
    this.#waiting = undefined;
  }
}

/** One state as a line of JSON; `total` is null if it is unknown, `stopped` is there where the work ended early. */
export function progressLine({ task, done, total, unit, finished = false, stopped }: ProgressEvent): string {
  return jsonLine({ task, done, total: total ?? null, unit, finished, ...stopped && { stopped } });
}

/** A finished ledger as a line of JSON: its version, whether it is complete, and its entries. */
export function ledgerLine({ complete, received, entries }: Ledger, { operation }: Provenance): string {
  return jsonLine({ ledger: LEDGER_VERSION, operation, complete, received, entries });
}

/** JSON without terminal control characters. */
function jsonLine(value: object): string {
  return JSON.stringify(value).replace(
    /[\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
