/**
 * Scans a large file of BGZF with one worker more: ranges of blocks are dealt out, and their records come in the order
 * of the file.
 *
 * One worker is enough: the main thread decompresses its part, and checks and prints the results. If a worker cannot be
 * started, or fails, the main thread does its part too; so it does after a consumer has paused for so long that the
 * worker ended.
 *
 * Not a `TaskThread` (`io/tasks/task_thread.ts`), which answers what it was given in the order in which it was given:
 * nothing waits for a worker that has not begun, the main thread does what it has not answered, and it ends by itself,
 * since a reader that is dropped half-way closes nothing.
 */
import { planRanges } from "./_range_plan.ts";
import { type RangeFile, type RangePart, RangeScan, type TextRange } from "./range_scan.ts";
import { yieldToEventLoop } from "../../io/tasks/yield_to_event_loop.ts";
import type { RangeAnswer, RangeTask } from "./_range_worker.ts";

/** Ranges that the worker may be ahead: enough to be busy while the main thread prints, few enough to bound memory. */
const AHEAD = 4;

export interface RangesOptions {
  readonly file: RangeFile;
  /** Line of the first record. */
  readonly line: number;
  readonly rangeBytes: number;
}

/** Scans all ranges, every second one in a worker, and yields their parts in order. */
export class Ranges {
  readonly #line: number;
  readonly #plan: Generator<TextRange>;
  /** Ranges that have been planned and not been given. */
  readonly #planned = new Map<number, TextRange>();
  readonly #scan: RangeScan;
  readonly #worker: Worker;
  readonly #port: MessagePort;
  readonly #answers = new Map<number, RangeAnswer>();
  /** Ranges that the worker has been given and has not answered. */
  readonly #waiting = new Set<number>();
  #isReady = false;
  #current = 0;
  #last = -1;
  #dealt = 0;
  #scannedBytes = 0;
  #wake = () => {};

  constructor(options: RangesOptions) {
    const { file, line, rangeBytes } = options;
    this.#line = line;
    this.#plan = planRanges(file, rangeBytes);
    this.#scan = RangeScan.open(file);
    const { port1, port2 } = new MessageChannel();
    this.#port = port1;
    this.#port.onmessage = ({ data }: MessageEvent<"ready" | "gone" | RangeAnswer>) => this.#take(data);
    this.#worker = new Worker(new URL("./_range_worker.ts", import.meta.url), { type: "module" });
    this.#worker.onerror = (event) => {
      event.preventDefault();
      this.#giveUp();
    };
    this.#worker.postMessage(file, [port2]);
  }

  /** Bytes of the file that have been scanned. */
  get scannedBytes(): number {
    return this.#scannedBytes;
  }

  /**
   * Yields the parts, and now and then none, so that the caller can stop. Each is valid until the next is asked for.
   */
  async *parts(): AsyncGenerator<RangePart | undefined> {
    let line = this.#line;
    for (this.#current = 0;; this.#current++) {
      const index = this.#current;
      const range = this.#rangeOf(index);
      if (range === undefined) break;
      this.#deal();
      while (this.#waiting.has(index)) await new Promise<void>((resolve) => this.#wake = resolve);
      const answer = this.#answers.get(index);
      this.#answers.delete(index);
      this.#planned.delete(index);
      if (answer?.parts === undefined) {
        const parts = this.#scan.scan(range, line);
        let next = parts.next();
        for (; !next.done; next = parts.next()) {
          // The event loop takes the worker's answers, and an abort.
          if (next.value === undefined) await yieldToEventLoop();
          yield next.value;
        }
        line = next.value;
      } else {
        for (const part of answer.parts) yield moveLines(part, line);
        line += answer.lines;
      }
      this.#scannedBytes = range.fileBytes;
      await yieldToEventLoop();
    }
  }

  /** Ends the worker and closes the file. */
  close(): void {
    this.#port.close();
    this.#worker.terminate();
    this.#scan.close();
    this.#plan.return(undefined);
  }

  #take(answer: "ready" | "gone" | RangeAnswer): void {
    if (answer === "ready") this.#isReady = true;
    else if (answer === "gone") return this.#giveUp();
    else {
      this.#waiting.delete(answer.index);
      this.#answers.set(answer.index, answer);
      this.#wake();
    }
    this.#deal();
  }

  /** The main thread keeps every second range for itself, and all that it comes to before the worker is ready. */
  #deal(): void {
    if (!this.#isReady) return;
    this.#dealt = Math.max(this.#dealt, this.#current + 1);
    for (; this.#dealt < this.#current + AHEAD; this.#dealt++) {
      if (this.#dealt % 2 === 0) continue;
      const range = this.#rangeOf(this.#dealt);
      // A range up to the end of the file may exceed a worker's memory.
      if (range === undefined || range.to === Infinity) continue;
      this.#waiting.add(this.#dealt);
      this.#port.postMessage({ index: this.#dealt, range } satisfies RangeTask);
    }
  }

  /** What the worker has not answered is for the main thread. */
  #giveUp(): void {
    this.#port.close();
    this.#isReady = false;
    this.#waiting.clear();
    this.#wake();
  }

  /** A range by its number; `undefined` behind the last. */
  #rangeOf(index: number): TextRange | undefined {
    while (index > this.#last) {
      const { done, value } = this.#plan.next();
      if (done) return undefined;
      this.#last += 1;
      this.#planned.set(this.#last, value);
    }
    return this.#planned.get(index);
  }
}

/** Lines of a worker are counted from 0. */
function moveLines({ rows, remarks }: RangePart, line: number): RangePart {
  for (let row = 0; row < rows.rows; row++) {
    rows.line[row] += line;
    rows.invalidLine[row] += line;
  }
  return { rows, remarks: remarks.map((remark) => ({ ...remark, line: remark.line + line })) };
}
