import { assert, assertEquals, assertRejects } from "@std/assert";
import { inFolder } from "../../_files.ts";
import { CHECKS } from "../checks.ts";
import { changedFiles } from "./changed_files.ts";
import type { Check } from "./check.ts";
import { checksFor } from "./choose_checks.ts";
import { readModuleGraph } from "./module_graph.ts";
import { filesOf } from "./paths.ts";

const CHECK = { shows: "", minutes: 1 } as const;

/** A project of its own: files by their paths. */
async function inProject(files: Readonly<Record<string, string>>, work: (root: string) => Promise<void>) {
  await inFolder(async (folder) => {
    const root = `${await Deno.realPath(folder)}/`;
    for (const [path, text] of Object.entries({ "deno.json": "{}", ...files })) {
      await Deno.mkdir(`${root}${path}`.replace(/\/[^/]*$/, ""), { recursive: true });
      await Deno.writeTextFile(root + path, text);
    }
    await work(root);
  });
}

async function git(cwd: string, ...args: readonly string[]): Promise<void> {
  const identity = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org", "-c", "commit.gpgsign=false"];
  const { success, stderr } = await new Deno.Command("git", { args: [...identity, ...args], cwd }).output();
  assert(success, new TextDecoder().decode(stderr));
}

Deno.test("a check is called for by its modules, its other files, and the folders of its row", async () => {
  const files = {
    "src/a/deep.ts": "export type Deep = number;",
    "src/a/top.ts": `import type { Deep } from "./deep.ts"; export const top: Deep = 1;`,
    "src/b/alone.ts": "export const alone = 1;",
    "checks/top.ts": `const { top } = await import("../src/a/top.ts"); console.log(top);`,
    "checks/_top.py": "print(1)",
    "checks/folder/one.ts": `import "../../src/b/alone.ts";`,
    "checks/folder/_helper.ts": "",
  };
  const checks: Check[] = [
    { ...CHECK, name: "top", files: ["checks/top.ts"], calls: ["docs/top.md"] },
    { ...CHECK, name: "folder", files: ["checks/folder/"], calls: ["src/a/"] },
  ];
  await inProject(files, async (root) => {
    const graph = await readModuleGraph(checks.flatMap(({ files }) => filesOf(files, root)), root);
    const chosen = (...changed: string[]) => checksFor(checks, changed, graph, root).map(({ name }) => name);

    assertEquals(chosen("src/a/deep.ts"), ["top", "folder"]);
    assertEquals(chosen("src/b/alone.ts"), ["folder"]);
    assertEquals(chosen("checks/top.ts"), ["top"]);
    assertEquals(chosen("checks/_top.py"), ["top"]);
    assertEquals(chosen("docs/top.md"), ["top"]);
    assertEquals(chosen("src/a/removed.ts"), ["folder"]);
    assertEquals(chosen("docs/other.md", "src/c.ts"), []);
  });
});

Deno.test("changes of five rooms call for the checks that hold them", async () => {
  const graph = await readModuleGraph(CHECKS.flatMap(({ files }) => filesOf(files)));
  const expected = {
    "src/core/io/workbook/workbook_table.ts": "workbook",
    "src/alike/sketch/sketch_kernel.ts": "sourmash",
    "src/jupyter/kernel/main.ts": "stops",
    "src/spark/connect/client.ts": "cluster-faults",
    "src/embedded/service/import/import.ts": "kills-import",
  };
  for (const [path, name] of Object.entries(expected)) {
    await Deno.stat(new URL(`../../../${path}`, import.meta.url));
    const names = checksFor(CHECKS, [path], graph).map(({ name }) => name);
    assert(names.includes(name), `${path} calls for ${names.join(", ")}`);
    assert(names.length < CHECKS.length, `${path} calls for every check`);
  }
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

    assertEquals(await changedFiles(undefined, root), ["changed.ts", "new é.ts", "removed.ts"]);
    assertEquals(await changedFiles("HEAD", root), ["new é.ts", "removed.ts"]);
    await assertRejects(() => changedFiles("unknown", root), Error, "unknown");
  });
});
