/** Our own kernel, driven by a front end that we wrote, over real sockets. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { Kernel, OWN_KERNEL } from "../../notebooks/_kernel.ts";
import { LANGUAGE_INFO } from "../../../src/cli/support/kernelspec.ts";
import type { CellOutput } from "../../notebooks/_kernel_messages.ts";

const FOLDER = new URL("./", import.meta.url);
const TIMEOUT_MS = 120_000;

function startOwn(): Promise<Kernel> {
  return Kernel.start({ folder: FOLDER, args: OWN_KERNEL });
}

function printed(outputs: readonly CellOutput[]): string {
  return outputs.filter(({ type }) => type === "stream").map(({ text }) => text).join("");
}

Deno.test("every printed line is under its own cell when all cells are asked for at once", async () => {
  await using kernel = await startOwn();
  const cells = [1, 2, 3, 4, 5];
  const runs = await kernel.runAll(
    cells.map((cell) => `for (let i = 0; i < 500; i++) console.log("${cell}:" + i)`),
    TIMEOUT_MS,
  );

  for (const [index, { outputs }] of runs.entries()) {
    const lines = Array.from({ length: 500 }, (_, line) => `${cells[index]}:${line}\n`).join("");
    assertEquals(printed(outputs), lines);
  }
});

Deno.test("a cell that cannot be parsed says so", async () => {
  await using kernel = await startOwn();
  const [{ outputs, status }] = await kernel.runAll(["const a = ("], TIMEOUT_MS);

  assertEquals(status, "error");
  assertStringIncludes(outputs.at(-1)?.text ?? "", "SyntaxError: the cell was not run");
  const [second] = await kernel.runAll(['%time 1\nconst b = (2;\nawait "x"'], TIMEOUT_MS);
  const error = second.outputs.at(-1);
  assertStringIncludes(error?.text ?? "", "Expected ',', got ';' (line 2, column 13)");
  assertStringIncludes(error?.traceback?.at(-1) ?? "", "2 | const b = (2;");
});

Deno.test("an error comes behind what was printed, and the cells behind it are not run", async () => {
  await using kernel = await startOwn();
  const codes = [
    "globalThis.n = 1",
    "console.log('before'); throw new Error('no')",
    "globalThis.n = 2; console.log('ran')",
  ];
  const runs = await kernel.runAll(codes, TIMEOUT_MS);

  assertEquals(runs.map(({ status }) => status), ["ok", "error", "aborted"]);
  assertEquals(runs[1].outputs.map(({ type }) => type), ["stream", "error"]);
  assertEquals(runs[2].outputs, []);
  assertEquals(printed(await kernel.run("console.log(n)", TIMEOUT_MS)), "1\n");
});

Deno.test("Stop ends a cell and keeps the state", async (t) => {
  await using kernel = await startOwn();
  await kernel.run("globalThis.keep = 42", TIMEOUT_MS);
  const cells: Record<string, string> = {
    "a busy loop": "console.log('busy'); while (true) {}",
    "work that follows the signal": `console.log('busy'); await new Promise((_, reject) => {
      const { signal } = globalThis[Symbol.for("seqreg.stop")];
      signal.addEventListener("abort", () => reject(signal.reason));
    })`,
  };
  for (const [name, code] of Object.entries(cells)) {
    await t.step(name, async () => {
      const running = kernel.runAll([code], TIMEOUT_MS);
      // The line may still be on its way when the loop is busy: what counts is that the cell has begun.
      await new Promise((resolve) => setTimeout(resolve, 300));
      const pressedAt = performance.now();
      await kernel.interrupt();
      const [{ status }] = await running;
      assertEquals(status, "error");
      assert(performance.now() - pressedAt < 5000);
      assertEquals(printed(await kernel.run("console.log(keep)", TIMEOUT_MS)), "42\n");
    });
  }
});

Deno.test("Stop waits for a kernel that the machine does not let run", async () => {
  await using kernel = await startOwn();
  const pid = Number(printed(await kernel.run("console.log(Deno.pid)", TIMEOUT_MS)));
  const code = `console.log("begun"); await new Promise((_, reject) => {
    const { signal } = globalThis[Symbol.for("seqreg.stop")];
    // As work does that has steps to take after Stop before it ends.
    signal.addEventListener("abort", async () => {
      for (let step = 0; step < 20; step++) await new Promise((resolve) => setTimeout(resolve));
      reject(signal.reason);
    });
  })`;
  const running = kernel.runAll([code], TIMEOUT_MS);
  await kernel.untilPrinted("begun", TIMEOUT_MS);
  Deno.kill(pid, "SIGSTOP");
  const stopped = kernel.interrupt();
  // Longer than a cell gets that computes and does not hear.
  await new Promise((resolve) => setTimeout(resolve, 900));
  Deno.kill(pid, "SIGCONT");
  await stopped;
  const [{ outputs, status }] = await running;
  assertEquals([status, outputs.at(-1)?.text], ["error", "AbortError: stopped by the user"]);
});

Deno.test("prompt() asks the front end and gets its answer", async () => {
  await using kernel = await startOwn();
  for (const answer of ["Kenya", "Peru"]) {
    const [{ outputs }] = await kernel.runAll(["console.log('got ' + prompt('country?'))"], TIMEOUT_MS, answer);
    assertStringIncludes(printed(outputs), `got ${answer}`);
  }
});

Deno.test("the proxy ends with its kernel, and the kernel with its proxy", async (t) => {
  await t.step("a cell that ends the kernel", async () => {
    await using kernel = await startOwn();
    const runs = await kernel.runAll(["Deno.exit(3)", "1 + 1"], TIMEOUT_MS);
    assertEquals(runs.map(({ status }) => status), ["error", "error"]);
    assertStringIncludes(runs[0].outputs.at(-1)?.text ?? "", "KernelEnded: the kernel ended with exit code 3");
    assertEquals((await kernel.process.status).code, 3);
  });
  await t.step("a proxy that is told to end", async () => {
    await using kernel = await startOwn();
    const pid = printed(await kernel.run("console.log(Deno.pid)", TIMEOUT_MS)).trim();
    kernel.process.kill("SIGTERM");
    await kernel.process.status;
    assertEquals(await isRunning(pid), false);
  });
});

async function isRunning(pid: string): Promise<boolean> {
  const { success } = await new Deno.Command("kill", { args: ["-0", pid], stderr: "null" }).output();
  return success;
}

Deno.test("Stop ends what a cell awaits, and keeps the state", async (t) => {
  await using kernel = await startOwn();
  await kernel.run(
    `globalThis.keep = 42; let turns = 0;
    async function poll() { for (;;) { turns++; await new Promise((r) => setTimeout(r, 50)); } }
    async function* steps() { for (;;) { await new Promise((r) => setTimeout(r, 50)); yield 1; } }`,
    TIMEOUT_MS,
  );
  const cells: Record<string, string> = {
    "a loop": "for (;;) await new Promise((r) => setTimeout(r, 50))",
    "a loop in a function of another cell": "await poll()",
    "for await": "for await (const step of steps()) step;",
    "steps without a turn for anything else": "for (;;) await 0",
    "such steps of promises": "for (;;) await(Promise.resolve()) // until Stop",
    "such steps of a list": "function* all() { for (;;) yield 1 } for await (const one of all()) one",
    "what never ends": "await new Promise(() => {})",
    "a wait that is over between the signal and its end": `let release;
      Deno.addSignalListener("SIGINT", () => release());
      for (;;) await new Promise((resolve) => release = resolve);`,
    "a wait that is over then, and computing after it": `let go;
      Deno.addSignalListener("SIGINT", () => go());
      await new Promise((resolve) => go = resolve);
      await async function () { for (const until = Date.now() + 50; Date.now() < until;); }();
      await new Promise(() => {});`,
    "several at once": "await Promise.all([poll(), new Promise(() => {})])",
    "a fetch": `const server = Deno.serve({ port: 0, onListen() {} }, () => new Promise(() => {}));
      try { await fetch("http://127.0.0.1:" + server.addr.port); } finally { server.unref(); }`,
    "a loop behind an await that Stop cannot end":
      `await async function () { return new Promise((resolve) => setTimeout(resolve, 900)); }();
      for (;;) await new Promise((resolve) => setTimeout(resolve, 50));`,
    "steps longer than Stop waits to be heard": `for (;;) {
      for (const until = Date.now() + 700; Date.now() < until;);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }`,
  };
  for (const [name, code] of Object.entries(cells)) {
    await t.step(name, async () => {
      const running = kernel.runAll([`console.log("begun: ${name}");${code}`], TIMEOUT_MS);
      await kernel.untilPrinted(`begun: ${name}`, TIMEOUT_MS);
      // Steps of 700 ms have let the kernel tell twice by then that other tasks run.
      await new Promise((resolve) => setTimeout(resolve, name.startsWith("steps longer") ? 2100 : 100));
      const pressedAt = performance.now();
      await kernel.interrupt();
      const [{ outputs, status }] = await running;
      // `bench notebook` holds it to two seconds on a quiet machine.
      assert(performance.now() - pressedAt < 10_000, `Stop took ${performance.now() - pressedAt} ms`);
      assertEquals(status, "error");
      assertStringIncludes(outputs.at(-1)?.text ?? "", "AbortError: stopped by the user");
      assertEquals(printed(await kernel.run("console.log(keep)", TIMEOUT_MS)), "42\n");
    });
  }
  await t.step("nothing goes on behind it", async () => {
    const count = async () => printed(await kernel.run("console.log(turns)", TIMEOUT_MS));
    const before = await count();
    await new Promise((resolve) => setTimeout(resolve, 200));
    assertEquals(await count(), before);
  });
});

Deno.test("Stop tears nothing that no await of a cell is under way for: it goes on, says so, and its cell ends with it", async () => {
  await using kernel = await startOwn();
  const code = `{
    await using held = { [Symbol.asyncDispose]: () => new Promise((resolve) => setTimeout(resolve, 4000)) };
    console.log("begun");
  }
  console.log("closed");`;
  const running = kernel.runAll([code], 60_000);
  await kernel.untilPrinted("begun", 60_000);
  await kernel.interrupt();
  const [{ outputs, status }] = await running;

  assertEquals(status, "ok");
  assertStringIncludes(printed(outputs), "Stop was received, but this cell awaits work that does not follow it");
  assertStringIncludes(printed(outputs), "closed");
});

Deno.test("name?, help(name) and the commands answer under their cell", async (t) => {
  await using kernel = await startOwn();
  const declare = `/** Doubles a number. */
    function twice(n) { return 2 * n; }
    const list = [1, 2, 3];
    class Numbered { static name = 5; }
    const numbered = new Numbered();
    // As frames of polars are: their traps throw where objects answer.
    const frame = new Proxy({}, {
      getOwnPropertyDescriptor() { throw new TypeError("not of this kind"); },
      has() { throw new TypeError("not of this kind"); },
      get: (_, name) => name === Symbol.toStringTag ? "DataFrame" : name === "filter" ? function filter(predicate) {} : undefined,
    });`;
  await kernel.run(declare, TIMEOUT_MS);
  const cells: Record<string, readonly string[]> = {
    "twice?": ["function twice(n)", "Doubles a number."],
    "twice??": ["return 2 * n;"],
    "help(list)": ["list: Array, 3 long", "[ 1, 2, 3 ]"],
    "list.length?": ["list.length: number"],
    "help()": ["Shift+Tab"],
    "lengthByFamily?": ["lengthByFamily(source: AnalysisSource", 'import { lengthByFamily } from "seqreg/analysis";'],
    "nothing?": ["nothing is called nothing"],
    "frame?": ["frame: DataFrame"],
    "frame.filter?": ["filter(predicate)"],
    "const made = { a: 1 };\nmade?": ["made: object", "{ a: 1 }"],
    'const pl = { col: (name) => ({ name }) };\npl.col("n") > 1000': ['write pl.col("n").gt(1000)'],
    "%time await new Promise((r) => setTimeout(r, 20)); 5": ["time: ", "5"],
    "%%time\nfor (let i = 0; i < 3; i++);\n6": ["time: ", "6"],
    "%sh echo $((1 + 1)); exit 3": ["2\n", "exit code 3"],
    "%who": ["twice     function", "list      Array     3 long", "numbered  object"],
  };
  for (const [code, expected] of Object.entries(cells)) {
    await t.step(code, async () => {
      const [{ outputs, status }] = await kernel.runAll([code], TIMEOUT_MS);
      const text = outputs.map(({ text, data }) => text ?? String(data?.["text/plain"])).join("\n");
      assertEquals(status, "ok", text);
      for (const part of expected) assertStringIncludes(text, part);
    });
  }
  await t.step("a cell that failed leaves no time to the next", async () => {
    await kernel.run("%%time\nthrow new Error('no')", TIMEOUT_MS);
    assertEquals(printed(await kernel.run("7", TIMEOUT_MS)), "");
  });
  await t.step("Stop ends a command of the shell", async () => {
    const running = kernel.runAll(["%sh echo begun; sleep 30"], TIMEOUT_MS);
    await kernel.untilPrinted("begun", TIMEOUT_MS);
    await kernel.interrupt();
    assertEquals((await running)[0].status, "error");
  });
  for (
    const [what, command] of Object.entries({
      "what the shell started": "echo begun-SECONDS; sleep SECONDS; echo hi",
      "a pipe in a shell in a shell": "echo begun-SECONDS; sh -c 'sleep SECONDS | cat; true'; true",
      "what ignores the first signal": "trap '' TERM; echo begun-SECONDS; sleep SECONDS",
    })
  ) {
    await t.step({
      name: `Stop ends ${what}`,
      ignore: Deno.build.os === "windows",
      fn: async () => {
        // A number that no other test has.
        const seconds = `3${crypto.getRandomValues(new Uint32Array(1))[0]}`;
        const isRunning = async () =>
          new TextDecoder().decode((await new Deno.Command("ps", { args: ["-A", "-o", "args="] }).output()).stdout)
            .includes(`\nsleep ${seconds}\n`);
        const running = kernel.runAll([`%sh ${command.replaceAll("SECONDS", seconds)}`], TIMEOUT_MS);
        await kernel.untilPrinted(`begun-${seconds}`, TIMEOUT_MS);
        for (let tries = 0; tries < 50 && !await isRunning(); tries++) await new Promise((end) => setTimeout(end, 100));
        assertEquals(await isRunning(), true);
        await kernel.interrupt();
        assertEquals((await running)[0].status, "error");
        for (let tries = 0; tries < 50 && await isRunning(); tries++) await new Promise((end) => setTimeout(end, 100));
        assertEquals(await isRunning(), false);
      },
    });
  }
  await t.step({
    name: "a command that leaves something in the background ends with its shell, and prints all",
    ignore: Deno.build.os === "windows",
    fn: async () => {
      const at = performance.now();
      const [{ outputs, status }] = await kernel.runAll(["%sh sleep 9 & seq 20000; exit 3"], TIMEOUT_MS);
      assertEquals([status, performance.now() - at < 7000], ["ok", true]);
      const text = printed(outputs);
      assertEquals(text.includes("\n19999\n20000\n"), true, text.slice(-200));
      assertStringIncludes(text, "exit code 3");
    },
  });
  await t.step("Shift+Tab", async () => {
    const { data } = await kernel.ask("inspect_request", "registry_of_nobody");
    assertEquals(data, {});
    const own = await kernel.ask("inspect_request", "lengthByFamily(");
    assertStringIncludes(JSON.stringify(own.data), "Quantiles of the length for each family");
  });
  await t.step("Tab offers nothing of every object's own machinery", async () => {
    const { matches } = await kernel.ask("complete_request", "list.");
    assert(Array.isArray(matches) && matches.includes("length"));
    assertEquals(matches.filter((name) => String(name).startsWith("__")), []);
  });
});

Deno.test("an error about a name that is not there names what was probably meant", async () => {
  await using kernel = await startOwn();
  const cells = {
    'const registry = { search() {} }; registry.serach("x")': "did you mean registry.search?",
    'await registry.serach("x")': "did you mean registry.search?",
    "regsitry.search()": "did you mean registry?",
    "lengthByFamly(1)": "did you mean lengthByFamily?",
    "const a = 1; n + 1": "n is not defined",
    "pl.col('a')": 'pl is not defined: import it first: import pl from "nodejs-polars"',
    "openLake('x')": 'openLake is not defined: import it first: import { openLake } from "seqreg/tables"',
    "registry.somethingElse()": "registry.somethingElse is not a function",
    'import { lengthByFamly } from "seqreg/analysis"; lengthByFamly(1)': "did you mean lengthByFamily?",
    "const never = nothing_of_that_name + 1": "nothing_of_that_name is not defined",
    "never.length": "the cell that declares it has failed: run it again",
    "const five = 5; five()": "five is not a function",
    'const outer = new Error("deep"); throw new Error("both: deep", { cause: outer })': "both: deep",
  };
  for (const [code, expected] of Object.entries(cells)) {
    const [{ outputs }] = await kernel.runAll([code], TIMEOUT_MS);
    const error = outputs.at(-1);
    assert(error?.text?.endsWith(expected), error?.text);
    assertStringIncludes(error?.traceback?.[0] ?? "", expected);
    // What the message says already is not said again as its cause.
    assert(!error?.traceback?.some((line) => line.startsWith("Caused by")), error?.traceback?.join("\n"));
  }
});

Deno.test("lessons and new notebooks hold what the kernel reports of its language: opening them changes nothing", async () => {
  await using kernel = await startOwn();
  assertEquals((await kernel.ask("kernel_info_request")).language_info, LANGUAGE_INFO);
  const lessons = new URL("../../../notebooks/", import.meta.url);
  for await (const { name } of Deno.readDir(lessons)) {
    if (!name.endsWith(".ipynb")) continue;
    const { metadata } = JSON.parse(await Deno.readTextFile(new URL(name, lessons)));
    assertEquals(metadata.language_info, LANGUAGE_INFO, name);
  }
});
