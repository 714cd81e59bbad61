import { assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { runCli } from "../../_cli.ts";
import { findCache } from "../../../src/cli/support/cache_finding.ts";
import { inFolder } from "../../_files.ts";

const { signal } = new AbortController();
const ADVICE = "set SEQREG_CACHE to a folder that you can write to";

Deno.test("doctor says of a cache whether it can be used, and leaves nothing there", async (t) => {
  await inFolder(async (folder) => {
    await Deno.writeTextFile(join(folder, "file"), "twelve bytes");
    const places: Readonly<Record<string, [path: string, says: string, advice: string | undefined]>> = {
      "a folder": [folder, ", 12 B", undefined],
      "a folder that is not made yet": [join(folder, "a", "b"), "not made yet", undefined],
      "a file": [join(folder, "file"), "the path, or a part of it, is a file, not a folder", ADVICE],
      "a folder below a file": [join(folder, "file", "a"), "is a file, not a folder", ADVICE],
    };
    for (const [what, [path, says, advice]] of Object.entries(places)) {
      await t.step(what, async () => {
        const finding = await findCache((name) => name === "SEQREG_CACHE" ? path : undefined, signal);
        assertStringIncludes(finding.state, path);
        assertStringIncludes(finding.state, says);
        assertEquals([finding.advice, finding.isProblem], [advice, advice === undefined ? undefined : true]);
      });
    }
    assertEquals((await Array.fromAsync(Deno.readDir(folder))).length, 1);
  });
});

Deno.test({
  name: "doctor says that a cache cannot be written",
  permissions: { read: true, write: false },
  async fn() {
    const finding = await findCache((name) => name === "SEQREG_CACHE" ? import.meta.dirname : undefined, signal);

    assertStringIncludes(finding.state, "cannot be written");
    assertEquals(finding.advice, ADVICE);
  },
});

Deno.test("doctor ends with an exit code of its own where the cache cannot be made", async () => {
  const file = await Deno.makeTempFile();
  try {
    const { code, stdout } = await runCli(["doctor"], { env: { SEQREG_CACHE: join(file, "cache") } });
    assertEquals(code, 4);
    assertStringIncludes(stdout, ADVICE);
  } finally {
    await Deno.remove(file);
  }
});

Deno.test("doctor names a SEQREG_URL that cannot be used, without the credentials in it", async () => {
  const { code, stdout } = await runCli(["doctor"], { env: { SEQREG_URL: "https://ada:secret@registry.example" } });
  assertEquals([code, stdout.includes("secret")], [4, false]);
  assertStringIncludes(stdout, "SEQREG_URL cannot be used (Cannot open the registry at https://registry.example/: ");
});
