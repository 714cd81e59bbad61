/** A project of `seqreg init` with the program installed by Deno, and its notebook in the kernel. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { NEUTRAL, runCli } from "../../_cli.ts";
import { withProject } from "../../cli/_project.ts";
import { VERSION } from "../../../src/core/contract/version.ts";
import { Kernel } from "../../notebooks/_kernel.ts";
import { readCells } from "../../notebooks/_notebook.ts";

const TIMEOUT_MS = 90_000;

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
    const readme = await Deno.readTextFile(`${root}/docs/command_line.md`);
    const line = /^deno (install --global (?:.*\\\n)*.*)$/m.exec(readme)?.[1] ?? "";
    const install = line.replaceAll("\\\n", " ").split(/ +/);
    try {
      await run(Deno.execPath(), install, root);
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
