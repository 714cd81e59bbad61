/** The building of an index in a thread of its own. */
import { serveTasks } from "@seqreg/core/io/tasks";
import { buildWork } from "./_build_thread.ts";

serveTasks(buildWork);
