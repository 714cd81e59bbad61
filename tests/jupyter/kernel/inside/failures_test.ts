/** Errors in our own kernel: which are shown, where, and with what they hold. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { Kernel, OWN_KERNEL } from "../../../notebooks/_kernel.ts";

const TIMEOUT_MS = 60_000;
const FOLDER = new URL("./", import.meta.url);
const LATER = "await new Promise((resolve) => setTimeout(resolve, 60));";

Deno.test("errors that nothing waits for are printed under the running cell, which goes on", async (t) => {
  await using kernel = await Kernel.start({ folder: FOLDER, args: OWN_KERNEL });
  const cells: Record<string, readonly [code: string, printed: string]> = {
    "of an interval": [
      `const each = setInterval(() => {\n  clearInterval(each);\n  nope();\n}, 20);\n${LATER}\n"done"`,
      "Uncaught ReferenceError: nope is not defined\n    at Timeout.f (<anonymous>:3:3)\n",
    ],
    "of a microtask": [
      'queueMicrotask(() => {\n  throw new Error("micro", { cause: 5 });\n});\nawait 1;\n"done"',
      "Uncaught Error: micro\n    at <anonymous>:2:9\nCaused by: 5\n",
    ],
    "of a listener": [
      `const target = new EventTarget();
target.addEventListener("x", () => {
  throw { code: 5 };
});
target.dispatchEvent(new Event("x"));
${LATER}
"done"`,
      "Uncaught { code: 5 }\n",
    ],
    "of a worker": [
      `const address = "data:text/javascript,throw new Error('there')";
new Worker(address, { type: "module" });
await new Promise((resolve) => addEventListener("error", resolve, { once: true }));
"done"`,
      "Uncaught (in promise) Error: there\n",
    ],
    "of several": [
      `queueMicrotask(() => {
  throw new AggregateError([new TypeError("a")], "both");
});
${LATER}
"done"`,
      "Uncaught AggregateError: both\n    TypeError: a\n        at <anonymous>:3:5\n    at <anonymous>:2:9\n",
    ],
    "of a promise": [
      `Promise.reject(new Error("rejected"));\n${LATER}\n"done"`,
      "Uncaught (in promise) Error: rejected\n    at <anonymous>:1:37\n",
    ],
  };
  for (const [name, [code, text]] of Object.entries(cells)) {
    await t.step(name, async () => {
      const begunAt = performance.now();
      const [{ outputs, status }] = await kernel.runAll([code], TIMEOUT_MS);
      // What the runtime calls a timer's function is a matter of its optimizer.
      const shown = outputs.map(({ text, ...each }) => ({
        ...each,
        ...text !== undefined && { text: text.replace(/Timeout\.\S+/, "Timeout.f") },
      }));
      assertEquals([status, shown], ["ok", [
        { type: "stream", text },
        { type: "execute_result", data: { "text/plain": '"done"' } },
      ]]);
      assert(performance.now() - begunAt < 5000);
    });
  }
  await t.step("unless something awaits it a moment later", async () => {
    const code = `const late = Promise.reject(new Error("late"));
await new Promise((resolve) => setTimeout(resolve, 1));
try { await late } catch { "caught" }`;
    const [{ outputs }] = await kernel.runAll([code], TIMEOUT_MS);
    assertEquals(outputs, [{ type: "execute_result", data: { "text/plain": '"caught"' } }]);
  });
  await t.step("unless the user's own code sees to them", async () => {
    await kernel.run(
      'for (const type of ["error", "unhandledrejection"]) addEventListener(type, (event) => event.preventDefault());',
      TIMEOUT_MS,
    );
    const code = `Promise.reject(1);\nqueueMicrotask(() => { throw 2 });\n${LATER}`;
    assertEquals(await kernel.runAll([code], TIMEOUT_MS), [{ status: "ok", outputs: [] }]);
  });
});

Deno.test("work that Stop ended is no error that is printed", async () => {
  await using kernel = await Kernel.start({ folder: FOLDER, args: OWN_KERNEL });
  const running = kernel.runAll([
    `const { signal } = globalThis[Symbol.for("seqreg.stop")];
const follow = () => new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
follow();
console.log("begun");
await follow();`,
  ], TIMEOUT_MS);
  await kernel.untilPrinted("begun", TIMEOUT_MS);
  await kernel.interrupt();
  const [{ outputs, status }] = await running;
  assertEquals([status, outputs[0]], ["error", { type: "stream", text: "begun\n" }]);
  assertStringIncludes(outputs[1].text ?? "", "AbortError: stopped by the user");
});

Deno.test("what ended a cell is shown with its causes, its inner errors and what it holds", async (t) => {
  await using kernel = await Kernel.start({ folder: FOLDER, args: OWN_KERNEL });
  const failed = async (code: string) => (await kernel.run(code, TIMEOUT_MS)).at(-1);
  await t.step("causes", async () => {
    const error = await failed(`const disk = new TypeError("no space");
const file = new Error("no write", { cause: disk });
throw new Error("could not save", { cause: file });`);
    assertEquals(error?.text, "Error: could not save");
    assertEquals(error?.traceback, [
      "Error: could not save",
      "    at <anonymous>:5:7",
      "Caused by: Error: no write",
      "    at <anonymous>:2:14",
      "Caused by: TypeError: no space",
      "    at <anonymous>:1:35",
    ]);
  });
  await t.step("inner errors", async () => {
    const error = await failed('await Promise.any([Promise.reject(new Error("a")), Promise.reject("b")])');
    assertEquals(error?.text, "AggregateError: All promises were rejected");
    assertEquals(error?.traceback?.slice(0, 2), ["AggregateError: All promises were rejected", "    Error: a"]);
    assertEquals(error?.traceback?.at(-1), '    "b"');
  });
  const values: Record<string, readonly [text: string, traceback: string]> = {
    "{ code: 5, why: ['x'] }": ['Uncaught: { code: 5, why: [ "x" ] }', 'Uncaught { code: 5, why: [ "x" ] }'],
    "'text'": ["Uncaught: text", 'Uncaught "text"'],
    "Object.create(null)": ["Uncaught: [Object: null prototype] {}", "Uncaught [Object: null prototype] {}"],
    "7": ["Uncaught: 7", "Uncaught 7"],
  };
  for (const [code, [text, traceback]] of Object.entries(values)) {
    await t.step(code, async () => {
      const error = await failed(`throw ${code}`);
      assertEquals([error?.text, error?.traceback], [text, [traceback]]);
    });
  }
  await t.step("ten frames, and the user's own behind them once", async () => {
    const error = await failed(
      "function deep(n) {\n  if (n === 0) throw new Error('deep');\n  deep(n - 1);\n}\ndeep(40);",
    );
    assertEquals([error?.traceback?.length, error?.traceback?.at(-1)], [12, "    at <anonymous>:5:15"]);
  });
  await t.step("classes of errors know their own", async () => {
    const code = `class Mine extends Error {}
console.log([new Mine(), new Error(), 1].map((each) => [each instanceof Mine, each instanceof Error].join()).join(" "));`;
    assertEquals((await kernel.run(code, TIMEOUT_MS))[0].text, "true,true false,true false,false\n");
  });
});
