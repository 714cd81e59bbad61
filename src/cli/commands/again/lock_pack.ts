/** `seqreg lock pack -o FILE`: a lock and its answers as one tar archive. */
import { countOf } from "@seqreg/core/contract/count_of";
import { RegistryError } from "@seqreg/core/errors";
import { cacheFolder } from "@seqreg/core/io/files/cache_folder";
import { readBytes } from "@seqreg/core/io/bytes";
import type { TarEntry } from "../../bundle/tar.ts";
import { type Command, EXIT, UsageError } from "../../support/command.ts";
import { QUIET_OPTION } from "../../support/ledger.ts";
import { OUTPUT_OPTION, withOutput } from "../../support/output.ts";
import { LOCK_NAME, LOCK_OPTION, lockPath, nameCall, openLock } from "./_lock_file.ts";

const command: Command = {
  name: "lock pack",
  summary: "Pack a lock and its answers into one file to deposit",
  operands: "",
  operandCount: [0, 0],
  options: { ...LOCK_OPTION, ...OUTPUT_OPTION, ...QUIET_OPTION },
  examples: ["seqreg search country:Kenya --lock seqreg.lock && seqreg lock pack -o data.tar"],
  help: [{
    title: "What is in the file",
    lines: [
      "A tar archive: seqreg.lock, and each answer and long list of a request as bodies/SHA-256.gz. Archives are not in",
      "it: seqreg mirror copies them.",
    ],
  }],
  permissions: ["--allow-read", "--allow-write", "--allow-env"],
  async run(context) {
    if (!context.flags.text("output")) throw new UsageError("Too few arguments: expected seqreg lock pack -o FILE");
    const calls = await openLock(lockPath(context));
    const { LockBodies } = await import("@seqreg/core/registry/lock");
    const { listsOf } = await import("@seqreg/core/registry/lock");
    const { lockText } = await import("@seqreg/core/registry/lock");
    const { writeTar } = await import("../../bundle/tar.ts");
    const bodies = new LockBodies(cacheFolder(context.env));
    const lock = new TextEncoder().encode(lockText(calls));
    const entries: TarEntry[] = [{ path: LOCK_NAME, bytes: lock.length, open: () => ReadableStream.from([lock]) }];
    const digests = new Set<string>();
    for (const [key, call] of calls) {
      context.signal.throwIfAborted();
      for (const { sha256 } of [call, ...listsOf(call.request)]) {
        if (digests.has(sha256)) continue;
        const fault = await bodies.faultOf(sha256);
        if (fault !== undefined) {
          throw new RegistryError(
            "damaged",
            `Cannot pack ${nameCall(key, call)}: its ${
              sha256 === call.sha256 ? "answer" : "request"
            } in the cache is ` +
              `${fault}; record it again, without --offline`,
          );
        }
        digests.add(sha256);
        const path = bodies.pathOf(sha256);
        const open = async function* () {
          for await (const chunk of readBytes(path)) yield chunk.slice();
        };
        entries.push({ path: `bodies/${sha256}.gz`, bytes: (await Deno.stat(path)).size, open });
      }
    }
    await withOutput(context, async (output) => {
      for await (const chunk of writeTar(entries)) {
        context.signal.throwIfAborted();
        await output.write(chunk);
      }
    });
    context.summary(`lock pack: ${countOf(calls.size, "call")}, ${digests.size} answers and lists`);
    return EXIT.done;
  },
};

export default command;
