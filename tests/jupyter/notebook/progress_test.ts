import { assertEquals } from "@std/assert";
import { createProgress, type ProgressOptions } from "../../../src/jupyter/notebook/progress.ts";

/** Draws on a terminal that only remembers, by a clock that is set by hand. */
function recorder(options: ProgressOptions = {}) {
  const lines: string[] = [];
  const time = { now: 0 };
  const onProgress = createProgress({
    to: "terminal",
    clock: () => time.now,
    // deno-lint-ignore no-control-regex
    write: (text) => lines.push(text.replace(/\x1b\[K|\r/g, "")),
    ...options,
  });
  return { lines, time, onProgress };
}

const state = (done: number, finished = false) =>
  ({ task: "work", done, total: 10, unit: "records", finished }) as const;

Deno.test("states that follow each other quickly are left out, the last one never", () => {
  const { lines, time, onProgress } = recorder();
  for (let done = 0; done <= 10; done++) {
    time.now += 30;
    onProgress(state(done, done === 10));
  }

  assertEquals(lines.filter((line) => line !== "\n").map((line) => line.split(",", 1)[0]), [
    "work: 0 of 10 records",
    "work: 4 of 10 records",
    "work: 8 of 10 records",
    "work: 10 of 10 records",
  ]);
  assertEquals(lines.at(-1), "\n");
});

Deno.test("work that is over soon is not shown where that was asked for", () => {
  const { lines, time, onProgress } = recorder({ afterMs: 400 });
  onProgress(state(0));
  time.now = 300;
  onProgress(state(5));
  onProgress(state(10, true));
  assertEquals(lines, []);

  onProgress(state(0));
  time.now = 800;
  onProgress(state(6));
  onProgress(state(10, true));
  assertEquals(lines.filter((line) => line !== "\n"), ["work: 6 of 10 records, 60 %", "work: 10 of 10 records, 100 %"]);
});

Deno.test("an abort says how far the work came, and nothing is drawn after it", () => {
  const stop = new AbortController();
  const { lines, time, onProgress } = recorder({ signal: stop.signal });
  onProgress(state(3));
  stop.abort();
  time.now = 1000;
  onProgress(state(4));

  assertEquals(lines.filter((line) => line !== "\n").at(-1), "work: stopped at 3 of 10 records; run it again for all");
});

Deno.test("an abort of a download says that it will be resumed", () => {
  const stop = new AbortController();
  const { lines, onProgress } = recorder({ signal: stop.signal });
  onProgress({ task: "downloading", done: 4_000_000, total: 10_000_000, unit: "bytes" });
  stop.abort();

  const said = "downloading: stopped at 4.0 of 10.0 MB; finished work is kept, and a download will be resumed";
  assertEquals(lines.filter((line) => line !== "\n").at(-1), said);
});

Deno.test("work that its reader left says how far it came, once, and only where it was shown", () => {
  const { lines, time, onProgress } = recorder({ afterMs: 400 });
  onProgress(state(1));
  onProgress({ ...state(1), stopped: true });
  assertEquals(lines, []);

  onProgress(state(2));
  time.now = 500;
  onProgress(state(3));
  onProgress({ ...state(4), stopped: true });
  onProgress({ ...state(4), stopped: true });
  assertEquals(lines, ["work: 3 of 10 records, 30 %", "work: stopped at 4 of 10 records", "\n"]);
});

Deno.test("an abort between two pieces of work draws nothing", () => {
  const stop = new AbortController();
  const { lines, onProgress } = recorder({ signal: stop.signal });
  onProgress(state(10, true));
  const drawn = lines.length;
  stop.abort();

  assertEquals(lines.length, drawn);
});

Deno.test("rate and time left are those of what came since the work was begun", () => {
  const { lines, time, onProgress } = recorder();
  // A download that goes on with 6 of 10 MB.
  const at = (done: number) => onProgress({ task: "downloading", done, total: 10e6, unit: "bytes" });
  at(6e6);
  time.now = 2000;
  at(7e6);
  time.now = 4000;
  at(9e6);
  onProgress({ task: "downloading", done: 10e6, total: 10e6, unit: "bytes", finished: true });
  time.now = 4100;
  // The next file has a rate of its own.
  onProgress({ task: "verifying", done: 1e6, total: 4e6, unit: "bytes" });
  time.now = 5100;
  onProgress({ task: "verifying", done: 2e6, total: 4e6, unit: "bytes" });

  assertEquals(lines.filter((line) => line !== "\n"), [
    "downloading: 6.0 of 10.0 MB, 60 %",
    "downloading: 7.0 of 10.0 MB, 70 %, 0.5 MB/s, 6 s left",
    "downloading: 9.0 of 10.0 MB, 90 %, 0.8 MB/s, 2 s left",
    "downloading: 10.0 of 10.0 MB, 100 %, 1.0 MB/s",
    "verifying: 1.0 of 4.0 MB, 25 %",
    "verifying: 2.0 of 4.0 MB, 50 %, 1.0 MB/s, 2 s left",
  ]);
});
