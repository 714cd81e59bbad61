import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { inFolder } from "./_files.ts";
import { writeGroups } from "./_test_groups.ts";

const RUNNER = new URL("./run_tests.ts", import.meta.url).pathname;

/** Runs test files of this text each by the runner of the task `test`, with a limit in seconds. */
async function runTests(seconds: number, ...texts: readonly string[]) {
  return await inFolder(async (folder) => {
    await Promise.all(texts.map((text, index) => Deno.writeTextFile(`${folder}/${index}_test.ts`, text)));
    const args = [
      "run",
      "--no-check",
      "--allow-run",
      "--allow-read",
      "--allow-write",
      "--allow-env",
      RUNNER,
      `${seconds}`,
      "--no-check",
      "--parallel",
    ];
    const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: [...args, folder],
      env: { NO_COLOR: "1", DENO_JOBS: "4" },
      signal: AbortSignal.timeout(60_000),
    }).output();
    return { code, said: new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr) };
  });
}

const HANGS = `Deno.test("NAME", async (t) => {
  await t.step("a step", () => new Promise((resolve) => setTimeout(resolve, 100_000)));
});`;

Deno.test({
  name: "tests that hang are named, and the run fails",
  ignore: Deno.build.os === "windows",
  fn: async () => {
    const busy = `Deno.test("computes", () => { for (;;); });`;
    const { code, said } = await runTests(3, HANGS.replace("NAME", "waits"), busy, `Deno.test("ends", () => {});`);

    assertEquals(code, 1);
    const [, pending] = said.split("The following tests were pending");
    for (const name of ["waits ... a step", "computes"]) assertStringIncludes(pending ?? said, name);
    assertEquals(pending.includes("ends =>"), false);
    assertStringIncludes(said, "FAILED: the tests did not end within 3 s");
  },
});

Deno.test("tests that end are reported as Deno does, with its exit code", async () => {
  const good = await runTests(60, `Deno.test("good", () => {});`);
  assertEquals(good.code, 0);
  assertMatch(good.said, /^ok \| 1 passed \| 0 failed/m);

  const bad = await runTests(60, `Deno.test("bad", () => { throw new Error("no"); });`);
  assertEquals(bad.code, 1);
  assertMatch(bad.said, /^FAILED \| 0 passed \| 1 failed/m);
});

Deno.test("each file of tests is in one group: at most twelve in each, and as many groups as run at once", async () => {
  await inFolder(async (folder) => {
    const [tests, groups] = [`${folder}/a folder`, `${folder}/groups`];
    await Promise.all([Deno.mkdir(`${tests}/deeper`, { recursive: true }), Deno.mkdir(groups)]);
    const names = Array.from({ length: 30 }, (_, index) => `${index < 10 ? "deeper/" : ""}${index}_test.ts`);
    await Promise.all(names.map((name) => Deno.writeTextFile(`${tests}/${name}`, "")));
    const namesOf = async (path: string) =>
      [...(await Deno.readTextFile(path)).matchAll(/a%20folder\/(.*_test\.ts)/g)].map(([, name]) => name);

    for (const [jobs, sizes] of [[2, [12, 12, 6]], [4, [8, 8, 8, 6]]] as const) {
      const grouped = await Promise.all((await writeGroups([tests], groups, jobs)).map(namesOf));
      assertEquals(grouped.map(({ length }) => length), [...sizes]);
      assertEquals(grouped.flat().sort(), [...names].sort());
    }
    const chosen = await writeGroups([`${tests}/${names[0]}`, `${tests}/${names[29]}`], groups, 4);
    assertEquals(await Promise.all(chosen.map(namesOf)), [[names[0]], [names[29]]]);
  });
});
