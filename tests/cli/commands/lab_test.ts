/** JupyterLab as `seqreg lab` starts it; the real one is in `tests/browser`. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { NEUTRAL, runCli } from "../../_cli.ts";
import { fromFileUrl, inFolder } from "../../_files.ts";
import { NEEDS_POSIX, testNeeding } from "../../_needs.ts";

Deno.test("lab says exactly how to get JupyterLab without it", () =>
  inFolder(async (folder) => {
    const { code, stderr } = await new Deno.Command(Deno.execPath(), {
      args: [
        "run",
        "--allow-read",
        "--allow-write",
        "--allow-env",
        "--allow-run",
        new URL("../../../src/cli/main.ts", import.meta.url).pathname,
        "lab",
        folder,
      ],
      env: { ...NEUTRAL, PATH: folder, SEQREG_CACHE: `${folder}/cache` },
    }).output();

    assertEquals(code, 1);
    const said = new TextDecoder().decode(stderr);
    assertStringIncludes(said, "Cannot open JupyterLab: it is not installed");
    assertStringIncludes(said, "-m venv jupyter && jupyter");
  }));

/** A JupyterLab that prints with which arguments it is started. */
async function putJupyter(folder: string): Promise<void> {
  await Deno.writeTextFile(`${folder}/jupyter`, '#!/bin/sh\nfor arg in "$@"; do echo "$arg"; done\n', { mode: 0o755 });
}

testNeeding(
  NEEDS_POSIX,
  "lab opens the first lesson or a folder, and passes on what is behind --",
  () =>
    inFolder(async (folder) => {
      await putJupyter(folder);
      const env = { PATH: folder, SEQREG_CACHE: `${folder}/cache` };
      const lab = (...args: readonly string[]) => runCli(["lab", "-q", ...args], { env, run: true });
      const lessons = fromFileUrl(new URL("../../../notebooks/", import.meta.url));

      const first = await lab();
      assertEquals(first.stdout, `lab\n${lessons}\n--LabApp.default_url=/lab/tree/01_first_contact.ipynb\n`);
      assertEquals((await Deno.stat(`${lessons}01_first_contact.ipynb`)).isFile, true);
      const own = await lab(folder, "--no-browser", "--port", "9000", "--", "--allow-root");
      assertEquals([own.code, own.stdout], [0, `lab\n${folder}\n--no-browser\n--port=9000\n--allow-root\n`]);
      assertEquals((await lab("--", "--allow-root")).stdout.split("\n").at(-2), "--allow-root");

      const two = await lab(folder, "other");
      assertEquals(two.code, 2);
      assertStringIncludes(two.stderr, 'Unexpected argument "other": expected seqreg lab [DIR]');
      assertEquals((await lab("--allow-root")).code, 2);
    }),
);
