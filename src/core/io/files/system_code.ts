/**
 * The operating system's error code of an error.
 *
 * Deno gives most errors a `code` as Node.js does, but some, as polars does all, only the number in their text:
 * `File too large (os error 27)`. `tests/core/io/files/system_code_test.ts` fails when either words it otherwise.
 */
import { messageOf } from "../../errors.ts";

/** Codes of Deno's error classes: an error that a program made itself has no `code`. */
const CLASS_CODES: readonly (readonly [new (...args: never[]) => Error, string])[] = [
  [Deno.errors.NotFound, "ENOENT"],
  [Deno.errors.PermissionDenied, "EACCES"],
  [Deno.errors.NotADirectory, "ENOTDIR"],
  [Deno.errors.IsADirectory, "EISDIR"],
  [Deno.errors.AlreadyExists, "EEXIST"],
];

/** Codes by number (errno) of Linux and macOS, which differ in that of a quota. */
const NUMBER_CODES: ReadonlyMap<number, string> = new Map([
  [1, "EPERM"],
  [2, "ENOENT"],
  [13, "EACCES"],
  [17, "EEXIST"],
  [20, "ENOTDIR"],
  [21, "EISDIR"],
  [27, "EFBIG"],
  [28, "ENOSPC"],
  [30, "EROFS"],
  [Deno.build.os === "darwin" ? 69 : 122, "EDQUOT"],
]);

/**
 * Returns the error code of the operating system, such as `ENOSPC`; `EUNKNOWN` for a number without a name here;
 * `undefined` for an error that is not the system's.
 */
export function systemCode(cause: unknown): string | undefined {
  if (!(cause instanceof Error)) return undefined;
  if ("code" in cause && typeof cause.code === "string" && /^E[A-Z0-9]+$/.test(cause.code)) return cause.code;
  const found = CLASS_CODES.find(([errorClass]) => cause instanceof errorClass)?.[1];
  if (found !== undefined) return found;
  const number = OS_ERROR.exec(cause.message)?.[1];
  return number === undefined ? undefined : NUMBER_CODES.get(Number(number)) ?? "EUNKNOWN";
}

/** How the standard library of Rust words the system's errors, and what Deno appends: the call and its path. */
const OS_ERROR = / \(os error (\d+)\)(?::.*)?$/s;

/** The system's words for an error, without its number and the call. */
export function systemWords(cause: unknown): string {
  return messageOf(cause).replace(OS_ERROR, "");
}
