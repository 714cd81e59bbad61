/** What keeps files from being written is told by the system's code. */
import { assert, assertEquals } from "@std/assert";
import { diskError, isDiskFault } from "../../../../src/core/io/files/disk_error.ts";
import { systemCode } from "../../../../src/core/io/files/system_code.ts";

Deno.test("diskError() names the reason and the next step by the error's code", () => {
  const faults: Record<string, string> = {
    ENOSPC: "the disk is full; free some space",
    EDQUOT: "the disk quota is used up; free some space",
    EFBIG: "files of that size are not allowed there; choose another folder",
    EROFS: "permission denied, the file system is read-only; choose a folder you can write to",
    EACCES: "permission denied; choose a folder you can write to",
    ENOTDIR: "the path, or a part of it, is a file, not a folder; choose another name",
  };
  for (const [code, words] of Object.entries(faults)) {
    const cause = Object.assign(new Error("the system's words (os error 0)"), { code });
    assert(isDiskFault(cause), code);
    const error = diskError(cause, { action: "write a" });
    assertEquals([error.code, error.cause], ["disk", cause]);
    assert(error.message.startsWith(`Cannot write a: ${words}`), error.message);
  }
  assertEquals(
    diskError(new Error("Input/output error (os error 5): write"), { action: "write a", next: "check it" }).message,
    "Cannot write a: Input/output error; check it",
  );
  for (const other of [new RangeError("No space left on device"), "ENOSPC", new DOMException("", "AbortError")]) {
    assertEquals([isDiskFault(other), systemCode(other)], [false, undefined]);
  }
});
