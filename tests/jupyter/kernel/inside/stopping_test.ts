/** What cells await, in our own kernel and in the stock one. */
import { assertEquals } from "@std/assert";
import { inOwnScope } from "../../../../src/jupyter/kernel/inside/own_scope.ts";
import { installStopping, type StoppingTerms } from "../../../../src/jupyter/kernel/inside/stopping.ts";
import { Kernel, OWN_KERNEL } from "../../../notebooks/_kernel.ts";
import type { CellOutput } from "../../../notebooks/_kernel_messages.ts";

const TIMEOUT_MS = 60_000;
const FOLDER = new URL("./", import.meta.url);

const DECLARED = `
async function fails() {
  await null;
  throw new Error("no");
}
async function waits() {
  await new Promise((resolve) => setTimeout(resolve, 5));
  await fails();
}
async function* steps() {
  yield 1;
  await fails();
}`;

/** Cells by what they show. */
const CELLS: Record<string, string> = {
  "an awaited function of an earlier cell": "await waits()",
  "a function of the same cell": "async function outer() {\n  await waits();\n}\nawait outer()",
  "what user code reads of it": "try {\n  await waits();\n} catch (error) {\n  console.log(error.stack);\n}",
  "for await": "async function each() {\n  for await (const step of steps()) step;\n}\nawait each()",
  "Promise.all": "await Promise.all([1, waits()])",
  "an object with `then`": "await { then(_, reject) { reject(new Error('then')) } }",
  "`then` is read once": "let reads = 0;\nawait { get then() { reads++ } };\nreads",
  "order of turns": `const order = [];
async function walk(name, value) {
  for (let step = 0; step < 3; step++) {
    await value();
    order.push(name + step);
  }
}
await Promise.all([
  walk("null", () => null),
  walk("resolved", () => Promise.resolve()),
  walk("object", () => ({})),
  walk("async", async () => {}),
]);
order.join(" ")`,
  "columns behind awaits on the same line": "const x: number = await 1; await x; if (await x) { await x; nope(x) }",
  "columns in a function of a list":
    "async function f(list: number[]) { await 1; for (const i of list) { await i; null.x } }; await f([1])",
  "columns in what user code reads": "try { await 1; await nope(await 2) } catch (error) { console.log(error.stack) }",
  "values of a list": "for await (const value of [1, Promise.resolve(2), 'x']) console.log(value)",
};

Deno.test("errors of awaited work and the order of turns are those of the stock kernel", async (t) => {
  await using own = await Kernel.start({ folder: FOLDER, args: OWN_KERNEL });
  await using stock = await Kernel.start({ folder: FOLDER });
  for (const kernel of [own, stock]) await kernel.run(DECLARED, TIMEOUT_MS);
  for (const [name, code] of Object.entries(CELLS)) {
    await t.step(name, async () => {
      assertEquals(shown(await own.run(code, TIMEOUT_MS)), shown(await stock.run(code, TIMEOUT_MS)));
    });
  }
});

/** Outputs without the frames of the runtime's event loop: which of its turns goes on is a matter of time. */
function shown(outputs: readonly CellOutput[]): unknown {
  return JSON.parse(
    JSON.stringify(
      outputs,
      (_, value) =>
        Array.isArray(value)
          ? value.filter((line) => !isLoopFrame(line))
          : typeof value === "string"
          ? value.split("\n").filter((line) => !isLoopFrame(line)).join("\n")
          : value,
    ),
  );
}

function isLoopFrame(line: unknown): boolean {
  return typeof line === "string" && /^ +at .*\(ext:core\/[^)]*\)$/.test(line);
}

Deno.test("Stop ends a cell that passes over errors of what it awaits", async () => {
  await using kernel = await Kernel.start({ folder: FOLDER, args: OWN_KERNEL });
  const code = `console.log("begun");
for (;;) try {
  await (async () => { throw 1; })();
} catch (error) {
  if (error !== 1) throw error;
}`;
  const running = kernel.runAll([code], TIMEOUT_MS);
  await kernel.untilPrinted("begun", TIMEOUT_MS);
  await kernel.interrupt();
  const [{ status }] = await running;
  assertEquals(status, "error");
});

Deno.test("Stop ends a wait without end behind thousands of steps at once, and the next cell runs", async () => {
  await using kernel = await Kernel.start({ folder: FOLDER, args: OWN_KERNEL });
  const code = `for (let step = 0; step < 5000; step++) await Promise.resolve(step);
setTimeout(() => console.log("begun"));
try {
  await new Promise(() => {});
} finally {
  console.log("ended");
}`;
  const running = kernel.runAll([code], TIMEOUT_MS);
  await kernel.untilPrinted("begun", TIMEOUT_MS);
  await kernel.interrupt();
  const [{ status, outputs }] = await running;
  assertEquals([status, outputs[0].text], ["error", "begun\nended\n"]);
  assertEquals((await kernel.run("console.log(await Promise.resolve(1))", TIMEOUT_MS))[0].text, "1\n");
});

Deno.test("what a cell has awaited is not kept", async () => {
  await using kernel = await Kernel.start({ folder: FOLDER, args: OWN_KERNEL });
  const soon = "(ms) => new Promise((resolve) => setTimeout(() => resolve(new Uint8Array(1)), ms))";
  const cells = [
    `const soon = ${soon};
const references = [];
references.push(new WeakRef(await soon(50)));
void 0;`,
    `const { setFlagsFromString } = await import("node:v8");
const { runInNewContext } = await import("node:vm");
setFlagsFromString("--expose-gc");
references.push(new WeakRef(await soon(0)));
references.push(new WeakRef(await soon(50)));
void 0;`,
    `runInNewContext("gc")();
console.log(references.map((each) => each.deref()));`,
  ];
  const outputs = await kernel.runAll(cells, TIMEOUT_MS);
  assertEquals(outputs.at(-1)?.outputs[0].text, "[ undefined, undefined, undefined ]\n");
});

Deno.test({
  name: "signs of life come a few times for each cell, and none while nothing runs",
  ignore: Deno.build.os === "windows",
  fn: async () => {
    await using stock = await Kernel.start({ folder: FOLDER });
    const terms: StoppingTerms = {
      aliveType: "alive",
      beatMs: 20,
      mostBeats: 3,
      cellSignal: "SIGWINCH",
      followMs: 10,
      awaitName: "test_await",
      outerName: "test_outer",
      eachName: "test_each",
      renewName: "test_renew",
      listens: true,
    };
    await stock.run(inOwnScope(`(${installStopping})(${JSON.stringify(terms)});`), TIMEOUT_MS);
    const pid = Number((await stock.run("console.log(Deno.pid)", TIMEOUT_MS))[0].text);
    const beats = async () => {
      await new Promise((resolve) => setTimeout(resolve, 500));
      return stock.said("alive").length;
    };
    assertEquals(await beats(), 0);
    for (const expected of [3, 6]) {
      Deno.kill(pid, "SIGWINCH");
      assertEquals(await beats(), expected);
    }
  },
});
