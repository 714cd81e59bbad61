/**
 * The first hour of a newcomer: the README's first lines as they stand, a lesson and a notebook of one's own in
 * JupyterLab, a project with scripts, and the shell. Every printed instruction is followed exactly.
 *
 * It needs Python with PyPI (JupyterLab, the wheel of Deno), npx and Chromium:
 * `deno test --allow-all tests/checks/newcomer/first_hour.ts`. Screenshots go to `.ci/out`.
 */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { NEEDS_BROWSER, openBrowser, writeNotebook } from "../../browser/_lab.ts";
import { fromFileUrl } from "../../_files.ts";
import { needsPrograms, testNeeding } from "../../_needs.ts";
import { inLab, prepareHome, untilInFront, untilKernel } from "./_lab_window.ts";
import { nextCommands, shellCommands, Terminal } from "./_terminal.ts";

const ROOT = fromFileUrl(new URL("../../../", import.meta.url)).replace(/\/$/, "");
const OUT = `${ROOT}/.ci/out`;
const README = await Deno.readTextFile(`${ROOT}/README.md`);
/** What is tested with; a newcomer's pip takes the newest. */
const CONSTRAINTS = "jupyterlab==4.6.6\nnbclient==0.11.0\nnbconvert==7.17.2\n";
const TIMEOUT_MS = 120_000;

/** Three questions, each a cell, and what its answer shows. */
const QUESTIONS: readonly (readonly [cell: string, shows: string])[] = [
  [
    'import { Registry, show } from "seqreg";\nconst registry = await Registry.open();\n' +
    'const hits = await registry.search("country:Kenya");\nconsole.log(hits.total, "records are from Kenya");',
    "75 records are from Kenya",
  ],
  [
    'const metadata = await registry.metadata({ query: "country:Kenya" }, { fields: ["Host Species"] });\n' +
    "await metadata.frame()",
    "75 rows",
  ],
  [
    'import { recordsInTime } from "seqreg/analysis";\n' +
    'const lake = await registry.lake({ archives: ["full_dataset_metadata"] });\n' +
    'await recordsInTime(lake, { by: "year" })',
    "Records by year",
  ],
];

/** One section of the README. */
function section(title: string): string {
  const begin = README.indexOf(`\n## ${title}\n`);
  assert(begin > 0, `the README has no section ${title}`);
  const end = README.indexOf("\n## ", begin + 1);
  return README.slice(begin, end === -1 ? undefined : end);
}

/** Certificates, proxies and package indexes that this machine needs: they are the network's, not the newcomer's. */
function networkOfMachine(): Readonly<Record<string, string>> {
  const names = /CERT|CA_BUNDLE|CA_STORE|_PROXY$|^npm_config_registry$|^PIP_(INDEX|EXTRA_INDEX|FIND_LINKS)/i;
  return Object.fromEntries(Object.entries(Deno.env.toObject()).filter(([name]) => names.test(name)));
}

