/**
 * Holds the README, and the pages that its longer half became, to what the project does: code runs, output is real,
 * commands are those there are.
 */
import { assert, assertEquals } from "@std/assert";
import { runCli } from "./_cli.ts";
import { inFolder } from "./_files.ts";
import { QUERY_GRAMMAR } from "../src/core/query/grammar.ts";
import config from "../deno.json" with { type: "json" };

const ROOT = new URL("../", import.meta.url);
const README = await Deno.readTextFile(new URL("README.md", ROOT));

async function page(name: string): Promise<string> {
  return await Deno.readTextFile(new URL(`docs/${name}.md`, ROOT));
}

/** The TypeScript of the README and of a page, block by block, with what they say that the block prints. */
const BLOCKS = [
  ...`${README}\n${await page("archives_and_lakes")}`.matchAll(
    /```ts\n([\s\S]*?)```(?:\s*prints\s*```text\n([\s\S]*?)```)?/g,
  ),
].map(
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

Deno.test("the page on queries shows every form of a query", async () => {
  const queries = await page("queries");
  for (const { written, finds } of QUERY_GRAMMAR) {
    const row = queries.split("\n").find((line) => line.includes(`| ${finds.replaceAll("|", "\\|")} `));
    assert(row !== undefined, `docs/queries.md does not say: ${finds}`);
    for (const query of written) assert(row.includes(`\`${query.replaceAll("|", "\\|")}\``), `it lacks ${query}`);
  }
});

Deno.test("the README's commands are tasks that there are", () => {
  const tasks = [...README.matchAll(/deno(?:@[\d.]+)? task (?:--quiet )?([a-z]+)/g)].map(([, task]) => task);

  assert(tasks.length >= 4);
  for (const task of tasks) assert(Object.hasOwn(config.tasks, task), `there is no task ${task}`);
});

Deno.test("the README has at most 1,500 words", () => {
  const words = README.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word));
  assert(words.length <= 1500, `${words.length} words`);
});

Deno.test("every room's door is an export, and docs/permissions.md names its permissions", async () => {
  const permissions = await page("permissions");
  for (const name of Object.keys(config.exports)) {
    if (name === "./cli") continue;
    const entry = name === "." ? "seqreg" : `seqreg/${name.slice(2)}`;
    if (name !== "./notebook") assert(permissions.includes(`\`${entry}\``), `it does not name ${entry}`);
  }
});
