/** `deno task affected` and `deno task test:slow`: which tests a change can affect, and which are slow. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { affectedTests } from "./_affected_tests.ts";
import { changedFiles, commitBack } from "./_changed_files.ts";
import { git, inProject } from "./_project_folder.ts";
import { slowestTests } from "./_slowest_tests.ts";
import { testCommand } from "./_test_task.ts";

Deno.test("tests are affected by what they import at any depth, and by modules that they are named after", async () => {
  const files = {
    "src/core/deep.ts": "export type Deep = number;",
    "src/core/top.ts": `import type { Deep } from "./deep.ts"; export const top: Deep = 1;`,
    "src/cli/commands/_loaded.ts": "export const loaded = 1;",
    "tests/_helper.ts": `export { top } from "../src/core/top.ts";`,
    "tests/core/top_test.ts": `import "../_helper.ts";`,
    "tests/core/late_test.ts": `await import("../../src/core/top.ts");`,
    "tests/cli/commands/loaded_test.ts": "",
    "tests/cli/commands/loaded_twice_test.ts": "",
    "tests/cli/commands/loadedness_test.ts": "",
  };
  await inProject(files, async (root) => {
    const affected = (...changed: string[]) => affectedTests(changed, root);
    const both = ["tests/core/late_test.ts", "tests/core/top_test.ts"];

    assertEquals(await affected("src/core/deep.ts"), both);
    assertEquals(await affected("tests/_helper.ts"), ["tests/core/top_test.ts"]);
    assertEquals(await affected("tests/core/top_test.ts", "README.md"), ["tests/core/top_test.ts"]);
    assertEquals(await affected("src/cli/commands/_loaded.ts"), [
      "tests/cli/commands/loaded_test.ts",
      "tests/cli/commands/loaded_twice_test.ts",
    ]);
    assertEquals(await affected("README.md"), []);
  });
});

Deno.test("changed files are those since a commit, not committed ones included", async () => {
  await inProject({ "kept.ts": "1", "changed.ts": "1", "removed.ts": "1", ".gitignore": "out\n" }, async (root) => {
    await git(root, "init", "--quiet");
    await git(root, "add", ".");
    await git(root, "commit", "--quiet", "-m", "first");
    await Deno.writeTextFile(`${root}changed.ts`, "2");
    await git(root, "commit", "--quiet", "-am", "second");
    await Deno.remove(`${root}removed.ts`);
    for (const name of ["new é.ts", "out"]) await Deno.writeTextFile(root + name, "1");

    assertEquals(await changedFiles(await commitBack(20, root), root), ["changed.ts", "new é.ts", "removed.ts"]);
    assertEquals(await changedFiles(await commitBack(0, root), root), ["new é.ts", "removed.ts"]);
    assertEquals(await changedFiles("HEAD", root), ["new é.ts", "removed.ts"]);
    await assertRejects(() => changedFiles("unknown", root), Error, "unknown");
  });
});

Deno.test("tests that are chosen run with the limit and the permissions of the task test", () => {
  const { args, env } = testCommand("tests/words_test.ts");

  assertEquals(env, { DENO_JOBS: "4" });
  assertEquals([args[0], args.at(-1)], ["run", "tests/words_test.ts"]);
  assert(args.includes("tests/run_tests.ts") && args.includes("--parallel") && !args.includes("tests"));
});

Deno.test("the slowest tests are those of Deno's own report", async () => {
  await inProject({
    "quick_test.ts": `Deno.test("quick & <short>", () => {});`,
    "slow_test.ts": `Deno.test("slow", () => new Promise((resolve) => setTimeout(resolve, 300)));`,
  }, async (root) => {
    const report = `${root}report.xml`;
    const args = ["test", "--quiet", "--no-check", `--junit-path=${report}`];
    assert((await new Deno.Command(Deno.execPath(), { args, cwd: root }).output()).success);
    const tests = slowestTests(await Deno.readTextFile(report), 20);

    assertEquals(tests.map(({ name, file }) => [name, file]), [
      ["slow", "./slow_test.ts"],
      ["quick & <short>", "./quick_test.ts"],
    ]);
    assert(tests[0].seconds >= 0.29, `${tests[0].seconds} s`);
    assertEquals(slowestTests(await Deno.readTextFile(report), 1).length, 1);
  });
});
