import { assertEquals } from "@std/assert";
import { describeProgress, startProgress } from "../../../src/cli/support/progress.ts";
import type { ProgressEvent } from "../../../src/io/work/progress.ts";

Deno.test("describeProgress() says how much of how much, how fast and how long yet", async (t) => {
  const bytes = { task: "downloading x", unit: "bytes" } as const;
  const cases: Readonly<Record<string, [event: ProgressEvent, gained: number, elapsedMs: number, line: string]>> = {
    "at the start": [{ ...bytes, done: 0, total: 1e6 }, 0, 0, "downloading x: 0 B of 1.0 MB"],
    "too early for a rate": [{ ...bytes, done: 5e5, total: 1e6 }, 5e5, 900, "downloading x: 500.0 kB of 1.0 MB"],
    "on the way": [
      { ...bytes, done: 5e5, total: 1e6 },
      1e5,
      1000,
      "downloading x: 500.0 kB of 1.0 MB, 100.0 kB/s, 5 s left",
    ],
    "resumed": [
      { ...bytes, done: 9e8, total: 1e9 },
      1e6,
      1000,
      "downloading x: 900.0 MB of 1.0 GB, 1.0 MB/s, 2 min left",
    ],
    "long": [
      { ...bytes, done: 1e6, total: 1e11 },
      1e6,
      1000,
      "downloading x: 1.0 MB of 100.0 GB, 1.0 MB/s, 27.8 h left",
    ],
    "of unknown size": [{ ...bytes, done: 5e5 }, 5e5, 1000, "downloading x: 500.0 kB, 500.0 kB/s"],
    "files": [{ task: "mirroring", unit: "files", done: 2, total: 8 }, 2, 1000, "mirroring: 2 of 8 files, 3 s left"],
    "hostile": [{ task: "a\x1b[2J", unit: "files", done: 2 }, 0, 0, "a\\u{1b}[2J: 2 files"],
  };
  for (const [what, [event, gained, elapsedMs, line]] of Object.entries(cases)) {
    await t.step(what, () => assertEquals(describeProgress(event, gained, elapsedMs), line));
  }
});

Deno.test("a line is drawn ten times a second, with the rate of its own task, and wiped away", () => {
  const drawn: string[] = [];
  const time = { now: 0 };
  const write = (text: string) => void drawn.push(text.replace("\r\x1b[K", ""));
  {
    using line = startProgress({ drawsProgress: true }, { clock: () => time.now, write, columns: () => 80 });
    const at = (ms: number, task: string, done: number) => {
      time.now = ms;
      line.onProgress({ task, done, total: 10e6, unit: "bytes" });
    };
    // A download that goes on with a part.
    at(0, "downloading", 6e6);
    at(50, "downloading", 6.1e6);
    at(2000, "downloading", 8e6);
    line.onProgress({ task: "downloading", done: 10e6, total: 10e6, unit: "bytes", finished: true });
    at(2010, "verifying", 1e6);
    line.clear();
    line.clear();
    at(4010, "verifying", 5e6);
  }
  assertEquals(drawn, [
    "downloading: 6.0 MB of 10.0 MB",
    "downloading: 8.0 MB of 10.0 MB, 1.0 MB/s, 2 s left",
    "",
    "verifying: 1.0 MB of 10.0 MB",
    "",
    "verifying: 5.0 MB of 10.0 MB, 2.0 MB/s, 3 s left",
    "",
  ]);
  using silent = startProgress({ drawsProgress: false }, { write });
  silent.onProgress({ task: "downloading", done: 1, unit: "bytes" });
  assertEquals(drawn.length, 7);
});

Deno.test("a line takes one row of the terminal: its name is cut before its numbers", async (t) => {
  const cases: Readonly<Record<string, [columns: number, task: string, line: string]>> = {
    "wide enough": [40, "verifying", "verifying: 1.0 MB of 10.0 MB"],
    "a long name": [40, "downloading registryv1_all.csv.gz", "downloading registr…: 1.0 MB of 10.0 MB"],
    "wide letters": [32, "配列配列配列配列配列", "配列配列配…: 1.0 MB of 10.0 MB"],
    "too narrow for the numbers": [16, "verifying", "verifying: 1.0…"],
    "no room at all": [1, "verifying", ""],
  };
  for (const [what, [columns, task, line]] of Object.entries(cases)) {
    await t.step(what, () => {
      const drawn: string[] = [];
      const write = (text: string) => void drawn.push(text);
      using progress = startProgress({ drawsProgress: true }, { write, columns: () => columns });
      progress.onProgress({ task, done: 1e6, total: 10e6, unit: "bytes" });
      assertEquals(drawn, [`\r\x1b[K${line}`]);
    });
  }
});