testNeeding({ ...NEEDS_BROWSER, ...needsPrograms("python3", "npx") }, "a newcomer's first hour", async (t) => {
  await Deno.mkdir(OUT, { recursive: true });
  const home = await Deno.realPath(await Deno.makeTempDir());
  await using _ = { [Symbol.asyncDispose]: () => Deno.remove(home, { recursive: true }) };
  await using browser = await openBrowser();
  await Deno.writeTextFile(`${home}/constraints.txt`, CONSTRAINTS);
  const env = {
    HOME: home,
    PATH: "/usr/local/bin:/usr/bin:/bin",
    LANG: "C.UTF-8",
    PIP_CONSTRAINT: `${home}/constraints.txt`,
    ...networkOfMachine(),
    ...await prepareHome(home),
  };
  const terminal = new Terminal(ROOT, env, `${home}/.terminal`);
  const began = performance.now();
  const step = (name: string, work: () => Promise<void>) =>
    t.step(name, async () => {
      const stepBegan = performance.now();
      await work();
      const seconds = (ms: number) => ((performance.now() - ms) / 1000).toFixed(1);
      console.log(`${name}: ${seconds(stepBegan)} s, ${seconds(began)} s since the beginning`);
    });

  let said = { stdout: "", stderr: "" };
  await step("the README's lines install it and show what it does", async () => {
    const lines = shellCommands(section("Install"));
    assertEquals(lines.slice(-3), ["seqreg demo", "pip install jupyterlab", "seqreg lab"]);
    // The packages of npm and of Deno that are here already.
    const [npm, deno] = ["npm_config_cache", "DENO_DIR"].map((name) => Deno.env.get(name));
    const user = Deno.env.get("HOME");
    const caches = `npm_config_cache=${npm ?? `${user}/.npm`} DENO_DIR=${deno ?? `${user}/.cache/deno`}`;
    for (const line of lines.slice(0, -2)) {
      said = await terminal.type(line.startsWith("npx ") ? `${caches} ${line}` : line);
    }
  });

  await terminal.type("mkdir ~/kenya && cd ~/kenya");
  await step("what the demonstration names next works", async () => {
    const [, next] = said.stdout.split("== Next");
    const lines = next.split("\n").map((line) => line.trim().split("  ", 1)[0]).filter((l) => l.startsWith("seqreg "));
    assertEquals(lines.length, 3);
    for (const line of lines.filter((line) => line !== "seqreg lab")) {
      assert((await terminal.type(line)).stdout.length > 100, line);
    }
    // JupyterLab is not there yet: it says how to get it.
    const { stderr } = await terminal.type("seqreg lab", 1);
    assertStringIncludes(stderr, "pip install jupyterlab, then this command again");
    await terminal.type("pip install jupyterlab");
  });

  await step(
    "the first lesson opens in a browser and runs, then a notebook of one's own",
    () =>
      inLab(terminal, browser, "seqreg lab", async (lab) => {
        assertEquals(await untilKernel(lab), "Deno (seqreg)");
        await untilInFront(lab, "seqreg-lessons/01_first_contact.ipynb");
        await lab.runAll(TIMEOUT_MS);
        assertEquals((await lab.cells()).flatMap(({ errors }) => errors), []);
        await lab.picture(`${OUT}/newcomer-lesson.png`);

        await lab.command("launcher:create");
        await lab.page.locator('.jp-LauncherCard[data-category="Notebook"][title="Deno (seqreg)"]').click();
        await untilInFront(lab, "/Untitled.ipynb");
        assertEquals(await untilKernel(lab), "Deno (seqreg)");
        for (const [index, [cell]] of QUESTIONS.entries()) {
          await lab.page.locator(".jp-Notebook:visible .jp-CodeCell").nth(index).locator(".cm-content").click();
          await lab.page.keyboard.insertText(cell);
          await lab.page.keyboard.press("Shift+Enter");
        }
        await lab.page.waitForFunction(
          `jupyterapp.shell.currentWidget.content.widgets.slice(0, ${QUESTIONS.length}).every(({ prompt }) =>
          /^[0-9]+$/.test(prompt))`,
          null,
          { timeout: TIMEOUT_MS },
        );
        const cells = await lab.cells();
        for (const [index, [, shows]] of QUESTIONS.entries()) {
          const { errors, text, html, plain } = cells[index];
          assertEquals(errors, []);
          assertStringIncludes(text + html + plain, shows);
        }
        await lab.picture(`${OUT}/newcomer-notebook.png`);
        // At the first save JupyterLab asks for a name.
        await lab.page.keyboard.press("Control+S");
        await lab.page.locator(".jp-Dialog input").first().fill("kenya.ipynb");
        await lab.page.keyboard.press("Enter");
        await untilInFront(lab, "/kenya.ipynb");
      }),
  );
  await step("the notebook runs without a person", async () => {
    await terminal.type("jupyter execute seqreg-lessons/kenya.ipynb");
  });

  await step("a folder of one's own", async () => {
    said = await terminal.type("seqreg init my-analysis");
    const next = nextCommands(said.stderr);
    assertEquals(next, ["cd my-analysis", "seqreg run first.ts", "seqreg lab ."]);
    await terminal.type(next[0]);
    assertMatch((await terminal.type(next[1])).stdout, /^75 records from Kenya/);
    // The wheel of Deno brings `deno`, and the folder has tasks.
    assertMatch((await terminal.type("deno task run")).stdout, /^75 records from Kenya/);
    await inLab(terminal, browser, next[2], async (lab) => {
      await lab.page.locator(".jp-DirListing-item", { hasText: "first.ipynb" }).dblclick();
      await untilInFront(lab, "first.ipynb");
      assertEquals(await untilKernel(lab), "Deno (seqreg)");
      await lab.runAll(TIMEOUT_MS);
      const cells = await lab.cells();
      assertEquals(cells.flatMap(({ errors }) => errors), []);
      assertStringIncludes(cells.at(-1)?.html ?? "", "20 rows");
      await lab.picture(`${OUT}/newcomer-project.png`);
    });
  });
  await step("a lake of one's own, live in the user's own JupyterLab", async () => {
    const { stdout } = await terminal.type("jupyter labextension list 2>&1");
    assertMatch(stdout, /seqreg-live v\S+ .*enabled.*OK/);
    const folder = `${home}/kenya/my-analysis`;
    const rows = Array.from({ length: 300 }, (_, row) => `own${row + 1},${row % 3 === 0 ? "Kenya" : "Peru"},${row}`);
    await Deno.writeTextFile(`${folder}/own.csv`, `Sample,Country,Reads\n${rows.join("\n")}\n`);
    await terminal.type("seqreg lake own.csv -o own-lake");
    await writeNotebook(`${folder}/own.ipynb`, [
      'import { live } from "seqreg";\nimport { openLake } from "seqreg/tables";\nawait live(await openLake("own-lake"))',
    ]);
    await inLab(terminal, browser, "jupyter lab -y own.ipynb", async (lab) => {
      await untilInFront(lab, "own.ipynb");
      assertEquals(await untilKernel(lab), "Deno (seqreg)");
      await lab.runAll(TIMEOUT_MS);
      const table = lab.page.locator("[data-seqreg-live=open]");
      await table.getByText(": 300 rows × 3 columns").waitFor();
      await table.getByLabel("filter Country", { exact: true }).fill("kenya");
      await table.getByText(": 100 of 300 rows × 3 columns").waitFor();
      await table.locator(`[data-row="2"] [data-column="Sample"]`, { hasText: "own4" }).waitFor();
      await lab.picture(`${OUT}/newcomer-live.png`);
    });
  });
  await step("the README's TypeScript runs there as it stands", async () => {
    const blocks = [...README.matchAll(/```ts\n([\s\S]*?)```(?:\s*prints\s*```text\n([\s\S]*?)```)?/g)];
    assert(blocks.length >= 3);
    for (const [index, [, code, prints]] of blocks.entries()) {
      await Deno.writeTextFile(`${home}/kenya/my-analysis/block_${index}.ts`, code);
      const { stdout, stderr } = await terminal.type(`seqreg run block_${index}.ts`);
      assertEquals(stderr, "");
      if (prints !== undefined) assertEquals(stdout, prints);
    }
  });

  await step("the shell", async () => {
    for (const line of shellCommands(section("The command line")).filter((line) => line.startsWith("seqreg "))) {
      await terminal.type(line);
    }
    const counted = await terminal.type(
      "set -o pipefail; seqreg search country:Kenya --all --fields 'Host Species' --format tsv -q | " +
        "tail -n +2 | sort | uniq -c | sort -rn | head -n 3",
    );
    assertMatch(counted.stdout, /^ +[0-9]+ \S/);
    assertEquals((await terminal.type("seqreg search country:Kenya --all --format tsv -q | head -n 2")).stderr, "");
    const none = await terminal.type("seqreg search country:Kenia", 3);
    assertStringIncludes(none.stderr, "did you mean country:Kenya?");
    const wrong = await terminal.type("seqreg search contry:Kenya", 1);
    assertStringIncludes(wrong.stderr, 'did you mean "country"?');
    assertStringIncludes((await terminal.type("seqreg serach country:Kenya", 2)).stderr, "did you mean search?");
    assertStringIncludes((await terminal.type("seqreg search --pagesize 3", 2)).stderr, "did you mean --page-size?");
    const completed = await terminal.type(
      "source <(seqreg completions bash); COMP_WORDS=(seqreg sea); COMP_CWORD=1; _seqreg; echo ${COMPREPLY[@]}",
    );
    assertEquals(completed.stdout, "search\n");
  });
  await step("the doctor finds nothing missing", async () => {
    const { stdout } = await terminal.type("seqreg doctor");
    assertMatch(stdout, /^kernel +installed in \S+\/share\/jupyter\/kernels\/deno-seqreg$/m);
    // What is missing is reported with what to do. The last two are for lakes in object stores alone.
    const missing = stdout.split("\n").filter((line) => line.includes(";") && !/^(httpfs|store) /.test(line));
    assertEquals(missing, []);
  });
});
