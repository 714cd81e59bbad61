/** Configurations of a notebook's folder: what cells import there, in the installed kernel and in Deno's own. */
import { assertEquals } from "@std/assert";
import { writeKernelspec } from "../../../src/cli/support/kernelspec.ts";
import { readFolderConfiguration } from "../../../src/jupyter/kernel/folder_configuration.ts";
import { inFolder } from "../../_files.ts";
import { Kernel } from "../../notebooks/_kernel.ts";

const TIMEOUT_MS = 60_000;

interface Folder {
  /** Files by path; what is no text is written as JSON. */
  readonly files: Readonly<Record<string, unknown>>;
  readonly notebook: string;
  /** Expressions that a cell prints. */
  readonly prints: readonly string[];
}

const imports = (...names: string[]) => names.map((name) => `(await import("${name}")).default`);

const FOLDERS: Record<string, Folder> = {
  "package.json with node_modules": {
    files: {
      "package.json": {
        type: "module",
        dependencies: { local: "1.0.0", alias: "npm:real@2.0.0", zod: "1.0.0" },
        imports: { "#inner": "./inner.js" },
      },
      "inner.js": 'import local from "local"; export default "inner " + local',
      "node_modules/local/package.json": {
        name: "local",
        version: "1.0.0",
        exports: { ".": "./a.cjs", "./b": "./b.js" },
      },
      "node_modules/local/a.cjs": 'module.exports = "local " + require("deep")',
      "node_modules/local/b.js": "exports.b = 1",
      "node_modules/deep/package.json": { name: "deep", version: "1.0.0" },
      "node_modules/deep/index.js": 'module.exports = "deep"',
      "node_modules/alias/package.json": { name: "real", version: "2.0.0", type: "module", main: "c.js" },
      "node_modules/alias/c.js": 'export { default } from "deep"',
      "node_modules/zod/package.json": { name: "zod", version: "1.0.0" },
      "node_modules/zod/index.js": 'module.exports = "another zod"',
      "below/empty.txt": "",
    },
    notebook: "below",
    prints: imports("local", "local/b", "alias", "#inner", "zod", "npm:local"),
  },
  importMap: {
    files: {
      "deno.jsonc": '{ "importMap": "./maps/map.json", /* its own folder is the base */ }',
      "maps/map.json": {
        imports: { mine: "../lib/mine.ts", "lib/": "../lib/" },
        scopes: { "../lib/": { inner: "../lib/inner.ts" } },
      },
      "lib/mine.ts": 'import inner from "inner"; export default "mine " + inner',
      "lib/inner.ts": 'export default "inner"',
    },
    notebook: ".",
    prints: imports("mine", "lib/inner.ts", "inner"),
  },
  workspace: {
    files: {
      "deno.json": { workspace: ["./lib", "./app"], imports: { shared: "./shared.ts" }, unstable: ["kv"] },
      "shared.ts": 'export default "shared"',
      "lib/deno.json": { name: "@me/lib", exports: { ".": "./mod.ts", "./x": "./x.ts" }, imports: { y: "./x.ts" } },
      "lib/mod.ts": 'import y from "y"; export default "lib " + y',
      "lib/x.ts": 'export default "x"',
      "app/deno.json": { name: "@me/app", exports: "./mod.ts", imports: { z: "./mod.ts" } },
      "app/mod.ts": 'export default "app"',
    },
    notebook: "app",
    prints: [...imports("@me/lib", "@me/lib/x", "@me/app", "shared", "y", "z"), "typeof Deno.openKv"],
  },
  "unstable and scopes": {
    files: {
      "deno.json": { unstable: ["cron", "sloppy-imports"], scopes: { "./lib/": { inner: "./lib/inner.ts" } } },
      "lib/mine.ts": 'import inner from "inner"; export default "mine " + inner',
      "lib/inner.ts": 'export default "inner"',
    },
    notebook: ".",
    prints: [...imports("./lib/mine"), "typeof Deno.cron", "typeof Deno.openKv"],
  },
};

for (const [name, { files, notebook, prints }] of Object.entries(FOLDERS)) {
  Deno.test(`${name} of a folder: cells have in the installed kernel what they have in Deno's own`, () =>
    inFolder(async (place) => {
      const spec = await writeKernelspec(`${place}/data`);
      const { argv } = JSON.parse(await Deno.readTextFile(`${spec}/kernel.json`));
      for (const [path, content] of Object.entries(files)) {
        const file = new URL(`file://${place}/mine/${path}`);
        await Deno.mkdir(new URL("./", file), { recursive: true });
        await Deno.writeTextFile(file, typeof content === "string" ? content : JSON.stringify(content));
      }
      const folder = new URL(`file://${place}/mine/${notebook}/`);
      const cell = prints.map((print) => `try { console.log(${print}) } catch ({ name }) { console.log(name) }`);
      const shown = async (args?: readonly string[]) => {
        await using kernel = await Kernel.start({ folder, args });
        const texts = (await kernel.run(cell.join("\n"), TIMEOUT_MS)).map(({ text }) => text).join("");
        const toolkit = args && await kernel.run('console.log((await import("seqreg")).Registry.name)', TIMEOUT_MS);
        return { texts, toolkit: toolkit?.[0].text };
      };
      const [own, stock] = await Promise.all([shown(argv.slice(argv.indexOf("run"), -1)), shown()]);
      assertEquals(own, { ...stock, toolkit: "Registry\n" });
    }));
}

Deno.test("an import map that cannot be read, and a package.json below another configuration", () =>
  inFolder(async (place) => {
    await Deno.writeTextFile(`${place}/deno.json`, '{ "importMap": "none.json", "nodeModulesDir": "manual" }');
    await Deno.mkdir(`${place}/below`);
    const read = (path: string) => readFolderConfiguration(new URL(`file://${place}/${path}`));
    const { imports, isInstalled } = await read("below/");
    assertEquals([imports, isInstalled], [{}, true]);
    await Deno.writeTextFile(`${place}/deno.json`, '{ "imports": { "a": "./a.ts" }, "nodeModulesDir": "none" }');
    assertEquals((await read("below/")).imports, { a: `file://${place}/a.ts` });
    await Deno.writeTextFile(`${place}/deno.json`, '\ufeff{ "imports": { "a": "./a.ts" }, "nodeModulesDir": "none" }');
    assertEquals((await read("below/")).imports, { a: `file://${place}/a.ts` });
    await Deno.writeTextFile(`${place}/package.json`, "{}");
    assertEquals((await read("below/")).isInstalled, false);
    await Deno.writeTextFile(`${place}/below/package.json`, "{}");
    assertEquals([(await read("below/")).imports, (await read("below/")).isInstalled], [{}, true]);
  }));
