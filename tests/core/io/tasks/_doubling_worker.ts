/** A worker that multiplies by what it received first, but not 13; smaller numbers take longer, and 0 until a stop. */
import { serveTasks, type TaskWork } from "../../../../src/core/io/tasks/task_thread.ts";

serveTasks((factor: number): TaskWork<number, number, string> => async (task, send, signal) => {
  if (task === 13) throw new RangeError("Cannot multiply 13");
  if (task === 0) {
    await new Promise((_, reject) => {
      signal!.addEventListener("abort", () => {
        send("stopped");
        reject(signal!.reason);
      });
      send("waiting");
    });
  }
  await new Promise((resolve) => setTimeout(resolve, 10 / task));
  return { result: task * factor };
});
