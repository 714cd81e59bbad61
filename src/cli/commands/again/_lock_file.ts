/** The lock that a command reads. */
import { RegistryError } from "@seqreg/core/errors";
import type { LockedCall, LockedCalls } from "@seqreg/core/registry/lock";
import { LOCK_NAME } from "@seqreg/core/registry/lock/lock_name";
import { type CommandContext, UsageError } from "../../support/command.ts";
import { cutToWidth } from "../../support/text_table.ts";

export { LOCK_NAME };

/** Names another lock. */
export const LOCK_OPTION = {
  lock: { type: "string", value: "FILE", describe: `the lock (default: ${LOCK_NAME})` },
} as const;

/** Path of the lock: of the option. */
export function lockPath({ flags }: CommandContext): string {
  const path = flags.text("lock") ?? LOCK_NAME;
  if (path === "") throw new UsageError(`Option --lock needs a value: --lock ${LOCK_NAME}`);
  const output = flags.text("output");
  // Only paths that are given were compared before.
  if (output !== undefined && isSamePath(output, path)) {
    throw new UsageError(`Cannot write to ${output}: it is the lock that is read; choose another file for --output`);
  }
  return path;
}

function isSamePath(a: string, b: string): boolean {
  try {
    return Deno.realPathSync(a) === Deno.realPathSync(b);
  } catch {
    return false;
  }
}

/** Path of the lock: the argument, or that of the option. */
export function namedLockPath(context: CommandContext): string {
  const [path] = context.operands;
  if (path === undefined) return lockPath(context);
  if (context.flags.text("lock") !== undefined) {
    throw new UsageError(`Cannot read two locks, ${path} and that of --lock: expected one of them`);
  }
  return path;
}

/** Reads the lock. @throws {RegistryError} With code `disk` if it does not exist. */
export async function openLock(path: string): Promise<LockedCalls> {
  const { readLock } = await import("@seqreg/core/registry/lock");
  const calls = await readLock(path);
  if (calls !== undefined) return calls;
  throw new RegistryError(
    "disk",
    `Cannot read the lock ${path}: it does not exist; record one with --lock ${LOCK_NAME}`,
  );
}

/** Names a call in a line: the beginning of its key, its operation and its request. */
export function nameCall(key: string, { operation, request }: LockedCall): string {
  return `${key.slice(0, 12)} ${operation} ${cutToWidth(JSON.stringify(request), 200)}`;
}
