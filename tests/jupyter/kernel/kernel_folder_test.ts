import { assertEquals } from "@std/assert";
import { makeKernelFolder } from "../../../src/jupyter/kernel/kernel_folder.ts";

const TOOLKIT = { "seqreg": "file:///toolkit/mod.js", "nodejs-polars": "file:///toolkit/polars.js" };

Deno.test("the kernel's folder has the toolkit's imports, and leads back to the notebook's", async () => {
  const notebooks = await Deno.realPath(await Deno.makeTempDir({ prefix: "my notebooks " }));
  await Deno.writeTextFile(
    `${notebooks}/deno.jsonc`,
    '{ // mine\n "imports": { "mine": "./mine.ts", "nodejs-polars": "npm:nodejs-polars@1" }, }',
  );
  const folder = (await makeKernelFolder(notebooks, { imports: TOOLKIT }))!;
  const top = folder.path.slice(0, -notebooks.length);
  const { imports, nodeModulesDir } = JSON.parse(await Deno.readTextFile(`${top}/deno.json`));
  assertEquals(imports, {
    "seqreg": "file:///toolkit/mod.js",
    "nodejs-polars": "npm:nodejs-polars@1",
    "mine": `file://${notebooks.replaceAll(" ", "%20")}/mine.ts`,
    [`file://${top}/`]: "file:///",
  });
  assertEquals([nodeModulesDir, folder.enter], ["manual", `Deno.chdir(${JSON.stringify(notebooks)});`]);
  folder.remove();
  assertEquals(await Deno.stat(top).catch(() => "removed"), "removed");
  await Deno.remove(notebooks, { recursive: true });
});

Deno.test("a notebook whose own configuration imports a toolkit keeps it", async () => {
  const notebooks = await Deno.makeTempDir();
  await Deno.mkdir(`${notebooks}/below`);
  await Deno.writeTextFile(`${notebooks}/deno.json`, '{ "imports": { "seqreg": "../seqreg/mod.ts" } }');
  assertEquals(await makeKernelFolder(`${notebooks}/below`, { imports: TOOLKIT }), undefined);
  await Deno.remove(notebooks, { recursive: true });
});
