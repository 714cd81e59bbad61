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
