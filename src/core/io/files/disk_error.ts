/** What keeps a file or a folder from being read or written, told by the system's error code. */
import { systemCode, systemWords } from "./system_code.ts";
import { RegistryError } from "../../errors.ts";

const CHOOSE_FOLDER = "choose a folder you can write to";

/** Reason and next step by error code (errno of POSIX). */
const FAULTS: ReadonlyMap<string, readonly [why: string, next: string]> = new Map([
  ["ENOSPC", ["the disk is full", "free some space or choose another disk"]],
  ["EDQUOT", ["the disk quota is used up", "free some space or choose another disk"]],
  ["EFBIG", ["files of that size are not allowed there", "choose another folder"]],
  ["EROFS", ["permission denied, the file system is read-only", CHOOSE_FOLDER]],
  ["EACCES", ["permission denied", CHOOSE_FOLDER]],
  ["EPERM", ["permission denied", CHOOSE_FOLDER]],
  ["ENOENT", ["its folder does not exist", "make the folder first"]],
  ["ENOTDIR", ["the path, or a part of it, is a file, not a folder", "choose another name"]],
  ["EISDIR", ["a folder has that name", "choose another name"]],
  ["ENAMETOOLONG", ["the name is too long", "choose a shorter name"]],
  ["EEXIST", ["a file has that name", "choose another name"]],
]);

/** Whether the operating system refused to write a file or a folder for a reason that a user can remove. */
export function isDiskFault(cause: unknown): boolean {
  const code = systemCode(cause);
  return code !== undefined && code !== "ENOENT" && FAULTS.has(code);
}

/** Why a file or a folder cannot be used: the system's message for unknown codes. */
export function diskReason(cause: unknown): string {
  return FAULTS.get(systemCode(cause) ?? "")?.[0] ?? systemWords(cause);
}

/** What failed, and what to do about it. */
export interface DiskFailure {
  /** What could not be done, with its path, such as `write lake/a.parquet`. */
  readonly action: string;
  /** What to do next; what the reason suggests by default. */
  readonly next?: string;
}

/** Makes the error of a file or folder that cannot be used: `Cannot ACTION: REASON; NEXT STEP`. */
export function diskError(cause: unknown, { action, next }: DiskFailure): RegistryError {
  const [why, advice] = FAULTS.get(systemCode(cause) ?? "") ?? [systemWords(cause)];
  const step = next ?? advice;
  return new RegistryError("disk", `Cannot ${action}: ${why}${step === undefined ? "" : `; ${step}`}`, { cause });
}
