/**
 * Shows how far work has come: one line on a terminal, one display in a notebook, nothing elsewhere.
 *
 * @module
 */
import { terminalText } from "../io/terminal_text.ts";
import type { OnProgress, ProgressEvent } from "../io/progress.ts";
import { notebookApi } from "./display.ts";
import { escapeHtml } from "./html.ts";

/** Least time between two states that are shown; the last state is always shown. */
const THROTTLE_MS = 100;

/** Where progress goes; chosen by {@linkcode createProgress} where absent. */
export interface ProgressOptions {
  /** `terminal` draws on standard error, `notebook` under the running cell, `none` nowhere. */
  readonly to?: "terminal" | "notebook" | "none";
  /** Milliseconds that only grow; `performance.now` by default. */
  readonly clock?: () => number;
  /** Takes what would be drawn on a terminal; standard error by default. */
  readonly write?: (text: string) => void;
}

/**
 * Begins to show progress.
 *
 * @param options Where to.
 * @returns Takes each state of the work. States of another task begin a new line.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { createProgress } from "./progress.ts";
 *
 * const written: string[] = [];
 * const onProgress = createProgress({ to: "terminal", clock: () => 0, write: (text) => written.push(text) });
 * onProgress({ task: "reading", done: 5, total: 10, unit: "records", finished: true });
 *
 * assertEquals(written, ["\rreading: 5 of 10 records, 50 %\x1b[K", "\n"]);
 * ```
 */
export function createProgress(options: ProgressOptions = {}): OnProgress {
  const api = notebookApi();
  const to = options.to ?? (api !== undefined ? "notebook" : Deno.stderr.isTerminal() ? "terminal" : "none");
  if (to === "none") return () => {};
  const clock = options.clock ?? (() => performance.now());
  const write = options.write ?? ((text: string) => void Deno.stderr.writeSync(new TextEncoder().encode(text)));
  let task: string | undefined;
  let startedAt = 0;
  let shownAt = -Infinity;
  let startDone = 0;
  let displayId = "";
  return (event) => {
    const now = clock();
    const isNew = event.task !== task;
    if (isNew) {
      if (task !== undefined && to === "terminal") write("\n");
      [task, startedAt, startDone, displayId] = [event.task, now, event.done, crypto.randomUUID()];
    }
    if (!isNew && !event.finished && now - shownAt < THROTTLE_MS) return;
    shownAt = now;
    const text = describeProgress(event, { seconds: (now - startedAt) / 1000, startDone });
    if (to === "terminal") {
      write(`\r${terminalText(text)}\x1b[K`);
      if (event.finished) write("\n");
    } else {
      const data = { "text/plain": text, "text/html": progressHtml(event, text) };
      const type = isNew ? "display_data" : "update_display_data";
      api?.broadcast(type, { data, metadata: {}, transient: { display_id: displayId } });
    }
    if (event.finished) task = undefined;
  };
}

/** What is known of the work so far. */
export interface ProgressTiming {
  /** Seconds since its first state. */
  readonly seconds: number;
  /** How much was done at its first state, such as the part of a file that was there. */
  readonly startDone: number;
}

/**
 * Says a state in words, with rate and time left once there is something to reckon with.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { describeProgress } from "./progress.ts";
 *
 * const event = { task: "downloading", done: 4_000_000, total: 10_000_000, unit: "bytes" } as const;
 *
 * assertEquals(describeProgress(event, { seconds: 2, startDone: 0 }),
 *   "downloading: 4.0 of 10.0 MB, 40 %, 2.0 MB/s, 3 s left");
 * ```
 */
export function describeProgress(event: ProgressEvent, { seconds, startDone }: ProgressTiming): string {
  const { task, done, total, unit, finished } = event;
  const rate = seconds > 0.5 ? (done - startDone) / seconds : 0;
  const parts = [
    total === undefined ? amount(done, unit) : amountOf(done, total, unit),
    total === undefined || total === 0 ? "" : `${Math.floor((100 * done) / total)} %`,
    rate > 0 ? `${amount(Math.round(rate), unit)}/s` : "",
    rate > 0 && total !== undefined && !finished ? `${Math.ceil((total - done) / rate)} s left` : "",
  ];
  return `${task}: ${parts.filter((part) => part !== "").join(", ")}`;
}

function amount(count: number, unit: ProgressEvent["unit"]): string {
  return unit === "bytes" ? `${(count / 1e6).toFixed(1)} MB` : `${count} ${unit}`;
}

function amountOf(done: number, total: number, unit: ProgressEvent["unit"]): string {
  if (unit === "bytes") return `${(done / 1e6).toFixed(1)} of ${(total / 1e6).toFixed(1)} MB`;
  return `${done} of ${total} ${unit}`;
}

function progressHtml(event: ProgressEvent, text: string): string {
  const { done, total } = event;
  const bar = total === undefined
    ? "<progress></progress>"
    : `<progress value="${Math.min(done, total)}" max="${Math.max(total, 1)}"></progress>`;
  return `<div role="status">${bar} ${escapeHtml(text)}</div>`;
}
