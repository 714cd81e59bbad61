/** Draws progress on one line of a terminal. */
import { terminalText } from "@seqreg/core/io/bytes/terminal_text";
import type { OnProgress, ProgressEvent } from "@seqreg/core/io/tasks";
import type { CommandContext } from "./command.ts";
import { JsonProgress } from "../progress/json_progress.ts";
import { formatBytes } from "./ledger.ts";
import { cutToWidth, widthOf } from "./text_table.ts";

const REDRAW_MS = 100;

/** A line of progress, erased at the end of its scope. */
export interface ProgressLine extends Disposable {
  /** Receives the progress of the work; draws nothing without a terminal. */
  readonly onProgress: OnProgress;
  /** Erases the line, so that something else can be printed. */
  clear(): void;
}

/** Where a line is drawn, and by which clock. */
export interface ProgressSurroundings {
  /** A monotonic clock in milliseconds; `performance.now` by default. */
  readonly clock?: () => number;
  /** Columns of the terminal; evaluated for each line, since a window can be resized. */
  readonly columns?: () => number;
}

/** Starts progress on standard error: a drawn line, or lines of JSON. */
export function startProgress(
  { drawProgress: draw, writeProgress }: Pick<CommandContext, "drawProgress" | "writeProgress">,
  { clock = () => performance.now(), columns = terminalColumns }: ProgressSurroundings = {},
): ProgressLine {
  if (writeProgress !== undefined) {
    const lines = new JsonProgress(writeProgress, clock);
    return { onProgress: (event) => lines.add(event), clear: () => {}, [Symbol.dispose]: () => lines.flush() };
  }
  if (draw === undefined) return { onProgress: () => {}, clear: () => {}, [Symbol.dispose]: () => {} };
  let first: ProgressEvent | undefined;
  let startedMs = 0;
  let drawnMs = -Infinity;
  const clear = () => draw("");
  return {
    onProgress(event) {
      const now = clock();
      if (first?.task !== event.task) [first, startedMs, drawnMs] = [event, now, -Infinity];
      if (event.finished || event.stopped) return clear();
      if (now - drawnMs < REDRAW_MS) return;
      drawnMs = now;
      draw(
        fitLine(describeProgress(event, event.done - first.done, now - startedMs), terminalText(event.task), columns()),
      );
    },
    clear,
    [Symbol.dispose]: clear,
  };
}

/** Minimum width at which the name of a task is still readable. */
const LEAST_TASK = 8;

/**
 * Cuts a line to one row, since only the last row is erased: first the task's name, so that the numbers stay. The last
 * column stays free, because some terminals wrap there.
 */
function fitLine(line: string, task: string, columns: number): string {
  const width = columns - 1;
  const numbers = line.slice(task.length);
  const left = width - widthOf(numbers);
  return left < LEAST_TASK ? cutToWidth(line, width) : cutToWidth(task, left) + numbers;
}

/** Columns of the terminal on standard error; 80 if unknown. */
function terminalColumns(): number {
  try {
    return Deno.consoleSize().columns || 80;
  } catch {
    return 80;
  }
}

/** The same while a result is written: draws nothing if the result itself goes to the terminal. */
export function startResultProgress(context: CommandContext): ProgressLine {
  const path = context.flags.text("output");
  const toTerminal = (path === undefined || path === "-") && Deno.stdout.isTerminal();
  return startProgress(toTerminal ? { writeProgress: context.writeProgress } : context);
}

/**
 * Formats progress for people: amount, speed, remaining time.
 *
 * @param gained The amount done in `elapsedMs`.
 */
export function describeProgress(
  { task, done, total, unit }: ProgressEvent,
  gained: number,
  elapsedMs: number,
): string {
  const amount = (count: number) => unit === "bytes" ? formatBytes(count) : String(count);
  const ofTotal = total === undefined
    ? `${amount(done)}${unit === "bytes" ? "" : ` ${unit}`}`
    : `${amount(done)} of ${amount(total)}${unit === "bytes" ? "" : ` ${unit}`}`;
  const parts = [`${terminalText(task)}: ${ofTotal}`];
  const perSecond = elapsedMs >= 1000 ? gained / (elapsedMs / 1000) : 0;
  if (perSecond > 0 && unit === "bytes") parts.push(`${formatBytes(Math.round(perSecond))}/s`);
  if (perSecond > 0 && total !== undefined && total > done) {
    parts.push(`${formatDuration((total - done) / perSecond)} left`);
  }
  return parts.join(", ");
}

function formatDuration(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  if (seconds < 5400) return `${Math.ceil(seconds / 60)} min`;
  return `${(seconds / 3600).toFixed(1)} h`;
}
