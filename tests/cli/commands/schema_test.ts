import { assertEquals, assertStringIncludes } from "@std/assert";
import { runInFolder } from "../../_program.ts";
import { withFolder } from "../../core/datasets/_archive.ts";
import { writeRows } from "../../again/diff/_versions.ts";

Deno.test("schema describes fields as a table, JSON, TypeScript and a Table Schema, and how they changed", async () => {
  await withFolder(async (folder) => {
    await writeRows(`${folder}/new.csv`, [["accession", "Host Age"], ["a", "7"], ["b", "12"]]);
    await writeRows(`${folder}/old.csv`, [["accession", "Age Host"], ["a", "7"], ["b", "12"]]);
    const run = async (...args: string[]) => {
      const { code, stdout, stderr } = await runInFolder(folder, ["schema", "./new.csv", ...args]);
      assertEquals(code, 0, stderr);
      return stdout;
    };
    assertStringIncludes(await run(), "integer (inferred)");
    assertEquals(JSON.parse(await run("--format", "json")).tables[0].fields[1].values.range, [7, 12]);
    assertStringIncludes(await run("--format", "typescript"), 'readonly "Host Age": number | bigint | null;');
    assertEquals(JSON.parse(await run("--format", "frictionless")).fields[1].type, "integer");
    assertStringIncludes(await run("./old.csv"), "renamed: Age Host → Host Age");
    const { stderr } = await runInFolder(folder, ["schema", "./new.csv", "./old.csv"]);
    for (const place of ["new.csv", "old.csv"]) assertStringIncludes(stderr, `${place}: `);
    assertEquals(await run("-o", "./fields.json"), "");
    assertEquals(
      JSON.parse(await Deno.readTextFile(`${folder}/fields.json`)).tables,
      JSON.parse(await run("--format", "json")).tables,
    );
    assertEquals(await run("-o", "./fields.ts"), "");
    assertEquals(await Deno.readTextFile(`${folder}/fields.ts`), await run("--format", "typescript"));
    const narrow = await runInFolder(folder, ["schema", "./new.csv"], { env: { COLUMNS: "40" } });
    assertStringIncludes(narrow.stderr, "columns are not shown: widen the terminal");
    const wide = await runInFolder(folder, ["schema", "./new.csv"], { env: { COLUMNS: "400" } });
    assertEquals(wide.stderr.includes("not shown"), false, "columns without a value are no others");
    const other = await runInFolder(folder, ["schema", "./new.csv", "-o", "./fields.csv"]);
    assertEquals(other.code, 2);
    assertStringIncludes(other.stderr, "Cannot write .csv to fields.csv");
    assertEquals((await runInFolder(folder, ["schema", "./absent.csv"])).code, 1);
  });
});
