import { assertEquals, assertRejects } from "@std/assert";
import { TaskThread, type TaskWork } from "../../../../src/core/io/tasks/task_thread.ts";

const WORKER = new URL("./_doubling_worker.ts", import.meta.url);

function startThread(
  module: URL | string = WORKER,
  onMessage?: (message: string) => void,
): TaskThread<number, number, string> {
  const worker = new Worker(module, { type: "module" });
  const work = (): TaskWork<number, number, string> => async (task, send, signal) => {
    send("here");
    await Promise.resolve();
    signal?.throwIfAborted();
    return { result: -task };
  };
  return new TaskThread(worker, { setup: 2, work, ...onMessage && { onMessage } });
}

Deno.test("a thread works on its tasks in their order", async () => {
  using thread = startThread();
  assertEquals(await Promise.all([1, 2, 3].map((task) => thread.run(task, []))), [2, 4, 6]);
});

Deno.test("a task that fails, and those after it, are errors", async () => {
  using thread = startThread();
  const [failed, next] = [thread.run(13, []), thread.run(1, [])];
  next.catch(() => {});
  await assertRejects(() => failed, RangeError, "Cannot multiply 13");
  await assertRejects(() => next, RangeError);
  await assertRejects(() => thread.run(2, []), RangeError);
});

Deno.test("what waits for a thread that is disposed is an AbortError", async () => {
  const thread = startThread();
  assertEquals(await thread.run(1, []), 2);
  const waiting = thread.run(2, []);
  waiting.catch(() => {});
  thread[Symbol.dispose]();
  const error = await assertRejects(() => waiting);
  assertEquals(error instanceof DOMException && error.name, "AbortError");
});

Deno.test("a signal ends the work with its reason, when the work has stopped", async () => {
  const messages: string[] = [];
  const stop = new AbortController();
  using thread = startThread(WORKER, (message) => {
    messages.push(message);
    stop.abort(new Error("enough"));
  });
  await assertRejects(() => thread.run(0, [], stop.signal), Error, "enough");
  assertEquals(messages, ["waiting", "stopped"]);
  await assertRejects(() => thread.run(1), DOMException, "given up");
  await assertRejects(() => thread.run(1, [], AbortSignal.abort(new Error("before"))), Error, "before");
});

Deno.test("where no thread can begin, tasks are worked on in this one", async () => {
  const messages: string[] = [];
  const stop = new AbortController();
  using thread = startThread("data:text/javascript,throw new Error('no thread')", (message) => {
    messages.push(message);
    if (messages.length === 2) stop.abort(new Error("enough"));
  });
  assertEquals(await thread.run(5, []), -5);
  await assertRejects(() => thread.run(6, [], stop.signal), Error, "enough");
  assertEquals(messages, ["here", "here"]);
});
