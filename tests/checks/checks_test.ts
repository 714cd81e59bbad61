/** Holds the table of heavy checks to the files and folders that exist, and the page to the table. */
import { assertEquals } from "@std/assert";
import { relative, walk } from "../_files.ts";
import { PACKAGES, PROGRAMS } from "./_runner/needs.ts";
import { renderPage } from "./_runner/page.ts";
import { filesOf } from "./_runner/paths.ts";
import { CHECKS } from "./checks.ts";

const ROOT = new URL("../../", import.meta.url);

/** Files that are not checks: what `deno task checks`, `cluster`, `fuzz` and `mutate` run. */
const NOT_CHECKS = [
  "tests/checks/checks.ts",
  "tests/checks/cluster/main.ts",
  "tests/checks/cluster/s3a_jars.ts",
  "tests/checks/mutate/main.ts",
];

Deno.test("each file of tests/checks and tests/browser has a row", async () => {
  const rows = new Set(CHECKS.flatMap(({ files }) => filesOf(files)));
  const files = [
    ...await walk(new URL("tests/checks/", ROOT), ".ts"),
    ...await walk(new URL("tests/browser/", ROOT), ".ts"),
  ]
    .map((file) => relative(ROOT, file))
    .filter((path) => !/(^|\/)_|_test\.ts$/.test(path) && !NOT_CHECKS.includes(path));

  assertEquals(files.filter((path) => !rows.has(path)), []);
  for (const path of [...rows, ...NOT_CHECKS]) await Deno.stat(new URL(path, ROOT));
});

Deno.test("each member of src, and each room of the core, is named by a row", async () => {
  const folders: string[] = [];
  for (const above of ["src/", "src/core/"]) {
    for await (const { name, isDirectory } of Deno.readDir(new URL(above, ROOT))) {
      if (isDirectory && above + name !== "src/core") folders.push(`${above}${name}/`);
    }
  }
  const calls = CHECKS.flatMap(({ calls }) => calls);

  assertEquals(folders.filter((folder) => !calls.some((call) => call.startsWith(folder))), []);
});

Deno.test("rows have names of their own, and name what exists", async () => {
  const names = CHECKS.map(({ name }) => name);
  assertEquals(names.length, new Set(names).size);
  for (const { calls } of CHECKS) {
    for (const path of calls) await Deno.stat(new URL(path, ROOT));
  }
  const used = new Set<string>(CHECKS.flatMap(({ programs = [], packages = [] }) => [...programs, ...packages]));
  assertEquals([...Object.keys(PROGRAMS), ...Object.keys(PACKAGES)].filter((name) => !used.has(name)), []);
});

Deno.test("a row that draws a seed hands it on, to a file or a command that reads it", async () => {
  const faults: string[] = [];
  for (const { name, files, commands, seed } of CHECKS) {
    const texts = await Promise.all(filesOf(files).map((path) => Deno.readTextFile(new URL(path, ROOT))));
    const reads = texts.some((text) => text.includes('"SEQREG_SEED"')) || (commands ?? []).flat().includes("SEED");
    if (reads !== (seed ?? false)) faults.push(name);
  }

  assertEquals(faults, []);
});

Deno.test("the page's table is written from the rows", async () => {
  const { is, should } = await renderPage();

  assertEquals(is, should, "next: deno task checks --write-page");
});
