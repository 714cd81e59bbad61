/** A program that a command starts ends with the command. */

/**
 * Starts a program and waits for its end; sends it SIGTERM when the signal aborts. Nothing is started once it has
 * aborted.
 *
 * @returns The exit code of the program.
 * @throws The signal's reason if it had aborted before.
 */
export async function runChild(command: Deno.Command, signal: AbortSignal): Promise<number> {
  signal.throwIfAborted();
  const child = command.spawn();
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
