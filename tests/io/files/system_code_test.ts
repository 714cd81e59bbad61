/** The system's error code of an error of Deno. That of polars: `tests/tables/types/write_with_polars_test.ts`. */
import { assertEquals } from "@std/assert";
import { systemCode, systemWords } from "../../../src/io/files/system_code.ts";

Deno.test({
  name: "Deno's errors of a full disk carry the code ENOSPC, written at once or not",
  ignore: Deno.build.os !== "linux",
  async fn() {
    using file = await Deno.open("/dev/full", { write: true });
    const errors = [
      await file.write(Uint8Array.of(1)).catch((error) => error),
      await Deno.writeFile("/dev/full", Uint8Array.of(1)).catch((error) => error),
    ];
    try {
      file.writeSync(Uint8Array.of(1));
    } catch (error) {
      errors.push(error);
    }
    assertEquals(errors.map(systemCode), ["ENOSPC", "ENOSPC", "ENOSPC"]);
    // Some errors have no code: this fails when Deno words the number otherwise.
    assertEquals(errors.map(({ message }) => systemCode(new Error(message))), ["ENOSPC", "ENOSPC", "ENOSPC"]);
    assertEquals(new Set(errors.map(systemWords)), new Set(["No space left on device"]));
  },
});

Deno.test("systemCode() reads the number where there is no code, and nothing else of the text", () => {
  const codes = ["File too large (os error 27)", "x (os error 99): write 'a'", "os error 27", "(os error 28) in b"];
  assertEquals(codes.map((text) => systemCode(new Error(text))), ["EFBIG", "EUNKNOWN", undefined, undefined]);
});
