import { assertEquals, assertStringIncludes } from "@std/assert";
import { type ProgramRun, runInFolder } from "../../_program.ts";
import { filesBelow, withFolder } from "../../core/datasets/_archive.ts";
import { datasetFileNames } from "../../../src/core/contract/datasets.ts";
import { refuseAll } from "../_world.ts";

function runIn(folder: string, args: readonly string[]): Promise<ProgramRun> {
  return runInFolder(folder, args, { env: { SEQREG_CACHE: `${folder}/cache` } });
}

Deno.test("mirror brings the sixteen files and the definitions, and stands in for the registry", async () => {
  await withFolder(async (folder) => {
    await runIn(folder, ["sample", "-o", "./set", "--records", "40"]);
    const { code, stdout, stderr } = await runIn(folder, ["mirror", "-o", "./copy", "--registry", "./set"]);
    assertEquals([code, stdout], [0, datasetFileNames().map((name) => `${name}\n`).join("")], stderr);
    assertEquals(await filesBelow(`${folder}/copy`), [...datasetFileNames(), "definitions.json"].sort());
    for (const name of datasetFileNames()) {
      assertEquals(await Deno.readFile(`${folder}/copy/${name}`), await Deno.readFile(`${folder}/set/${name}`));
    }
    const definitions = async (set: string) => JSON.parse(await Deno.readTextFile(`${folder}/${set}/definitions.json`));
    assertEquals(await definitions("copy"), await definitions("set"));
    const search = (set: string) => runIn(folder, ["search", "--format", "json", "--registry", `./${set}`]);
    assertEquals((await search("copy")).stdout, (await search("set")).stdout);
    const again = await runIn(folder, ["mirror", "-o", "./copy", "--registry", "./set", "--ledger", "./ledger.json"]);
    assertEquals([again.code, again.stdout], [0, stdout]);
    assertStringIncludes(again.stderr, "0 of 8 archives were fetched");
    const ledger = JSON.parse(await Deno.readTextFile(`${folder}/ledger.json`));
    assertEquals([ledger.operation, ledger.complete, ledger.received, ledger.bytes], ["mirror", true, 8, 0]);
    const itself = await runIn(folder, ["mirror", "-o", "./set/", "--registry", "./set"]);
    assertEquals(itself.code, 2);
    assertStringIncludes(itself.stderr, "--registry already uses this folder");
  });
});

Deno.test("mirror refuses wrong usage before any request", async (t) => {
  await refuseAll(t, {
    "no folder": [["mirror"], "mirror -o DIR"],
    "an operand": [["mirror", "copy"], "Unexpected argument"],
  });
});
