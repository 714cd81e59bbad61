/** The lines that give thirty laptops equal numbers: a class's lock, packed, unpacked elsewhere, and answered from. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { CLI_PERMISSIONS, NEUTRAL, RUN_QUIETLY } from "../_cli.ts";
import { inFolder } from "../_files.ts";
import { NEEDS_POSIX, testNeeding } from "../_needs.ts";
import { sampleFolder, serveFolder } from "../core/registry/_archives.ts";

const MAIN = new URL("../../src/cli/main.ts", import.meta.url).pathname;
const NAME = "Thirty laptops, equal numbers";

/** The blocks of commands of the section, line by line. */
async function readBlocks(): Promise<string[][]> {
  const page = await Deno.readTextFile(new URL("../../notebooks/README.md", import.meta.url));
  const [, section] = page.split(`### ${NAME}\n`);
  const blocks = section.split("\n### ")[0].matchAll(/^```sh\n([\s\S]*?)^```$/gm);
  return Array.from(blocks, ([, code]) => code.trimEnd().split("\n"));
}

testNeeding(
  NEEDS_POSIX,
  "the lines for thirty laptops give each the numbers of the first, without a network",
  async () => {
    const room = await Deno.readTextFile(new URL("../../docs/instructor/room.md", import.meta.url));
    assertStringIncludes(room, `[${NAME}](../../notebooks/README.md#thirty-laptops-equal-numbers)`);
    const [teacher, learner] = await readBlocks();
    await using archives = await sampleFolder(40);
    await inFolder(async (folder) => {
      const program = [Deno.execPath(), ...RUN_QUIETLY, ...CLI_PERMISSIONS, MAIN];
      // In place of JupyterLab, a question that a cell would ask.
      const script = `#!/bin/sh\nif [ "$1" = lab ]; then set -- search "$QUESTION" --format json; fi\n` +
        `exec ${program.map((word) => `'${word}'`).join(" ")} "$@"\n`;
      await Deno.mkdir(`${folder}/bin`);
      await Deno.writeTextFile(`${folder}/bin/seqreg`, script, { mode: 0o755 });
      const run = async (line: string, at: string, env: Readonly<Record<string, string>>) => {
        const { code, stdout, stderr } = await new Deno.Command("sh", {
          args: ["-c", line],
          cwd: `${folder}/${at}`,
          env: {
            ...NEUTRAL,
            PATH: `${folder}/bin:${Deno.env.get("PATH")}`,
            SEQREG_CACHE: `${folder}/${at}/cache`,
            QUESTION: "sequence_length:>500",
            ...env,
          },
        }).output();
        const [printed, said] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
        return { code, printed, said };
      };
      const runAll = async (lines: readonly string[], at: string, url: string) => {
        const printed: string[] = [];
        for (const line of lines) {
          const result = await run(line, at, { SEQREG_URL: url });
          assertEquals(result.code, 0, `${line}: ${result.said}`);
          printed.push(result.printed);
        }
        return printed;
      };
      for (const at of ["teacher", "laptop"]) await Deno.mkdir(`${folder}/${at}`);
      let url = "";
      let answers: string[];
      {
        await using server = await serveFolder(archives);
        ({ url } = server);
        answers = await runAll(teacher, "teacher", url);
      }
      await Deno.copyFile(`${folder}/teacher/class.tar`, `${folder}/laptop/class.tar`);
      const again = await runAll(learner, "laptop", url);
      assertEquals([JSON.parse(answers[0]).results.length > 0, again.at(-1)], [true, answers[0]]);
      const other = await run(learner.at(-1)!, "laptop", { SEQREG_URL: url, QUESTION: "country:Kenya" });
      assertEquals([other.code, other.printed], [1, ""]);
      assertStringIncludes(other.said, "country:Kenya");
    });
  },
);
