/** A folder that `seqreg init` has made, nowhere near the checkout. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { runCli } from "../_cli.ts";
import { inFolder } from "../_files.ts";

/** Makes a project, runs work in it, and removes it. */
export async function withProject(work: (folder: string, env: Record<string, string>) => Promise<void>): Promise<void> {
  await inFolder(async (base) => {
    const folder = `${base}/my analysis`;
    const { code, stdout, stderr } = await runCli(["init", folder]);
    assertEquals([code, stdout], [
      0,
      ["deno.json", "first.ts", "first.ipynb", ".gitignore"].map((name) => `${folder}/${name}\n`).join(""),
    ]);
    assertStringIncludes(stderr, "seqreg lab");
    await work(folder, { SEQREG_CACHE: `${base}/cache`, SEQREG_URL: "" });
  });
}
