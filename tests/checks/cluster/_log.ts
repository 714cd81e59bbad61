/** Waits for lines of a log, as the file system reports that it grew. */
import { basename, dirname } from "node:path";

/** How long, and what ends the waiting. */
export interface WaitOptions {
  readonly timeoutMs: number;
  /** Settles when the process that writes the log has ended. */
  readonly ended: Promise<unknown>;
  /** Number of such lines to wait for; 1 by default. */
  readonly lines?: number;
}

const TAIL_LINES = 25;

/**
 * Waits until a log has such a line.
 *
 * @returns The first match. @throws {Error} With the log's end, if the process ends or the time does.
 */
export async function waitForLine(path: string, pattern: RegExp, options: WaitOptions): Promise<RegExpExecArray> {
  const { timeoutMs, ended, lines = 1 } = options;
  using watcher = Deno.watchFs(dirname(path), { recursive: false });
  let reason = "";
  const stop = (why: string) => {
    if (reason !== "") return;
    reason = why;
    watcher.close();
  };
  const timer = setTimeout(() => stop(`did not come within ${timeoutMs / 1000} s`), timeoutMs);
  ended.then(() => stop("did not come before the process ended"));
  try {
    const events = watcher[Symbol.asyncIterator]();
    for (;;) {
      const matches = [...(await readLog(path)).matchAll(new RegExp(pattern, "gm"))];
      if (matches.length >= lines) return matches[0];
      let changed = false;
      while (!changed && reason === "") {
        const { done, value } = await events.next();
        changed = done === true || value.paths.some((changedPath: string) => basename(changedPath) === basename(path));
      }
      if (reason !== "") throw new Error(`${pattern} ${reason}; ${path} ends with:\n${await tailOf(path)}`);
    }
  } finally {
    clearTimeout(timer);
    stop("found");
  }
}

/** Text of a log; empty before it is written. */
export async function readLog(path: string): Promise<string> {
  return await Deno.readTextFile(path).catch(() => "");
}

/** A log's last lines, without stack traces. */
export async function tailOf(path: string): Promise<string> {
  const lines = (await readLog(path)).trimEnd().split("\n");
  return lines.filter((line) => !/^\s+at /.test(line)).slice(-TAIL_LINES).join("\n");
}
