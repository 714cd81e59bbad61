import { assert, assertRejects } from "@std/assert";
import { getEventListeners } from "node:events";
import { MOST_MS, pause, unlessAborted } from "../../../../src/core/io/tasks/pause.ts";

const never = new Promise<void>(() => {});

Deno.test("a wait ends at once with the signal's own reason", async () => {
  const controller = new AbortController();
  const waits = [() => pause(60_000, controller.signal), () => unlessAborted(never, controller.signal)].map((wait) =>
    assertRejects(wait, Error, "enough")
  );
  const begun = performance.now();
  controller.abort(new Error("enough"));
  await Promise.all(waits);
  assert(performance.now() - begun < 5000);
  await assertRejects(() => pause(60_000, controller.signal), Error, "enough");
  await assertRejects(() => unlessAborted(never, controller.signal), Error, "enough");
});

Deno.test("a wait beyond what a timer can measure does not end at once", async () => {
  for (const ms of [MOST_MS, MOST_MS + 1, Infinity]) {
    await assertRejects(() => pause(ms, AbortSignal.timeout(20)), DOMException, "timeout");
  }
});

Deno.test("a wait that ended leaves no listener on the signal", async () => {
  const { signal } = new AbortController();
  for (let turn = 0; turn < 3; turn++) {
    await pause(1, signal);
    await unlessAborted(Promise.resolve(), signal);
  }
  assert(getEventListeners(signal, "abort").length === 0);
});
