/** What a query or an analysis reads: a lake, or a person's table that becomes one for as long as it is read. */
import { join } from "node:path";
import { RegistryError } from "@seqreg/core/errors";
import { isObjectAddress } from "@seqreg/core/io/objects/object_address";
import type { LedgerEntry } from "@seqreg/core/contract/ledger_entries";
import type { Lake } from "@seqreg/core/tables";
import { checkLakeAddress } from "../support/archive_folder.ts";
import { type CommandContext, UsageError } from "../support/command.ts";
import type { readEngine } from "../support/engine.ts";
import { manifestEntries, unreadEntries } from "@seqreg/core/tables/lake/build/manifest_entries";
import { refuseTableOptions, tableOptions, usage } from "./table_options.ts";

export interface OpenedLake extends AsyncDisposable {
  readonly lake: Lake;
  /** What is unusual about a table, and why rows of it are absent; a lake's own was reported when it was built. */
  readonly entries: readonly LedgerEntry[];
}

/** Opens a lake; a table becomes one in a temporary folder, typed as `seqreg lake` does it. */
export async function openLakeOrTable(
  context: CommandContext,
  source: string,
  engine: Awaited<ReturnType<typeof readEngine>>,
): Promise<OpenedLake> {
  const { signal } = context;
  const { openLake } = await import("@seqreg/core/tables/lake/open/open_lake");
  const open = async (folder: string) => await openLake(folder, { engine });
  checkLakeAddress(source);
  if (isObjectAddress(source) || await isFolder(source)) {
    refuseTableOptions(context, source);
    const lake = await open(source);
    return { lake, entries: [], [Symbol.asyncDispose]: () => lake[Symbol.asyncDispose]() };
  }
  if (engine !== undefined) {
    throw new UsageError(
      `Cannot use --engine with the file ${source}: an engine reads only lakes; build one by ` +
        `seqreg lake ${source} -o LAKE and name LAKE instead, or leave --engine out`,
    );
  }
  const { buildLake } = await import("@seqreg/core/tables/lake/objects/build_any_lake");
  const { createScratchFolder } = await import("@seqreg/core/io/files/scratch_folder");
  await using opening = new AsyncDisposableStack();
  const folder = join(opening.use(await createScratchFolder("table")).path, "lake");
  const options = { ...tableOptions(context), signal };
  const tables = await usage(() => buildLake(source, folder, options));
  const lake = opening.use(await open(folder));
  const manifests = tables.map(({ manifest }) => manifest);
  const entries = [...manifests.flatMap((each) => unreadEntries(source, each)), ...manifestEntries(manifests)];
  const opened = opening.move();
  return { lake, entries, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}

async function isFolder(path: string): Promise<boolean> {
  const info = await Deno.stat(path).catch((cause) => {
    if (!(cause instanceof Deno.errors.NotFound)) throw cause;
    throw new RegistryError("disk", `Cannot read ${path}: it does not exist; name the folder of a lake, or a table`, {
      cause,
    });
  });
  return info.isDirectory;
}
