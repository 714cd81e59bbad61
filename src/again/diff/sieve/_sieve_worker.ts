/** The reading of one version in a thread of its own. */
import { serveTasks } from "@seqreg/core/io/tasks";
import { sieveWork } from "./_sieve_thread.ts";

serveTasks(sieveWork);
