import { assertEquals, assertRejects } from "@std/assert";
import { TaskThread } from "../../../../src/core/io/tasks/task_thread.ts";

const WORKER = new URL("./_doubling_worker.ts", import.meta.url);

function startThread(module: URL | string = WORKER): TaskThread<number, number> {
  const worker = new Worker(module, { type: "module" });
  return new TaskThread(worker, { setup: 2, work: () => (task) => ({ result: -task, transfer: [] }) });
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

Deno.test("where no thread can begin, tasks are worked on in this one", async () => {
  using thread = startThread("data:text/javascript,throw new Error('no thread')");
  assertEquals(await thread.run(5, []), -5);
});
