/** `seqreg cache prune`: lists unused entries of the cache; with `--yes` it removes them. */
import type { CacheEntry } from "@seqreg/core/datasets";
import { countOf } from "@seqreg/core/contract/count_of";
import { pruneCache } from "@seqreg/core/datasets/prune_cache";
import { cacheFolder } from "@seqreg/core/io/files/cache_folder";
import { sizeOf, writeEntries } from "../../support/cache_row.ts";
import { type Command, EXIT, UsageError } from "../../support/command.ts";
import type { Flags } from "../../arguments/flags.ts";
import { QUIET_OPTION } from "../../support/ledger.ts";

const UNITS: ReadonlyMap<string, number> = new Map([
  ["", 1],
  ["kB", 1e3],
  ["MB", 1e6],
  ["GB", 1e9],
  ["TB", 1e12],
]);

const command: Command = {
  name: "cache prune",
  summary: "List unused files of the cache; with --yes, remove them",
  operands: "",
  operandCount: [0, 0],
  options: {
    "older-than": { type: "string", value: "DAYS", describe: "only entries that were last used more than DAYS ago" },
    "max-size": {
      type: "string",
      value: "SIZE",
      describe:
        "remove least recently used entries until the cache is at most SIZE, such as 20GB (default: everything)",
    },
    answers: {
      type: "boolean",
      describe: "also the answers of locks, which a registry may not give again (seqreg lock pack keeps them)",
    },
    yes: { type: "boolean", describe: "remove the entries (default: only list them)" },
    ...QUIET_OPTION,
  },
  examples: ["seqreg cache prune --older-than 90", "seqreg cache prune --max-size 20GB --yes"],
  permissions: ["--allow-read", "--allow-write", "--allow-env"],
  async run(context) {
    const { flags, signal } = context;
    const days = flags.integer("older-than", { least: 0, most: 100_000 });
    const maxBytes = readSize(flags);
    const remove = flags.has("yes");
    const inUse: CacheEntry[] = [];
    const answers: CacheEntry[] = [];
    const entries = await pruneCache({
      cache: cacheFolder(context.env),
      ...days !== undefined && { olderThanMs: days * 86_400_000 },
      maxBytes,
      remove,
      answers: flags.has("answers"),
      onInUse: (entry) => inUse.push(entry),
      onAnswerKept: (entry) => answers.push(entry),
      signal,
    });
    const what = await writeEntries(context, entries);
    for (const { path } of inUse) context.note(`${path} stays: a running program uses it; stop that program first`);
    if (answers.length > 0) {
      context.note(
        `${countOf(answers.length, "answer")} of locks, ${
          sizeOf(answers)
        }, stay: a registry may not give them again; ` +
          "keep them with seqreg lock pack, then add --answers",
      );
    }
    context.summary(
      remove ? `cache prune: removed ${what}` : `cache prune: ${what} can be removed; add --yes to remove`,
    );
    return EXIT.done;
  },
};

export default command;

/** Reads `--max-size`: bytes, or a number with kB, MB, GB or TB. */
function readSize(flags: Flags): number | undefined {
  const text = flags.text("max-size");
  if (text === undefined) return undefined;
  const match = /^([0-9]{1,15}(?:\.[0-9]{1,6})?) ?([kMGT]B)?$/.exec(text);
  const unit = match === null ? undefined : UNITS.get(match[2] ?? "");
  if (match === null || unit === undefined) {
    throw new UsageError(`Cannot use --max-size ${JSON.stringify(text)}: expected a size, such as 500MB or 20GB`);
  }
  return Math.floor(Number(match[1]) * unit);
}
