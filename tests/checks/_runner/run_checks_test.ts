import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { inFolder } from "../../_files.ts";
import { NEEDS_LINUX, testNeeding } from "../../_needs.ts";
import type { Check } from "./check.ts";
import { countLine, resultLines } from "./report.ts";
import { runChecks, type RunChecksOptions } from "./run_checks.ts";

/** A check that runs some code. */
function check(name: string, code: string, row: Partial<Check> = {}): Check {
  return { name, shows: "", files: [], calls: [], minutes: 1, commands: [["eval", code]], ...row };
}

/** Those of some processes that still run. */
async function alive(pids: readonly number[]): Promise<string[]> {
  const args = ["-c", 'for pid do cat "/proc/$pid/stat"; done', "sh", ...pids.map(String)];
  const { stdout } = await new Deno.Command("sh", { args, stderr: "null" }).output();
  return new TextDecoder().decode(stdout).split("\n").filter((line) => / [A-Y] /.test(line));
}

/** Process ids that a log has. */
async function pidsIn(log: string): Promise<number[]> {
  return ((await Deno.readTextFile(log)).match(/^[\d ]+$/gm) ?? []).join(" ").split(/\s+/).filter(Boolean).map(Number);
}

async function run(checks: readonly Check[], folder: string, options: Partial<RunChecksOptions> = {}) {
  const said: string[] = [];
  const results = await runChecks(checks, {
    root: folder,
    out: folder,
    say: (line) => void said.push(line),
    lackOf: () => undefined,
    envOf: () => ({ NO_COLOR: "1" }),
    cores: 2,
    ...options,
  });
  const verdicts = Object.fromEntries(results.map(({ check, verdict }) => [check.name, verdict]));
  return { results, verdicts, said };
}

testNeeding(NEEDS_LINUX, "a check that fails is shown with its log, seed and command, and runs again", async () => {
  await inFolder(async (folder) => {
    const code = `for (let n = 1; n <= 50; n++) console.log("line " + n);
      console.log(Deno.env.get("SEQREG_SEED") + Deno.args[0]);
      Deno.exit(3)`;
    const bad = check("bad", "", { seed: true, commands: [["eval", code, "SEED"], ["eval", "not reached"]] });
    const { said, results, verdicts } = await run([check("good", `console.log("fine")`), bad], folder, { seed: 77 });

    assertEquals(verdicts, { good: "passed", bad: "failed" });
    assertEquals(countLine(results), "1 passed, 1 failed, 0 unsteady");
    assert(said.some((line) => /^passed good \d+ s$/.test(line)), said.join("\n"));
    const shown = said.filter((line) => line.startsWith("  | "));
    assertEquals([shown.length, shown[0], shown.at(-1)], [40, "  | line 12", "  | 7777"]);
    for (const line of ["  seed: 77", "  again: deno task checks bad --seed 77"]) assert(said.includes(line), line);
    assertEquals(said.filter((line) => line.startsWith("failed bad ")).length, 2);
    assertStringIncludes(resultLines(results).at(-1)!, "exit code 3");
  });
});

testNeeding(NEEDS_LINUX, "one that passes the second time is unsteady, and both logs are kept", async () => {
  await inFolder(async (folder) => {
    const flag = JSON.stringify(`${folder}/flag`);
    const code = `try { Deno.statSync(${flag}); console.log("second"); }
      catch { Deno.writeTextFileSync(${flag}, ""); console.log("first"); Deno.exit(1); }`;
    const { results, verdicts } = await run([check("moody", code)], folder);

    assertEquals(verdicts, { moody: "unsteady" });
    assertEquals(countLine(results), "0 passed, 0 failed, 1 unsteady");
    const logs = await Promise.all(results[0].logs.map((log) => Deno.readTextFile(log)));
    assertEquals(logs.map((text) => text.trim()), ["first", "second"]);
  });
});

testNeeding(NEEDS_LINUX, "a check that is late ends with its children, those of other sessions too", async () => {
  await inFolder(async (folder) => {
    const code = `const script = "trap '' INT TERM; sleep 1000 & echo $!; wait";
      const child = new Deno.Command("sh", { args: ["-c", script] }).spawn();
      const other = new Deno.Command("sleep", { args: ["1000"], detached: true }).spawn();
      Deno.addSignalListener("SIGINT", () => {});
      console.log(child.pid, other.pid, Deno.pid);
      await new Promise((resolve) => setTimeout(resolve, 1e9));`;
    // On a busy machine it may be late before it has started anything.
    for (let limitMs = 1000, started = 0; started < 4; limitMs *= 2) {
      const { results, verdicts } = await run([check("late", code)], folder, { limitMs, lastWordsMs: 100 });

      assertEquals(verdicts, { late: "failed" });
      assertEquals(results[0].reason, `not ended after ${limitMs / 1000} s, counted longer on a busy machine`);
      const pids = await pidsIn(results[0].logs[0]);
      assertEquals(await alive(pids), []);
      started = pids.length;
    }
  });
});

