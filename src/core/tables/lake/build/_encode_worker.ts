/** A worker: receives the schema, then parts; returns Parquet. */
import { serveTasks } from "../../../io/tasks/task_thread.ts";
import { encodeWork } from "./_encode_thread.ts";

serveTasks(encodeWork);
