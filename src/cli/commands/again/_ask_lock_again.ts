/** Asks the registries of a lock again, with the options of a command. */
import type { CallComparison } from "@seqreg/again";
import { cacheFolder } from "@seqreg/core/io/files/cache_folder";
import type { LockedCalls } from "@seqreg/core/registry/lock";
import type { CommandContext } from "../../support/command.ts";
import { checkRegistryFlags, openRegistry, readNaming, REGISTRY_OPTIONS } from "../../support/registry.ts";

const { lock: _, offline: __, ...REACHING } = REGISTRY_OPTIONS;

/** The options by which the registries of a lock are reached. */
export const REACH_OPTIONS = {
  ...REACHING,
  registry: {
    type: "string",
    value: "URL|DIR|zika",
    describe: "where the registry is (default: the address in the lock; a folder must be named)",
  },
} as const;

/** What registries answer now, compared with a lock. */
export interface AskedAgain {
  readonly comparisons: readonly CallComparison[];
  readonly answers: LockedCalls;
}

export async function askLockAgain(context: CommandContext, calls: LockedCalls): Promise<AskedAgain> {
  const target = context.flags.text("registry");
  await checkRegistryFlags(context, target);
  const naming = await readNaming(context);
  const { askAgain } = await import("@seqreg/again/replay/ask_again");
  const { compareCalls } = await import("@seqreg/again/replay/compare_calls");
  const { LockBodies } = await import("@seqreg/core/registry/lock");
  const cache = cacheFolder(context.env);
  const { signal } = context;
  const answers = await askAgain(calls, {
    open: (at, lock) => openRegistry(context, { target: at ?? "", lock }),
    target,
    cacheFolder: cache,
    signal,
  });
  const comparisons = await compareCalls(calls, answers, { bodies: new LockBodies(cache), naming, signal });
  return { comparisons, answers };
}
