/** The system's error code of an error of Deno. That of polars: `tests/core/tables/types/write_with_polars_test.ts`. */
import { assertEquals } from "@std/assert";
import { NEEDS_LINUX, testNeeding } from "../../../_needs.ts";
import { systemCode, systemWords } from "../../../../src/core/io/files/system_code.ts";

/** Prints message and code of what writing to a full disk throws; Deno opens the device only with all permissions. */
const FULL_DISK = `
  const errors = [];
  const keep = (error) => errors.push({ message: error.message, code: error.code });
  const file = await Deno.open("/dev/full", { write: true });
  await file.write(Uint8Array.of(1)).catch(keep);
  await Deno.writeFile("/dev/full", Uint8Array.of(1)).catch(keep);
  try {
    file.writeSync(Uint8Array.of(1));
  } catch (error) {
    keep(error);
  }
  console.log(JSON.stringify(errors));
`;

testNeeding(NEEDS_LINUX, "Deno's errors of a full disk carry the code ENOSPC, written at once or not", async () => {
  const { stdout } = await new Deno.Command(Deno.execPath(), { args: ["eval", FULL_DISK] }).output();
  const thrown: { message: string; code: string }[] = JSON.parse(new TextDecoder().decode(stdout));
  const errors = thrown.map(({ message, code }) => Object.assign(new Error(message), { code }));
  assertEquals(errors.map(systemCode), ["ENOSPC", "ENOSPC", "ENOSPC"]);
  // Some errors have no code: this fails when Deno words the number otherwise.
  assertEquals(errors.map(({ message }) => systemCode(new Error(message))), ["ENOSPC", "ENOSPC", "ENOSPC"]);
  assertEquals(new Set(errors.map(systemWords)), new Set(["No space left on device"]));
});

Deno.test("systemCode() reads the number where there is no code, and nothing else of the text", () => {
  const codes = ["File too large (os error 27)", "x (os error 99): write 'a'", "os error 27", "(os error 28) in b"];
  assertEquals(codes.map((text) => systemCode(new Error(text))), ["EFBIG", "EUNKNOWN", undefined, undefined]);
});
