/**
 * Every "How to add …" of CONTRIBUTING.md is followed in a copy of the project: it names every file that has to change,
 * and the gate passes. Run by `deno task checks contributing`.
 */
import { assert, assertEquals } from "@std/assert";
import { ADDITIONS } from "./_additions.ts";
import { Scratch } from "./_scratch.ts";

/** Words in capitals stand for names, such as NAME, ROOM and CODE. */
const STANDS_FOR = /[A-Z]{2,}/g;
const CODE = /`([^`\s]+\.(?:ts|md|json))`/g;

const text = await Deno.readTextFile(new URL("../../../CONTRIBUTING.md", import.meta.url));
const sections = new Map(
  text.split(/^## /m).filter((section) => section.startsWith("How to add ")).map((section) => {
    const [heading, ...lines] = section.split("\n");
    return [heading.slice("How to add ".length), lines.join("\n")];
  }),
);

Deno.test("each section is followed by this check", () => {
  assertEquals([...sections.keys()].sort(), Object.keys(ADDITIONS).sort());
});

Deno.test("what the sections say is enough", async (t) => {
  const scratch = await Scratch.create();
  try {
    for (const [heading, { add, tasks = [] }] of Object.entries(ADDITIONS)) {
      await t.step(`How to add ${heading}`, async () => {
        scratch.touched.clear();
        await add(scratch);
        const section = sections.get(heading) ?? "";
        const patterns = [...section.matchAll(CODE)].map(([, path]) =>
          new RegExp(`^${path.replace(/[.]/g, "\\.").replace(STANDS_FOR, "[a-z_/]+")}$`)
        );
        for (const path of scratch.touched) {
          assert(patterns.some((pattern) => pattern.test(path)), `the section does not name ${path}`);
        }
        for (const task of tasks) {
          assert(section.includes(`deno task ${task.split(" ")[0]}`), `the section does not name the task ${task}`);
        }
      });
    }
    const tasks = new Set(Object.values(ADDITIONS).flatMap(({ tasks = [] }) => tasks));
    for (const task of tasks) await t.step(task, () => scratch.deno("task", ...task.split(" ")).then(() => {}));
    const tests = [...new Set(Object.values(ADDITIONS).flatMap(({ tests }) => tests))];
    const permissions = ["--no-check", "--quiet", "--allow-all"];
    await t.step("format", () => scratch.deno("fmt", "src", "tests", "docs").then(() => {}));
    await t.step("lint", () => scratch.deno("lint", "--quiet").then(() => {}));
    await t.step("types", () => scratch.deno("check", "--quiet", "mod.ts", "src", "tests").then(() => {}));
    await t.step("documentation", () => scratch.deno("task", "doc").then(() => {}));
    await t.step("tests", () => scratch.deno("test", ...permissions, ...tests, ...EVERYWHERE).then(() => {}));
    for (const [heading, { show }] of Object.entries(ADDITIONS)) {
      if (show !== undefined) await t.step(`${heading} works`, () => show(scratch));
    }
  } finally {
    await scratch.remove();
  }
});

/** Tests that hold the whole project together. */
const EVERYWHERE = [
  "tests/architecture_test.ts",
  "tests/names_test.ts",
  "tests/words_test.ts",
  "tests/public_options_test.ts",
  "tests/public_arguments_test.ts",
  "tests/docs",
  "tests/embedded/service/operations/answer_tally_test.ts",
];
