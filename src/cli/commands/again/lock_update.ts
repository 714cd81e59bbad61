/** `seqreg lock update [CALL…]`: the answers of a lock as they are today. */
import { type Command, EXIT, UsageError } from "../../support/command.ts";
import { QUIET_OPTION } from "../../support/ledger.ts";
import { askLockAgain, REACH_OPTIONS } from "./_ask_lock_again.ts";
import { LOCK_OPTION, lockPath, nameCall, openLock } from "./_lock_file.ts";

const command: Command = {
  name: "lock update",
  summary: "Ask the calls of a lock again, and record what the registry answers now",
  operands: "[CALL…]",
  operandCount: [0, Infinity],
  options: { ...LOCK_OPTION, ...REACH_OPTIONS, ...QUIET_OPTION },
  examples: ["seqreg search country:Kenya --lock seqreg.lock && seqreg lock update"],
  help: [{
    title: "CALL",
    lines: [
      "The beginning of a call's digest, as seqreg lock show prints it; all calls without one.",
      "All are asked before the lock is written. An answer with the same records stays as it is recorded.",
    ],
  }],
  permissions: ["--allow-read", "--allow-write", "--allow-env", "--allow-net", "--allow-sys", "--allow-ffi"],
  async run(context) {
    const path = lockPath(context);
    for (const text of context.operands) {
      if (!/^[0-9a-f]{1,64}$/.test(text)) {
        throw new UsageError(
          `Cannot update the call ${JSON.stringify(text)}: expected the beginning of its digest, such as 0a1b2c; a ` +
            "lock is named by --lock",
        );
      }
    }
    const known = await openLock(path);
    const wanted = context.operands.length === 0 ? known : new Map(context.operands.flatMap((start) => {
      const found = [...known].filter(([key]) => key.startsWith(start));
      if (found.length > 0) return found;
      throw new UsageError(`Cannot update the call ${start}: ${path} does not hold it; see seqreg lock show`);
    }));
    const { comparisons, answers } = await askLockAgain(context, wanted);
    const { mergeIntoLock } = await import("@seqreg/core/registry/lock");
    // What a lock states of an answer may have been edited, although the answer is the same.
    const isEdited = (key: string) => {
      const [old, now] = [wanted.get(key)!, answers.get(key)!];
      return old.set !== now.set || old.records !== now.records;
    };
    const differing = comparisons.filter(({ key, outcome }) => outcome !== "same" || isEdited(key))
      .map(({ key }) => key);
    if (differing.length > 0) await mergeIntoLock(path, new Map(differing.map((key) => [key, answers.get(key)!])));
    for (const { key } of comparisons) {
      const what = differing.includes(key) ? "updated" : "same";
      await context.stdout.write(`${nameCall(key, wanted.get(key)!)}: ${what}\n`);
    }
    context.summary(`lock update: ${differing.length} updated, ${comparisons.length - differing.length} the same`);
    return EXIT.done;
  },
};

export default command;
