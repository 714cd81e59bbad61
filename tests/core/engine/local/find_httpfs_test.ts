/** DuckDB's extension is found where it may be, and nothing is fetched. */
import { assertEquals } from "@std/assert";
import { delimiter, join } from "node:path";
import { findHttpfs, installHttpfs } from "../../../../src/core/engine/local/find_httpfs.ts";
import { inFolder } from "../../../_files.ts";

const IN_WHEEL = "duckdb_extension_httpfs/extensions/v1.5.5/httpfs.duckdb_extension";

async function place(...steps: string[]): Promise<string> {
  const path = join(...steps);
  await Deno.mkdir(join(path, ".."), { recursive: true });
  await Deno.writeTextFile(path, "");
  return path;
}

Deno.test("the extension is named, or lies in DuckDB's folder, or with a Python", async () => {
  await inFolder(async (folder) => {
    const env: Record<string, string> = {
      HOME: folder,
      PATH: ["", `${folder}/venv/bin`, `${folder}/no`].join(delimiter),
    };
    const find = () => findHttpfs("v1.5.5", (name) => env[name]);
    assertEquals(await find(), undefined);
    await place(folder, "venv/lib/python3.11/site-packages", IN_WHEEL);
    assertEquals(await find(), undefined, "there is no python3 on the path");
    await place(folder, "venv/bin/python3");
    assertEquals(await find(), join(folder, "venv/lib/python3.11/site-packages", IN_WHEEL));
    assertEquals(await findHttpfs("v1.5.6", (name) => env[name]), undefined, "of another version");
    const other = await place(folder, "conda/lib/python3.13/site-packages", IN_WHEEL);
    env.CONDA_PREFIX = `${folder}/conda`;
    assertEquals(await find(), other);
    env.SEQREG_DUCKDB_HTTPFS = `${folder}/anywhere`;
    assertEquals(await find(), `${folder}/anywhere`);
  });
  assertEquals(installHttpfs("v1.5.5"), "python3 -m pip install duckdb-extension-httpfs==1.5.5");
});

Deno.test("without permissions no file is looked for", { permissions: { read: false, env: false } }, async () => {
  assertEquals(await findHttpfs("v1.5.5", (name) => ({ HOME: "/root", PATH: "/usr/bin" })[name]), undefined);
});
