/** What every database of DuckDB begins with, and how its statements are interrupted. */
import type { DuckDBConnection } from "@duckdb/node-api";

/** Milliseconds between interrupts of a statement that should end. */
const INTERRUPT_MS = 10;

/** Settings of a database that loads no extension by itself. */
export const NO_EXTENSIONS = {
  autoload_known_extensions: "false",
  autoinstall_known_extensions: "false",
  allow_community_extensions: "false",
} as const;

/** Has a database take times with a zone as those of UTC, as Spark does: by itself it takes the machine's zone. */
export const IN_UTC = "SET GLOBAL TimeZone = 'UTC'";

/**
 * Runs a statement until it ends or the signal interrupts it.
 *
 * @param errorOf Makes the error of a statement that fails by itself.
 * @throws The signal's reason, or that error.
 */
export async function interruptible<Value>(
  connection: DuckDBConnection,
  signal: AbortSignal | undefined,
  work: () => Promise<Value>,
  errorOf: (cause: unknown) => unknown,
): Promise<Value> {
  // A signal that aborted while the statement was prepared calls no listener.
  signal?.throwIfAborted();
  const interrupt = () => connection.interrupt();
  let timer: ReturnType<typeof setInterval> | undefined;
  const onAbort = () => {
    interrupt();
    timer = setInterval(interrupt, INTERRUPT_MS);
  };
  signal?.addEventListener("abort", onAbort);
  try {
    return await work();
  } catch (cause) {
    signal?.throwIfAborted();
    throw errorOf(cause);
  } finally {
    signal?.removeEventListener("abort", onAbort);
    clearInterval(timer);
  }
}
