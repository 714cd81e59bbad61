/** `docs/real_genomes.md` prints the output on the page: each block of commands runs, and is followed by its output. */
import { assert, assertEquals } from "@std/assert";
import { CLI_PERMISSIONS, NEUTRAL, RUN_QUIETLY } from "../../_cli.ts";
import { inFolder } from "../../_files.ts";

const ROOT = new URL("../../../", import.meta.url);
const BLOCK = /^```sh\n([\s\S]*?)^```\n(?:\n```text\n([\s\S]*?)^```\n)?/gm;

Deno.test("commands of docs/real_genomes.md print the output on the page", async (t) => {
  const page = await Deno.readTextFile(new URL("docs/real_genomes.md", ROOT));
  const blocks = [...page.matchAll(BLOCK)];
  assert(blocks.filter(([, , printed]) => printed !== undefined).length >= 3);
  const main = new URL("src/cli/main.ts", ROOT).pathname;
  const command = [Deno.execPath(), ...RUN_QUIETLY, ...CLI_PERMISSIONS, main].map((word) => `"${word}"`).join(" ");
  await inFolder(async (folder) => {
    for (const [, code, printed] of blocks) {
      await t.step(code.split("\n")[0], async () => {
        const { success, stdout, stderr } = await new Deno.Command("bash", {
          args: ["-c", `seqreg() { ${command} "$@"; }\n${code}`],
          cwd: folder,
          env: { ...NEUTRAL, LC_ALL: "C.UTF-8", SEQREG_CACHE: `${folder}/cache` },
        }).output();
        const decoder = new TextDecoder();
        assert(success, decoder.decode(stderr));
        if (printed !== undefined) assertEquals(decoder.decode(stdout), printed, decoder.decode(stderr));
      });
    }
  });
});
