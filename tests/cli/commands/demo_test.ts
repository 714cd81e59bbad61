import { assertEquals, assertStringIncludes } from "@std/assert";
import { runCli } from "../../_cli.ts";
import { inFolder } from "../../_files.ts";

Deno.test("demo runs whatever the environment names or forbids, and leaves no trace of it", () =>
  inFolder(async (folder) => {
    const env = { SEQREG_OFFLINE: "1", SEQREG_LOCK: `${folder}/seqreg.lock`, SEQREG_URL: "https://registry.invalid" };
    const { code, stdout, stderr } = await runCli(["demo"], { env });
    assertEquals(code, 0, stderr);
    assertStringIncludes(stdout, "A copy with one bit flipped is refused");
    assertStringIncludes(stdout, "== Next");
    assertEquals(await Array.fromAsync(Deno.readDir(folder)), []);
  }));
