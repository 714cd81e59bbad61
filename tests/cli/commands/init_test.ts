/** `seqreg init`, seen from a folder that is nowhere near the checkout. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { CLI_PERMISSIONS, NEUTRAL, runCli } from "../../_cli.ts";
import { VERSION } from "../../../src/contract/version.ts";
import { Kernel } from "../../notebooks/_kernel.ts";
import { readCells } from "../../notebooks/_notebook.ts";

const TIMEOUT_MS = 90_000;

async function withProject(work: (folder: string, env: Record<string, string>) => Promise<void>): Promise<void> {
  const base = await Deno.makeTempDir();
  try {
    const folder = `${base}/my analysis`;
    const { code, stdout, stderr } = await runCli(["init", folder]);
    assertEquals([code, stdout], [
      0,
      ["deno.json", "first.ts", "first.ipynb", ".gitignore"].map((name) => `${folder}/${name}\n`).join(""),
    ]);
    assertStringIncludes(stderr, "seqreg lab");
    await work(folder, { SEQREG_CACHE: `${base}/cache`, SEQREG_URL: "" });
  } finally {
    await Deno.remove(base, { recursive: true });
  }
}

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

Deno.test("deno install --global installs the program from a checkout, and a new project's task runs with it", () =>
  withProject(async (folder, env) => {
    const root = new URL("../../../", import.meta.url).pathname;
    const installed = await Deno.makeTempDir();
    const run = async (program: string, args: string[], cwd: string) => {
      const path = `${installed}/bin:${Deno.execPath().replace(/[/][^/]*$/, "")}:${Deno.env.get("PATH")}`;
      const { code, stdout, stderr } = await new Deno.Command(program, {
        args,
        cwd,
        env: { ...NEUTRAL, ...env, DENO_INSTALL_ROOT: installed, PATH: path },
      }).output();
      assertEquals(code, 0, new TextDecoder().decode(stderr));
      return new TextDecoder().decode(stdout);
    };
    const permissions = [...CLI_PERMISSIONS, "--allow-run"];
    const own = ["--config", "deno.json", "--name", "seqreg", ...permissions, "src/cli/main.ts"];
    try {
      await run(Deno.execPath(), ["install", "--global", "--quiet", ...own], root);
      assertEquals(await run(`${installed}/bin/seqreg`, ["--version"], folder), `seqreg ${VERSION}\n`);
      assertEquals(await run(`${installed}/bin/seqreg`, ["search", "country:Kenya", "--count", "-q"], folder), "75\n");
      assertEquals(
        await run(Deno.execPath(), ["task", "--quiet", "run"], folder),
        "75 records from Kenya; complete: true\n",
      );
    } finally {
      await Deno.remove(installed, { recursive: true });
    }
  }));

Deno.test("the notebook of a new project runs in the kernel, cell by cell", () =>
  withProject(async (folder, env) => {
    const data = `${folder}/../jupyter`;
    assertEquals((await runCli(["kernel", "install", "--data-dir", data])).code, 0);
    const { argv }: { argv: string[] } = JSON.parse(
      await Deno.readTextFile(`${data}/kernels/deno-seqreg/kernel.json`),
    );
    await using kernel = await Kernel.start({
      folder: new URL(`file://${encodeURI(folder)}/`),
      args: argv.slice(argv.indexOf("run"), -1),
      env,
    });
    const shown: string[] = [];
    for (const cell of await readCells(new URL(`file://${encodeURI(folder)}/first.ipynb`))) {
      if (cell.type !== "code") continue;
      const outputs = await kernel.run(cell.source, TIMEOUT_MS);
      assertEquals(outputs.filter(({ type }) => type === "error").map(({ text }) => text), []);
      shown.push(...outputs.map(({ data }) => String(data?.["text/plain"])));
    }
    await Deno.writeTextFile(`${folder}/own.ts`, "export const answer = 42;");
    const [own] = await kernel.run('import { answer } from "./own.ts"; [answer, Deno.cwd()]', TIMEOUT_MS);
    assertEquals(own.data?.["text/plain"]?.toString().includes("42"), true);
    assertStringIncludes(String(own.data?.["text/plain"]), folder);
    assert(shown.some((text) => text.includes("records 1 to 20 of 75: page 1")), shown.join("\n"));
    assert(shown.some((text) => text.includes("frame: 20 rows")), shown.join("\n"));
  }));

Deno.test("a folder that holds something is left alone", async () => {
  const folder = await Deno.makeTempDir();
  await Deno.writeTextFile(`${folder}/mine.txt`, "mine");
  const { code, stderr } = await runCli(["init", folder]);
  assertEquals(code, 1);
  assertStringIncludes(stderr, "it contains mine.txt; use a new folder");
  assertEquals((await Array.fromAsync(Deno.readDir(folder))).map(({ name }) => name), ["mine.txt"]);
  await Deno.remove(folder, { recursive: true });
});
