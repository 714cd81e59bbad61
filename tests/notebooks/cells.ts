/**
 * The notebooks' code as TypeScript: each notebook's cells together are one module, which is type-checked and linted.
 * So a name that is declared twice, a misspelt option or a promise that nobody awaits is found, though kernels check no
 * types. Run by `deno task types`.
 */
import { assertEquals } from "@std/assert";
import { toolkitImports } from "../../src/cli/support/toolkit_imports.ts";
import { runCli } from "../_cli.ts";
import { inFolder, relative, walk } from "../_files.ts";
import { readCells } from "./_notebook.ts";

const NOTEBOOKS = new URL("../../notebooks/", import.meta.url);

/** Writes the code cells one under the other, each behind a line that names its place. */
async function extract(notebook: URL): Promise<string> {
  const cells = (await readCells(notebook)).map(({ type, source }, index) => ({ type, source, index }));
  const code = cells.filter(({ type }) => type === "code").map(({ source, index }) => `// cell ${index}\n${source}\n`);
  // A module even where nothing is imported, so that cells may await.
  return `${code.join("\n")}\nexport {};\n`;
}

async function run(folder: string, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args,
    cwd: folder,
    env: { NO_COLOR: "1" },
  }).output();
  return code === 0 ? "" : new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
}

Deno.test("the code of every notebook passes the compiler and the linter", async () => {
  await inFolder(async (base) => {
    const folder = `${base}/cells`;
    assertEquals((await runCli(["init", folder])).code, 0);
    // The kernel has these imports; the compiler must be told.
    const imports = await toolkitImports();
    const types = [new URL("../../types/std.d.ts", import.meta.url).href];
    await Deno.writeTextFile(`${folder}/deno.json`, JSON.stringify({ imports, compilerOptions: { types } }));
    const files: string[] = [];
    for (const notebook of [...await walk(NOTEBOOKS, ".ipynb"), new URL(`file://${folder}/first.ipynb`)]) {
      const name = notebook.href.startsWith(NOTEBOOKS.href) ? relative(NOTEBOOKS, notebook) : "of_init";
      files.push(`${name.replace(/[^\w]/g, "_")}.ts`);
      await Deno.writeTextFile(`${folder}/${files.at(-1)}`, await extract(notebook));
    }
    assertEquals(await run(folder, "check", ...files), "");
    assertEquals(await run(folder, "lint", "--rules-exclude=no-import-prefix,no-unversioned-import", ...files), "");
  });
});
