/** Holds the README to what the project does: its code runs, its output is real, its commands are those there are. */
import { assert, assertEquals } from "@std/assert";
import { runCli } from "./_cli.ts";
import { inFolder } from "./_files.ts";
import { QUERY_GRAMMAR } from "../src/service/query/grammar.ts";
import config from "../deno.json" with { type: "json" };

const ROOT = new URL("../", import.meta.url);
const README = await Deno.readTextFile(new URL("README.md", ROOT));

/** The TypeScript of the README, block by block, with what it says that the block prints. */
const BLOCKS = [...README.matchAll(/```ts\n([\s\S]*?)```(?:\s*prints\s*```text\n([\s\S]*?)```)?/g)].map(
  ([, code, output]) => ({ code, output }),
);

Deno.test("the README's TypeScript runs as it stands in a folder of one's own, and prints what it says", async (t) => {
  assert(BLOCKS.length >= 4 && BLOCKS.filter(({ output }) => output !== undefined).length >= 2);
  await inFolder(async (folder) => {
    const env = { SEQREG_CACHE: `${folder}/cache` };
    await runCli(["init", `${folder}/own`, "-q"], { env });
    for (const [index, { code, output }] of BLOCKS.entries()) {
      await t.step(code.split("\n").at(-2) ?? "", async () => {
        await Deno.writeTextFile(`${folder}/own/block_${index}.ts`, code);
        const run = await runCli(["run", `block_${index}.ts`], { cwd: `${folder}/own`, env, run: true });
        assertEquals([run.code, run.stderr], [0, ""]);
        if (output !== undefined) assertEquals(run.stdout, output);
      });
    }
  });
});

Deno.test("the README shows every form of a query", () => {
  for (const { written, finds } of QUERY_GRAMMAR) {
    const row = README.split("\n").find((line) => line.includes(`| ${finds.replaceAll("|", "\\|")} `));
    assert(row !== undefined, `the README does not say: ${finds}`);
    for (const query of written) assert(row.includes(`\`${query.replaceAll("|", "\\|")}\``), `it lacks ${query}`);
  }
});

Deno.test("the README's commands are tasks that there are", () => {
  const tasks = [...README.matchAll(/deno(?:@[\d.]+)? task (?:--quiet )?([a-z]+)/g)].map(([, task]) => task);

  assert(tasks.length >= 4);
  for (const task of tasks) assert(Object.hasOwn(config.tasks, task), `there is no task ${task}`);
});

Deno.test("the README says in 1,400 words what comes before its reference", () => {
  const [start] = README.split("\n# Reference\n");
  const words = start.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word));
  assert(words.length <= 1400, `${words.length} words`);
});

Deno.test("every room's door is an export, and the README names its permissions", () => {
  for (const name of Object.keys(config.exports)) {
    if (name === "./cli") continue;
    const entry = name === "." ? "seqreg" : `seqreg/${name.slice(2)}`;
    if (name !== "./notebook") assert(README.includes(`\`${entry}\``), `the README does not name ${entry}`);
  }
});