testNeeding(
  NEEDS_LINUX,
  "what a check leaves running is ended, and its last command runs also after a failure",
  async () => {
    await inFolder(async (folder) => {
      const code = `const left = new Deno.Command("sleep", { args: ["1000"], detached: true }).spawn();
      left.unref(); console.log(left.pid); Deno.exit(1)`;
      const after = ["eval", `Deno.writeTextFileSync(${JSON.stringify(`${folder}/after`)}, "")`];
      const { results } = await run([check("leaves", code, { after })], folder);

      const pids = (await Deno.readTextFile(results[0].logs[0])).match(/\d+/g)!.map(Number);
      assertEquals(await alive(pids), []);
      await Deno.stat(`${folder}/after`);
    });
  },
);

testNeeding(
  NEEDS_LINUX,
  "light checks run beside each other, heavy ones alone, each with a seed of its own",
  async () => {
    await inFolder(async (folder) => {
      const code = `const log = (word) => Deno.writeTextFileSync(${
        JSON.stringify(`${folder}/order`)
      }, word + "\\n", { append: true });
      log("begin NAME"); await new Promise((resolve) => setTimeout(resolve, 1000)); log("end NAME");`;
      const row = (name: string, more: Partial<Check> = {}) =>
        check(name, code.replaceAll("NAME", name), { seed: true, ...more });
      const checks = [row("light1"), row("heavy1", { alone: true }), row("light2"), row("heavy2", { alone: true })];
      const { results, verdicts } = await run(checks, folder);

      assertEquals(new Set(Object.values(verdicts)), new Set(["passed"]));
      const order = (await Deno.readTextFile(`${folder}/order`)).trim().split("\n").map((line) =>
        line.replace(/\d/, "")
      );
      const heavy = ["begin heavy", "end heavy"];
      assertEquals(order, [...heavy, ...heavy, "begin light", "begin light", "end light", "end light"]);
      assertEquals(new Set(results.map(({ seed }) => seed)).size, checks.length);
    });
  },
);

testNeeding(NEEDS_LINUX, "checks that share something run in turn, beside others", async () => {
  await inFolder(async (folder) => {
    const order = JSON.stringify(`${folder}/order`);
    const code = `const log = (word) => Deno.writeTextFileSync(${order}, word + "\\n", { append: true });
      log("begin NAME"); await new Promise((resolve) => setTimeout(resolve, MS)); log("end NAME");`;
    const row = (name: string, ms: number, more: Partial<Check> = {}) =>
      check(name, code.replaceAll("NAME", name).replace("MS", `${ms}`), more);
    const shared = ["one", "two", "three"].map((name) => row(name, 500, { minutes: 2, inTurn: "a browser" }));
    const { verdicts } = await run([...shared, row("other", 2000)], folder);

    assertEquals(new Set(Object.values(verdicts)), new Set(["passed"]));
    const lines = (await Deno.readTextFile(`${folder}/order`)).trim().split("\n");
    const ofShared = lines.filter((line) => !line.endsWith("other"));
    assertEquals(ofShared, ["one", "two", "three"].flatMap((name) => [`begin ${name}`, `end ${name}`]));
    assert(lines.indexOf("begin other") < lines.indexOf("begin two"), lines.join(", "));
  });
});

testNeeding(NEEDS_LINUX, "tests that are left out, and needs that cannot be had, are failures", async () => {
  await inFolder(async (folder) => {
    const left = (absent: string) => `console.log("not run: a test (absent: ${absent})")`;
    const checks = [
      check("absent", left("seqkit, mafft")),
      check("data", left("../shared/real")),
      check("lacks", "", { programs: ["seqkit"] }),
    ];
    const { said, verdicts, results } = await run(checks, folder, {
      lackOf: ({ programs = [] }) => programs.includes("seqkit") ? "seqkit cannot be had" : undefined,
    });

    assertEquals(verdicts, { absent: "failed", data: "passed", lacks: "failed" });
    assertEquals(results[0].reason, "tests were left out, absent: seqkit, mafft");
    assert(said.includes("failed lacks: seqkit cannot be had"));
  });
});

testNeeding(NEEDS_LINUX, "an interruption ends what runs, and nothing runs after it", async () => {
  await inFolder(async (folder) => {
    const interrupted = new AbortController();
    const running = `console.log(Deno.pid); await new Promise((resolve) => setTimeout(resolve, 1e9))`;
    const checks = [check("runs", running, { alone: true }), check("waits", "")];
    const done = run(checks, folder, { signal: interrupted.signal, lastWordsMs: 100 });
    const isStarted = () => Deno.readTextFile(`${folder}/runs.log`).then((text) => text !== "", () => false);
    while (!await isStarted()) await new Promise((resolve) => setTimeout(resolve, 20));
    interrupted.abort();
    const { verdicts, results } = await done;

    assertEquals(verdicts, { runs: "failed" });
    assertEquals(results[0].reason, "interrupted");
    assertEquals(await alive(await pidsIn(results[0].logs[0])), []);
  });
});
