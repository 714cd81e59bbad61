/** `seqreg lock verify`: compares the answers in the cache with the lock. */
import { cacheFolder } from "@seqreg/core/io/files/cache_folder";
import type { LockedCalls } from "@seqreg/core/registry/lock";
import { type Command, type CommandContext, EXIT } from "../../support/command.ts";
import { QUIET_OPTION } from "../../support/ledger.ts";
import { refuseRequestOptions } from "../../support/registry.ts";
import { askLockAgain, REACH_OPTIONS } from "./_ask_lock_again.ts";
import { LOCK_OPTION, nameCall, namedLockPath, openLock } from "./_lock_file.ts";

const command: Command = {
  name: "lock verify",
  summary: "Verify that the cache holds every answer of a lock, or that the registry still answers so",
  operands: "[FILE]",
  operandCount: [0, 1],
  options: {
    live: { type: "boolean", describe: "ask the registry again instead, and compare its answers with the lock" },
    ...LOCK_OPTION,
    ...REACH_OPTIONS,
    ...QUIET_OPTION,
  },
  examples: ["seqreg search country:Kenya --lock seqreg.lock && seqreg lock verify", "seqreg lock verify --live"],
  help: [{
    title: "With --live",
    lines: ["Exit code 5 if an answer differs now: its records are compared one by one. The lock stays as it is."],
  }],
  permissions: [
    "--allow-read",
    "--allow-env",
    "--allow-write (for --live)",
    "--allow-net (for --live)",
    "--allow-sys (for --live)",
    "--allow-ffi (for --live)",
  ],
  async run(context) {
    const isLive = context.flags.has("live");
    if (!isLive) refuseRequestOptions(context, REACH_OPTIONS, { needed: "--live" });
    const calls = await openLock(namedLockPath(context));
    if (isLive) return await verifyLive(context, calls);
    const { LockBodies } = await import("@seqreg/core/registry/lock");
    const { faultOfCall } = await import("@seqreg/core/registry/lock");
    const bodies = new LockBodies(cacheFolder(context.env));
    let failed = 0;
    for (const [key, call] of calls) {
      context.signal.throwIfAborted();
      const fault = await faultOfCall(key, call, bodies);
      await context.stdout.write(`${nameCall(key, call)}: ${fault === undefined ? "OK" : "FAILED"}\n`);
      if (fault === undefined) continue;
      context.note(`${nameCall(key, call)}: ${fault}`);
      failed++;
    }
    context.summary(`lock verify: ${calls.size - failed} verified, ${failed} not`);
    return failed > 0 ? EXIT.failed : EXIT.done;
  },
};

export default command;

async function verifyLive(context: CommandContext, calls: LockedCalls): Promise<number> {
  const { comparisons } = await askLockAgain(context, calls);
  const { callLines } = await import("@seqreg/again/replay/replay_text");
  for (const line of comparisons.flatMap(callLines)) await context.stdout.write(`${line}\n`);
  const differing = comparisons.filter(({ outcome }) => outcome !== "same").length;
  context.summary(`lock verify: ${comparisons.length - differing} the same, ${differing} differ`);
  return differing > 0 ? EXIT.differs : EXIT.done;
}
