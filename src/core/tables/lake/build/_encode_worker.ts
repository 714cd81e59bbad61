/** The encoding of parts in a thread of its own. */
import { serveTasks } from "../../../io/tasks/task_thread.ts";
import { encodeWork } from "./_encode_thread.ts";

serveTasks(encodeWork);
