/** A worker that multiplies by what it received first, but not 13. */
import { serveTasks } from "../../../../src/core/io/tasks/task_thread.ts";

serveTasks((factor: number) => (task: number) => {
  if (task === 13) throw new RangeError("Cannot multiply 13");
  return { result: task * factor, transfer: [] };
});
