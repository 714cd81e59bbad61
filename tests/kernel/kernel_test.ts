/** Our own kernel, driven by a front end that we wrote, over real sockets. */
import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { Kernel, OWN_KERNEL } from "../notebooks/_kernel.ts";
import type { CellOutput } from "../notebooks/_kernel_messages.ts";

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
    await assertRejects(() => kernel.runAll(["Deno.exit(3)"], TIMEOUT_MS), Error, "the kernel ended");
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

Deno.test("Stop tears nothing that awaits: work that does not follow it goes on, says so, and its cell ends with it", async () => {
  await using kernel = await startOwn();
  // Steps that are each longer than Stop waits for a cell which lets nothing else run.
  const code = `for (let step = 0; step < 8; step++) {
    for (const until = Date.now() + 700; Date.now() < until;);
    await new Promise((resolve) => setTimeout(resolve, 300));
    console.log("step " + step);
  }`;
  const running = kernel.runAll([code], 60_000);
  await kernel.untilPrinted("step 0", 60_000);
  await kernel.interrupt();
  const [{ outputs, status }] = await running;

  assertEquals(status, "ok");
  assertStringIncludes(printed(outputs), "Stop was received, but this cell awaits work that does not follow it");
  assertStringIncludes(printed(outputs), "step 7");
});
