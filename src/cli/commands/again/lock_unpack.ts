/** `seqreg lock unpack FILE`: the calls and answers of a packed lock. */
import { Readable } from "node:stream";
import { messageOf, ParseError, RegistryError } from "@seqreg/core/errors";
import { countOf } from "@seqreg/core/contract/count_of";
import { openBytes } from "@seqreg/core/io/bytes";
import { cacheFolder } from "@seqreg/core/io/files/cache_folder";
import { listsOf, type LockBodies, type LockedCall, type LockedCalls } from "@seqreg/core/registry/lock";
import { type Command, type CommandContext, EXIT } from "../../support/command.ts";
import { nameOf, sourceOf } from "../../support/fasta_input.ts";
import { QUIET_OPTION } from "../../support/ledger.ts";
import { LOCK_NAME, LOCK_OPTION, lockPath, nameCall } from "./_lock_file.ts";

/** A larger lock is not one: of calls that returned a million records it has less than a hundredth of that. */
const MOST_LOCK_BYTES = 64 << 20;

const command: Command = {
  name: "lock unpack",
  summary: "Unpack a packed lock: its calls into the lock, its answers into the cache",
  operands: "FILE",
  operandCount: [1, 1],
  options: { ...LOCK_OPTION, ...QUIET_OPTION },
  examples: ["seqreg lock unpack data.tar"],
  permissions: ["--allow-read", "--allow-write", "--allow-env"],
  async run(context) {
    const file = nameOf(context.operands[0]);
    const path = lockPath(context);
    const { LockBodies } = await import("@seqreg/core/registry/lock");
    const { mergeIntoLock, replacedText } = await import("@seqreg/core/registry/lock");
    const bodies = new LockBodies(cacheFolder(context.env));
    const calls = await unpack(context, file, bodies);
    for (const [key, call] of calls) {
      for (const { sha256 } of [call, ...listsOf(call.request)]) {
        if (await bodies.faultOf(sha256) === undefined) continue;
        throw new ParseError(
          `Cannot unpack ${file}: the answer of ${nameCall(key, call)} is missing; get the file again`,
        );
      }
    }
    await mergeIntoLock(path, calls, (replaced) => context.note(`warning: ${replacedText(path, replaced)}`));
    await context.stdout.write(`${path}\n`);
    context.summary(`lock unpack: ${countOf(calls.size, "call")}`);
    return EXIT.done;
  },
};

export default command;

/** Puts the answers into the cache; returns the calls, which come first in the file. */
async function unpack(context: CommandContext, file: string, bodies: LockBodies): Promise<LockedCalls> {
  const { operands: [operand], signal } = context;
  const { extract } = await import("tar-stream");
  const { parseLock } = await import("@seqreg/core/registry/lock");
  const tar = extract();
  // Other programs may have compressed it, or packed its folder again.
  const source = Readable.from(openBytes(sourceOf(context, operand), { name: file, signal }));
  source.on("error", (error) => tar.destroy(error));
  source.pipe(tar);
  let calls: LockedCalls | undefined;
  let byDigest = new Map<string, Pick<LockedCall, "sha256" | "bytes">>();
  try {
    for await (const entry of { [Symbol.asyncIterator]: () => tar[Symbol.asyncIterator]() }) {
      const { size } = entry.header;
      const name = entry.header.name.replace(/^\.\//, "");
      if (name === "" || name.endsWith("/")) {
        // The next entry follows when this one is read.
        for await (const _ of entry);
        continue;
      }
      if (calls === undefined) {
        if (name !== LOCK_NAME || size > MOST_LOCK_BYTES) {
          throw new ParseError(wrong(file, "it does not begin with a lock"));
        }
        const parts: Uint8Array<ArrayBuffer>[] = [];
        for await (const chunk of entry) parts.push(chunk.slice());
        calls = parseLock(await new Blob(parts).text(), `${LOCK_NAME} in ${file}`);
        const all = [...calls.values()].flatMap((call) => [call, ...listsOf(call.request)]);
        byDigest = new Map(all.map((each) => [each.sha256, each]));
        continue;
      }
      const digest = /^bodies\/([0-9a-f]{64})\.gz$/.exec(name)?.[1];
      const call = digest === undefined ? undefined : byDigest.get(digest);
      if (call === undefined) throw new ParseError(wrong(file, "it holds a file that its lock does not name"));
      await bodies.keep(call, entry);
    }
  } catch (cause) {
    if (cause instanceof RegistryError || cause instanceof ParseError || signal.aborted) throw cause;
    throw new ParseError(wrong(file, messageOf(cause)), {}, { cause });
  } finally {
    source.destroy();
    tar.destroy();
  }
  if (calls === undefined) throw new ParseError(wrong(file, "it is empty or not a tar archive"));
  return calls;
}

function wrong(file: string, why: string): string {
  return `Cannot unpack ${file}: expected what seqreg lock pack wrote, ${why}; get the file again`;
}
