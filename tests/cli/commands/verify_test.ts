import { assertEquals, assertStringIncludes } from "@std/assert";
import { runCli } from "../../_cli.ts";
import { runInProcess } from "../../_program.ts";
import { testWithPrograms } from "../../_needs.ts";
import { withFolder } from "../../core/datasets/_archive.ts";

/** Digest of the three bytes `abc`. */
const DIGEST = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

async function writeSet(folder: string): Promise<void> {
  const files: Readonly<Record<string, string>> = {
    "good.csv.gz": "abc",
    "good.sha256": `${DIGEST}  good.csv.gz\n`,
    "bad.csv.gz": "abd",
    "bad.sha256": `${DIGEST} *bad.csv.gz\r\n`,
    "gone.sha256": `SHA256 (gone.csv.gz) = ${DIGEST}\n`,
    "away.sha256": `${DIGEST}  ../good.csv.gz\n`,
    "broken.sha256": "<!doctype html>\n",
  };
  for (const [name, text] of Object.entries(files)) await Deno.writeTextFile(`${folder}/${name}`, text);
}

Deno.test("verify prints a verdict for each archive, looks beside the checksum file, and says what is wrong", async (t) => {
  const cases: Readonly<Record<string, [files: string[], code: number, stdout: string, says: string]>> = {
    "good": [["good"], 0, "good.csv.gz: OK\n", "1 verified, 0 not"],
    "damaged": [["bad"], 1, "bad.csv.gz: FAILED\n", `expected SHA-256 ${DIGEST}, got `],
    "missing": [["gone"], 1, "gone.csv.gz: FAILED open or read\n", "the file does not exist"],
    "elsewhere": [["away"], 1, "", "expected"],
    "not a checksum file": [["broken"], 1, "", "an HTML page"],
    "absent": [["nothing"], 1, "", "does not exist"],
    "several": [["bad", "good"], 1, "bad.csv.gz: FAILED\ngood.csv.gz: OK\n", "1 verified, 1 not"],
  };
  await withFolder(async (folder) => {
    await writeSet(folder);
    for (const [what, [files, code, stdout, says]] of Object.entries(cases)) {
      await t.step(what, async () => {
        const result = await runInProcess(["verify", ...files.map((name) => `${folder}/${name}.sha256`)]);
        assertEquals([result.code, result.stdout], [code, stdout], result.stderr);
        assertStringIncludes(result.stderr, says);
      });
    }
    const piped = await runCli(["verify", "-"], {
      cwd: folder,
      stdin: `${DIGEST}  good.csv.gz\n${DIGEST}  bad.csv.gz\n`,
    });
    assertEquals([piped.code, piped.stdout], [1, "good.csv.gz: OK\nbad.csv.gz: FAILED\n"]);
    const away = await runCli(["verify", "-"], { cwd: folder, stdin: `${DIGEST}  ./../good.csv.gz\n` });
    assertEquals([away.code, away.stdout], [1, ""]);
    const none = await runInProcess(["verify"]);
    assertEquals([none.code, none.stdout], [2, ""]);
  });
});

testWithPrograms(["sha256sum"], "verify prints what sha256sum --check prints", async () => {
  await withFolder(async (folder) => {
    await writeSet(folder);
    for (const name of ["good", "bad", "gone"]) {
      const ours = await runCli(["verify", `${name}.sha256`], { cwd: folder });
      const args = ["--check", `${name}.sha256`];
      const theirs = await new Deno.Command("sha256sum", { args, cwd: folder }).output();
      assertEquals([ours.stdoutBytes, ours.code], [theirs.stdout, theirs.code]);
    }
  });
});
