/** `seqreg init`, seen from a folder that is nowhere near the checkout. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { runCli } from "../../_cli.ts";
import { runInProcess } from "../../_program.ts";
import { withProject } from "../_project.ts";

Deno.test("a new project holds no path of the installation and no package", () =>
  withProject(async (folder) => {
    const config = JSON.parse(await Deno.readTextFile(`${folder}/deno.json`));
    assertEquals(config, { tasks: { lab: "seqreg lab .", run: "seqreg run first.ts", seqreg: "seqreg" } });
    for await (const { name } of Deno.readDir(folder)) {
      const text = await Deno.readTextFile(`${folder}/${name}`);
      assert(!/file:|npm:/.test(text) && !text.includes(new URL("../../../", import.meta.url).pathname), name);
    }
  }));

Deno.test("a new project runs its script wherever it is moved", () =>
  withProject(async (folder, env) => {
    const moved = `${folder} moved`;
    await Deno.rename(folder, moved);
    const { code, stdout, stderr } = await runCli(["run", "first.ts"], { cwd: moved, env, run: true });
    assertEquals([code, stdout], [0, "75 records from Kenya; complete: true\n"], stderr);
  }));

Deno.test("--lock makes a project whose calls are recorded", async () => {
  const folder = await Deno.makeTempDir();
  const { code, stderr } = await runInProcess(["init", `${folder}/a`, "--lock"]);
  assertEquals(code, 0, stderr);
  const opens = 'Registry.open(undefined, { lock: "seqreg.lock" })';
  assertStringIncludes(await Deno.readTextFile(`${folder}/a/first.ts`), opens);
  assertStringIncludes(await Deno.readTextFile(`${folder}/a/first.ipynb`), JSON.stringify(opens).slice(1, -1));
  assertEquals(JSON.parse(await Deno.readTextFile(`${folder}/a/deno.json`)).tasks.replay, "seqreg replay first.ts");
  await Deno.remove(folder, { recursive: true });
});

Deno.test("a folder that holds something is left alone", async () => {
  const folder = await Deno.makeTempDir();
  await Deno.writeTextFile(`${folder}/mine.txt`, "mine");
  const { code, stderr } = await runInProcess(["init", folder]);
  assertEquals(code, 1);
  assertStringIncludes(stderr, "it contains mine.txt; use a new folder");
  assertEquals((await Array.fromAsync(Deno.readDir(folder))).map(({ name }) => name), ["mine.txt"]);
  const below = await runInProcess(["init", `${folder}/mine.txt/project`]);
  assertStringIncludes(below.stderr, "is a file, not a folder; choose another name");
  await Deno.remove(folder, { recursive: true });
});
