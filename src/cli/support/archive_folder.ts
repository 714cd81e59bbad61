/** The folder that an archive set is written to. */
import { UsageError } from "./command.ts";

/** The folder of `-o`, which is required: standard output can hold only one file. */
export function requireFolder(folder: string | undefined, usage: string): string {
  if (folder !== undefined && folder !== "" && folder !== "-") return folder;
  throw new UsageError(`Cannot write archives without a folder: expected ${usage}`);
}
