/** How busy the machine is: limits of time follow it. */
import { availableParallelism, loadavg } from "node:os";

/** How many processes want each core, on average of the last minute; at least 1. */
export function crowding(): number {
  return Math.max(1, loadavg()[0] / availableParallelism());
}
