/** The folder that an archive set, a lake or another set of files is written to. */
import { isObjectAddress, parseObjectAddress } from "@seqreg/core/io/objects/object_address";
import { readGiven, UsageError } from "./command.ts";

/** The folder of `-o`, which is required: standard output can hold only one file. */
export function requireFolder(folder: string | undefined, usage: string): string {
  if (folder !== undefined && isObjectAddress(folder)) {
    throw new UsageError(`Cannot write to ${folder}: only seqreg lake writes to an object store; expected ${usage}`);
  }
  if (folder !== undefined && folder !== "" && folder !== "-") return folder;
  throw new UsageError(`Cannot write several files without a folder: expected ${usage}`);
}

/** The folder of `-o`, or the address of a prefix in an object store. */
export function requireLakeTarget(target: string | undefined, usage: string): string {
  if (target === undefined || !isObjectAddress(target)) return requireFolder(target, usage);
  checkLakeAddress(target);
  return target;
}

/** Refuses what looks like an address of an object store and is not valid; a path is left as it is. */
export function checkLakeAddress(lake: string): void {
  if (isObjectAddress(lake)) readGiven(() => parseObjectAddress(lake));
}
