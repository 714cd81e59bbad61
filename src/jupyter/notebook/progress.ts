/** Shows how far work has come: one line on a terminal, one display in a notebook, nothing elsewhere. */
import { terminalText } from "@seqreg/core/io/bytes/terminal_text";
import type { OnProgress, ProgressEvent } from "@seqreg/core/io/tasks";
import { DATA_CLASS, escapeHtml, notebookApi, visible } from "@seqreg/core/io/display";
import type { OptionRules } from "@seqreg/core/options/option_rule";
import * as rule from "@seqreg/core/options/rules";
import { checkOptions } from "@seqreg/core/options/check_options";

/** Least time between two states that are shown; the last state is always shown. */
const THROTTLE_MS = 100;

/** Time without a new state after which rate and time left are no longer true, and a notebook shows neither. */
const IDLE_MS = 10_000;

/** Where progress goes; chosen by {@linkcode createProgress} where absent. */
export interface ProgressOptions {
  /** `terminal` draws on standard error, `notebook` under the running cell, `none` nowhere. */
  readonly to?: "terminal" | "notebook" | "none";
  /** Milliseconds that only grow; `performance.now` by default. */
  readonly clock?: () => number;
  /** Takes what would be drawn on a terminal; standard error by default. */
  readonly write?: (text: string) => void;
  /** Milliseconds that work must take to be shown at all; 0 by default. */
  readonly afterMs?: number;
  /** Where it aborts while work is under way, the last state says how far it came. */
  readonly signal?: AbortSignal;
}

const PROGRESS_OPTIONS = {
  to: rule.oneOf(["terminal", "notebook", "none"]),
  clock: rule.callback(),
  write: rule.callback(),
  afterMs: rule.number({ from: 0, to: Infinity }),
  signal: rule.signal,
} satisfies OptionRules<ProgressOptions>;

/**
 * Begins to show progress.
 *
 * @param options Where to.
 * @returns Takes each state of the work. On a terminal states of another task begin a new line; in a notebook they take
 * over the display of the task before, until one says that the work is finished.
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
  checkOptions("createProgress()", options, PROGRESS_OPTIONS);
  const api = notebookApi();
  const to = options.to ?? (api !== undefined ? "notebook" : Deno.stderr.isTerminal() ? "terminal" : "none");
  if (to === "none") return () => {};
  const clock = options.clock ?? (() => performance.now());
  const write = options.write ?? ((text: string) => void Deno.stderr.writeSync(new TextEncoder().encode(text)));
  const { afterMs = 0, signal } = options;
  let last: ProgressEvent | undefined;
  // Of the task at hand, for its rate.
  let startedAt = 0;
  let startDone = 0;
  // Of the line or display, which in a notebook one task takes over from the one before.
  let begunAt = 0;
  let shownAt = -Infinity;
  let displayId = "";
  let isShown = false;
  let idle: ReturnType<typeof setTimeout> | undefined;
  const draw = (event: ProgressEvent, text: string, isOver: boolean): void => {
    if (to === "terminal") {
      write(`\r${terminalText(text)}\x1b[K`);
      if (isOver) write("\n");
    } else {
      const data = { "text/plain": visible(text), "text/html": progressHtml(event, text, isOver) };
      const type = isShown ? "update_display_data" : "display_data";
      // What cannot be delivered is the front end's loss, not the work's.
      api?.broadcast(type, { data, metadata: {}, transient: { display_id: displayId } })?.catch(() => {});
    }
    isShown = true;
  };
  // A reader that takes pages by hand and leaves them ends nothing, nor does work that failed.
  const awaitNext = (event: ProgressEvent): void => {
    clearTimeout(idle);
    if (to !== "notebook" || event.finished || !isShown) return;
    idle = setTimeout(
      () => draw(event, `${describeReached(event)}; nothing new for ${IDLE_MS / 1000} s`, true),
      IDLE_MS,
    );
    Deno.unrefTimer(idle);
  };
  const begin = (event: ProgressEvent, now: number): void => {
    [startedAt, startDone] = [now, event.done];
    if (last !== undefined && to === "notebook") return;
    if (last !== undefined && isShown) write("\n");
    [begunAt, displayId, isShown, shownAt] = [now, crypto.randomUUID(), false, -Infinity];
    signal?.addEventListener("abort", tellStopped, { once: true });
  };
  const end = (): void => {
    last = undefined;
    clearTimeout(idle);
    signal?.removeEventListener("abort", tellStopped);
  };
  const tellStopped = (): void => {
    if (last !== undefined && isShown) draw(last, describeStop(last), true);
    end();
  };
  return (event) => {
    if (signal?.aborted) return;
    if (event.stopped) {
      last &&= event;
      return tellStopped();
    }
    const now = clock();
    if (event.task !== last?.task) begin(event, now);
    last = event;
    const isDue = isShown
      ? event.finished || now - shownAt >= THROTTLE_MS
      : now - begunAt >= afterMs && !(event.finished && afterMs > 0);
    if (isDue) {
      shownAt = now;
      draw(event, describeProgress(event, { seconds: (now - startedAt) / 1000, startDone }), event.finished === true);
    }
    awaitNext(event);
    if (event.finished) end();
  };
}

/** Describes how far work had come when it was stopped, and what remains. */
function describeStop(event: ProgressEvent): string {
  const stopped = describeReached(event, "stopped at ");
  // Who leaves pages unread did not want all of them.
  if (event.stopped) return stopped;
  const next = event.unit === "bytes"
    ? "finished work is kept, and a download will be resumed"
    : "run it again for all";
  return `${stopped}; ${next}`;
}

function describeReached({ task, done, total, unit }: ProgressEvent, how = ""): string {
  return `${task}: ${how}${total === undefined ? amount(done, unit) : amountOf(done, total, unit)}`;
}

/** What is known of the work so far. */
export interface ProgressTiming {
  /** Seconds since its first state. */
  readonly seconds: number;
  /** How much was done at its first state, such as the part of a file that was there. */
  readonly startDone: number;
}

/** Describes a state in words, with rate and time left once there is something to reckon with. */
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

function progressHtml(event: ProgressEvent, text: string, isOver: boolean): string {
  const { done, finished, total = finished ? done : undefined } = event;
  // A bar without a value is drawn as one that moves.
  const bar = total === undefined
    ? isOver ? "" : `<progress aria-label="${escapeHtml(event.task)}"></progress>`
    : `<progress aria-label="${escapeHtml(event.task)}" value="${Math.min(done, total)}" max="${
      Math.max(total, 1)
    }"></progress>`;
  return `<div class="${DATA_CLASS}" role="status">${bar} ${escapeHtml(text)}</div>`;
}
