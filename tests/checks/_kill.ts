/** Kills processes at random moments. */

/** Kills a process that may have ended a moment before: then it is one more that was not cut off. */
export function kill(child: Deno.ChildProcess): void {
  try {
    child.kill("SIGKILL");
  } catch {
    // It has ended.
  }
}
