import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { COMMANDS } from "../../../src/cli/_commands.ts";
import { describeProgress, startProgress } from "../../../src/cli/support/progress.ts";
import type { ProgressEvent } from "../../../src/core/io/tasks/progress.ts";
import { walk } from "../../_files.ts";
import { runInProcess } from "../../_program.ts";
import { answer, rawThenReset, serveFaults } from "../../faults/_server.ts";

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
  const drawProgress = (text: string) => void drawn.push(text);
  {
    using line = startProgress({ drawProgress }, { clock: () => time.now, columns: () => 80 });
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
    "",
    "verifying: 5.0 MB of 10.0 MB, 2.0 MB/s, 3 s left",
    "",
  ]);
  using silent = startProgress({});
  silent.onProgress({ task: "downloading", done: 1, unit: "bytes" });
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
      const drawProgress = (text: string) => void drawn.push(text);
      using progress = startProgress({ drawProgress }, { columns: () => columns });
      progress.onProgress({ task, done: 1e6, total: 10e6, unit: "bytes" });
      assertEquals(drawn, [line]);
    });
  }
});

Deno.test("progress for programs is one JSON object a line, the first and the last state of each task among them", () => {
  const lines: string[] = [];
  const time = { now: 0 };
  {
    using progress = startProgress(
      { writeProgress: (line) => void lines.push(line) },
      { clock: () => time.now },
    );
    const at = (ms: number, event: ProgressEvent) => {
      time.now = ms;
      progress.onProgress(event);
    };
    at(0, { task: "fetching", done: 0, total: 9, unit: "bytes" });
    at(1, { task: "fetching", done: 1, total: 9, unit: "bytes" });
    at(2, { task: "fetching", done: 2, total: 9, unit: "bytes" });
    at(120, { task: "fetching", done: 5, total: 9, unit: "bytes" });
    at(130, { task: "fetching", done: 8, total: 9, unit: "bytes" });
    at(131, { task: "fetching", done: 9, total: 9, unit: "bytes", finished: true });
    at(132, { task: "a\n\x9b\u202e", done: 1, unit: "files" });
    at(133, { task: "a\n\x9b\u202e", done: 2, unit: "files" });
    at(133, { task: "left", done: 1, unit: "files" });
    at(133, { task: "left", done: 1, unit: "files", stopped: true });
    at(134, { task: "last", done: 1, unit: "records" });
    at(135, { task: "last", done: 2, unit: "records" });
  }
  assertEquals(lines.map((line) => JSON.parse(line)), [
    { task: "fetching", done: 0, total: 9, unit: "bytes", finished: false },
    { task: "fetching", done: 5, total: 9, unit: "bytes", finished: false },
    { task: "fetching", done: 9, total: 9, unit: "bytes", finished: true },
    { task: "a\n\x9b\u202e", done: 1, total: null, unit: "files", finished: false },
    { task: "a\n\x9b\u202e", done: 2, total: null, unit: "files", finished: false },
    { task: "left", done: 1, total: null, unit: "files", finished: false },
    { task: "left", done: 1, total: null, unit: "files", finished: false, stopped: true },
    { task: "last", done: 1, total: null, unit: "records", finished: false },
    { task: "last", done: 2, total: null, unit: "records", finished: false },
  ]);
  assertEquals(lines.some((line) => /[^\x20-\x7e]/.test(line)), false);
});

Deno.test("--progress json writes to standard error alone, also with --quiet; other words are wrong usage", async () => {
  const table = "Registry Accession\nvj000000000001\n";
  await using server = await serveFaults(answer(200, { "content-type": "text/csv" }, table));
  const args = ["download", "x", "--information", "metadata", "--type", "csv", "--registry", server.url];
  const json = await runInProcess([...args, "--quiet", "--progress", "json"]);
  assertEquals([json.code, json.stdout], [0, table], json.stderr);
  const states = json.stderr.trim().split("\n").map((line) => JSON.parse(line));
  assertEquals(states.at(-2), { task: "downloading", done: table.length, total: null, unit: "bytes", finished: true });
  assertEquals(states.at(-1), { ledger: 2, operation: "download", complete: true, received: 1, entries: [] });
  assert(states.length >= 2);
  const none = await runInProcess([...args, "--progress", "none"]);
  assertEquals([none.code, none.stdout], [0, table]);
  assertEquals(none.stderr.includes("downloading"), false);
  const wrong = await runInProcess([...args, "--progress", "jsno"]);
  assertEquals([wrong.code, wrong.stdout], [2, ""]);
  assertStringIncludes(wrong.stderr, "auto, json, none");
  assertEquals(server.requests.length, 2);
});

Deno.test("a message takes the row of the progress on a terminal", async () => {
  const table = "Registry Accession\nvj000000000001\n";
  const type = { "content-type": "text/csv" };
  const head = `HTTP/1.1 200 OK\r\ncontent-type: text/csv\r\ncontent-length: ${table.length}\r\n\r\n`;
  await using server = await serveFaults([rawThenReset(head, table.slice(0, 20)), answer(200, type, table)]);
  const args = ["download", "x", "--information", "metadata", "--type", "csv", "--registry", server.url];
  const { code, stdout, stderr } = await runInProcess(args, { isTerminal: true });
  assertEquals([code, stdout], [0, table], stderr);
  assertStringIncludes(stderr, "\r\x1b[Kdownloading: ");
  // What is seen once each row was erased as often as it was asked for.
  const rows = stderr.trimEnd().split("\n").map((row) => row.split("\r\x1b[K").at(-1) ?? "");
  assertEquals(rows.filter((row) => !row.startsWith("seqreg: ")), [], stderr);
  assertEquals(rows.filter((row) => row.includes("attempt 1 failed")).length, 1);
});

Deno.test("every command with progress takes --progress", async () => {
  const files = await walk(new URL("../../../src/cli/commands/", import.meta.url), ".ts");
  const without: string[] = [];
  for (const [name, entry] of COMMANDS) {
    const { options } = await entry.load();
    const file = `/${name.replaceAll(/[ -]/g, "_")}.ts`;
    const source = await Deno.readTextFile(files.find(({ pathname }) => pathname.endsWith(file))!);
    const shows = /\b(startProgress|startResultProgress|openRegistry)\(/.test(source);
    if (shows && !Object.hasOwn(options, "progress")) without.push(name);
  }
  assertEquals(without, []);
});
