/** The thread that sketches: receives the job, then batch after batch. */
import { serveTasks } from "@seqreg/core/io/tasks";
import { beginSketches } from "./_sketch_batch.ts";

serveTasks(beginSketches);
