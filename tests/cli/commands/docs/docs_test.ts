/** `seqreg docs` as a program: its first line is the address, and it ends when it is asked to. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { runInProcess } from "../../../_program.ts";

Deno.test("docs refuses wrong usage before any work", async () => {
  for (const args of [["docs", "page"], ["docs", "--port", "x"], ["docs", "--prot", "1"]]) {
    const { code, stdout, stderr } = await runInProcess(args);
    assertEquals([code, stdout], [2, ""], stderr);
  }
});

Deno.test("docs states that it opens a browser, and how not to", async () => {
  const { code, stdout } = await runInProcess(["docs", "--help"]);
  assertEquals(code, 0);
  assertStringIncludes(stdout, "--no-browser");
  assert(stdout.includes("--port N"));
});
