/** What is reported when the results before an error cannot be written either. */
import { assertEquals } from "@std/assert";
import { runProgram } from "../../src/cli/main.ts";
import { RegistryError } from "../../src/core/errors.ts";

const FULL = "Cannot write to standard output: no space left on device; free some space, or use --output FILE";

Deno.test("an error is reported although the results before it cannot be written", async () => {
  const cases: readonly [args: readonly string[], code: number, says: string][] = [
    [["fasta", "stats", "/no-such-folder/a.fasta"], 1, "/no-such-folder/a.fasta"],
    [["serach"], 2, "did you mean search?"],
  ];
  for (const [args, expected, says] of cases) {
    let printed = "";
    const code = await runProgram(args, {
      stdout: { write: () => Promise.resolve(), flush: () => Promise.reject(new RegistryError("disk", FULL)) },
      isTerminal: false,
      signal: new AbortController().signal,
      stdin: () => new ReadableStream(),
      writeError: (text) => printed += text,
      env: () => undefined,
      allowedEnv: () => undefined,
    });
    const [first, second, ...rest] = printed.trimEnd().split("\n");
    assertEquals([code, first, second?.includes(says), rest], [expected, `seqreg: ${FULL}`, true, []], printed);
  }
});
