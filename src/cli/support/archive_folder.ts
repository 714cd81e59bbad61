/** The folder that an archive set is written into. */
import { UsageError } from "./command.ts";

/** The folder of `-o`, which these commands cannot do without: standard output holds one file only. */
export function requireFolder(folder: string | undefined, usage: string): string {
  if (folder !== undefined && folder !== "" && folder !== "-") return folder;
  throw new UsageError(`Cannot write archives without a folder: expected ${usage}`);
}
