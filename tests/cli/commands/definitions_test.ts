import { assertEquals, assertStringIncludes } from "@std/assert";
import { parse } from "@std/csv";
import { join } from "node:path";
import readExcel from "read-excel-file";
import { sampleFolder, serveFolder } from "../../core/registry/_archives.ts";
import { refuseAll, runnerOf } from "../_world.ts";

Deno.test("definitions come as the registry sends them", async (t) => {
  await using folder = await sampleFolder(30);
  await using server = await serveFolder(folder);
  const inProcess = runnerOf(folder, folder.folder);
  const overSocket = runnerOf(folder, server.url);
  const fields = ["Country", "Sequence Length"];
  const ask = async (accept: string) => {
    const headers = { "content-type": "application/json", accept };
    const body = JSON.stringify({ fields });
    return await (await fetch(`${server.url}/v2/metadata/download`, { method: "POST", headers, body })).text();
  };

  await t.step("csv and json, untouched", async () => {
    const [csv, json] = await Promise.all([
      overSocket(["definitions", ...fields]),
      inProcess(["definitions", ...fields, "--format", "json"]),
    ]);
    assertEquals([csv.code, csv.stdout], [0, await ask("text/csv")]);
    assertEquals([json.code, json.stdout], [0, await ask("application/json")]);
    assertStringIncludes(csv.stderr, "definitions: complete, 2 definitions received, 2 asked for");
  });

  await t.step("xlsx", async () => {
    const path = join(folder.cacheFolder, "definitions.xlsx");
    const { code } = await inProcess(["definitions", ...fields, "--format", "xlsx", "-o", path]);
    const [{ sheet, data }] = await readExcel(path);
    assertEquals([code, sheet, data.length], [0, "definitions", 3]);
    assertEquals(data.flat().includes("Country"), true);
  });

  await t.step("a name that is given twice is named, and fetched once", async () => {
    const { code, stderr } = await inProcess(["definitions", "Country", "Notes", "Country"]);
    assertEquals(code, 0);
    assertStringIncludes(stderr, "2 definitions received, 2 asked for");
    assertStringIncludes(stderr, "warning: 1 field was requested more than once and fetched once: Country\n");
  });

  await t.step("a name that did not come is named, whatever the format", async () => {
    for (const format of ["csv", "json", "xlsx"]) {
      const { code, stdoutBytes, stderr } = await inProcess([
        "definitions",
        "Country",
        "Shoe Size",
        "--format",
        format,
      ]);
      assertEquals([code, stdoutBytes.length > 0], [4, true]);
      assertStringIncludes(stderr, "1 of 2 asked for is missing: Shoe Size");
    }
  });

  await t.step("all fields without a name", async () => {
    const { code, stdout } = await overSocket(["definitions"]);
    assertEquals([code, parse(stdout).length > 40], [0, true]);
  });
});

Deno.test("definitions refuses wrong usage before any request", async (t) => {
  await refuseAll(t, {
    "an unknown format": [["definitions", "Country", "--format", "xml"], "expected one of csv, json, xlsx"],
    "a field without a name": [["definitions", ""], "a field name is empty"],
  });
});
