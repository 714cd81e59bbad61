/** `seqreg cache verify`: compares every archive, import, copy, lake and answer of the cache with its checksums. */
import { join } from "node:path";
import { verifyCache } from "@seqreg/core/datasets/cache_contents";
import { escapeName } from "@seqreg/core/io/digest";
import { cacheFolder } from "@seqreg/core/io/files/cache_folder";
import { listFolders } from "@seqreg/core/io/files";
import type { OnProgress } from "@seqreg/core/io/tasks";
import { type Command, EXIT } from "../../support/command.ts";
import { QUIET_OPTION } from "../../support/ledger.ts";
import { PROGRESS_OPTION } from "../../progress/progress_option.ts";
import { startProgress } from "../../support/progress.ts";

const command: Command = {
  name: "cache verify",
  summary: "Verify every archive, import, copy, lake and answer of a lock in the cache",
  operands: "",
  operandCount: [0, 0],
  options: { ...PROGRESS_OPTION, ...QUIET_OPTION },
  examples: ["seqreg cache verify"],
  permissions: ["--allow-read", "--allow-write", "--allow-env"],
  async run(context) {
    using progress = startProgress(context);
    const { onProgress } = progress;
    const { signal } = context;
    const cache = cacheFolder(context.env);
    const archives = await verifyCache({ cache, onProgress, signal });
    const { verifyImports } = await import("@seqreg/embedded/service/import/verify_imports");
    const imports = await verifyImports({ cacheFolder: cache, onProgress, signal });
    const { verifyCopies } = await import("@seqreg/embedded/service/import/verify_copies");
    const copies = await verifyCopies({ cacheFolder: cache, onProgress, signal });
    const { LockBodies } = await import("@seqreg/core/registry/lock");
    const verdicts = [
      ...archives.map(({ entry, ok, reason }) => ({ name: entry.name, ok, reason })),
      ...imports,
      ...copies,
      ...await verifyLakes(join(cache, "lake"), { onProgress, signal }),
      ...await new LockBodies(cache).verify({ onProgress, signal }),
    ];
    progress.clear();
    for (const { name, ok, reason } of verdicts) {
      await context.stdout.write(`${escapeName(name)}: ${ok ? "OK" : "FAILED"}\n`);
      if (!ok) context.note(reason);
    }
    const failed = verdicts.filter(({ ok }) => !ok).length;
    context.summary(`cache verify: ${verdicts.length - failed} verified, ${failed} not`);
    return failed > 0 ? EXIT.failed : EXIT.done;
  },
};

export default command;

/** Lakes of archives that the library keeps in the cache, with a verdict for each. */
async function verifyLakes(
  parent: string,
  { onProgress, signal }: { readonly onProgress: OnProgress; readonly signal: AbortSignal },
) {
  const { verifyLake } = await import("@seqreg/core/tables/lake/open/verify_lake");
  const verdicts = [];
  for (const name of await listFolders(parent)) {
    const bad = (await verifyLake(join(parent, name), { onProgress, signal })).filter(({ ok }) => !ok);
    const reason = bad.map((file) => file.reason).join("; ");
    verdicts.push({ name: `lake/${name}`, ok: bad.length === 0, reason });
  }
  return verdicts;
}
