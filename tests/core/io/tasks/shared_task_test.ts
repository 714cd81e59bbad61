/** Work that several callers wait for, each with a signal of its own. */
import { assertEquals, assertRejects, assertStrictEquals } from "@std/assert";
import { SharedTask } from "../../../../src/core/io/tasks/shared_task.ts";

/** A task whose work a test ends, and what has become of it. */
function startTask() {
  const task = new SharedTask<number>();
  const begun: { readonly signal: AbortSignal; readonly end: PromiseWithResolvers<number> }[] = [];
  const wait = (signal?: AbortSignal) =>
    task.wait((signal) => {
      const end = Promise.withResolvers<number>();
      begun.push({ signal, end });
      return end.promise;
    }, signal);
  return { task, begun, wait };
}

Deno.test("SharedTask: a caller that leaves ends neither the work nor another's wait", async () => {
  const { begun, wait } = startTask();
  const stop = new AbortController();
  const [one, other] = [wait(stop.signal), wait()];
  stop.abort(new Error("stopped"));
  await assertRejects(() => one, Error, "stopped");
  assertEquals([begun.length, begun[0].signal.aborted], [1, false]);
  begun[0].end.resolve(7);
  assertEquals([await other, await wait(), begun.length], [7, 7, 1]);
  await assertRejects(() => wait(stop.signal), Error, "stopped");
});

Deno.test("SharedTask: the last caller that leaves ends the work, waits for its end, and the next begins anew", async () => {
  const { begun, wait } = startTask();
  const [first, second] = [new AbortController(), new AbortController()];
  const callers = [wait(first.signal), wait(second.signal)];
  first.abort(new Error("first"));
  second.abort(new Error("second"));
  await assertRejects(() => callers[0], Error, "first");
  assertStrictEquals(begun[0].signal.reason, second.signal.reason);
  const next = wait();
  let hasLeft = false;
  const left = callers[1].catch((cause) => {
    hasLeft = true;
    throw cause;
  });
  await Promise.resolve();
  assertEquals([hasLeft, begun.length], [false, 1]);
  begun[0].end.reject(begun[0].signal.reason);
  await assertRejects(() => left, Error, "second");
  while (begun.length < 2) await Promise.resolve();
  begun[1].end.resolve(8);
  assertEquals(await next, 8);
});

Deno.test("SharedTask: what was done although all callers had left is kept", async () => {
  const { begun, wait } = startTask();
  const stop = new AbortController();
  const caller = wait(stop.signal);
  stop.abort(new Error("stopped"));
  await Promise.resolve();
  begun[0].end.resolve(9);
  await assertRejects(() => caller, Error, "stopped");
  assertEquals([await wait(), begun.length], [9, 1]);
});

Deno.test("SharedTask: a failure is that of all who wait, and is not kept; nor is what is forgotten", async () => {
  const { task, begun, wait } = startTask();
  const callers = [wait(), wait()];
  begun[0].end.reject(new Error("refused"));
  for (const caller of callers) await assertRejects(() => caller, Error, "refused");
  assertEquals(task.result, undefined);
  const again = wait();
  begun[1].end.resolve(1);
  assertEquals(await again, 1);
  task.forget();
  const anew = wait();
  begun[2].end.resolve(2);
  assertEquals([await anew, await task.result], [2, 2]);
});
