/** A program that a command starts ends with the command. */

/** Waits for a child process to end; sends it SIGTERM when the signal aborts. Returns its exit code. */
export async function childEnd(child: Deno.ChildProcess, signal: AbortSignal): Promise<number> {
  const end = () => {
    try {
      child.kill("SIGTERM");
    } catch {
      // It has ended.
    }
  };
  signal.addEventListener("abort", end, { once: true });
  const { code } = await child.status;
  signal.removeEventListener("abort", end);
  return code;
}
