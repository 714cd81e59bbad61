import { assertEquals, assertStringIncludes } from "@std/assert";
import { runCli } from "../../../_cli.ts";
import { runInFolder } from "../../../_program.ts";
import { readTsv, withTable } from "../../../curation/_tables.ts";

const ROWS = [["accession", "Title", "Country"], ["a", "Virus", "Peru"], ["b", "a patent", ""], ["c", "Virus", "?"]];

Deno.test("curate writes what is kept and what is left out, which sum to the input", async () => {
  await withTable(ROWS, async (_, cwd) => {
    await Deno.writeTextFile(`${cwd}/rules.json`, '{ "require": ["Country"] }');
    const { code, stdout, stderr } = await runInFolder(cwd, [
      "curate",
      "./records.csv",
      "--rules",
      "./rules.json",
      "-o",
      "./out",
    ]);
    assertEquals([code, stdout], [0, ""], stderr);
    assertStringIncludes(stderr, "curate: 1 of 3 records kept, 2 left out, 1 patent, 1 missing-field");
    assertEquals(await readTsv(`${cwd}/out/kept.tsv`), [{ accession: "a", Title: "Virus", Country: "Peru" }]);
    assertEquals(await readTsv(`${cwd}/out/excluded.tsv`), [
      { accession: "b", reason: "patent", all_reasons: "patent;missing-field" },
      { accession: "c", reason: "missing-field", all_reasons: "missing-field" },
    ]);
    const without = await runInFolder(cwd, ["curate", "./records.csv", "--without", "patent", "-o", "./all"]);
    assertStringIncludes(without.stderr, "curate: 3 of 3 records kept, 0 left out");
  });
});

Deno.test("curate refuses wrong rules, names and folders", async () => {
  await withTable(ROWS, async (_, cwd) => {
    await Deno.writeTextFile(`${cwd}/list.json`, "[]");
    await Deno.writeTextFile(`${cwd}/odd.json`, '{ "requires": ["Country"] }');
    const codeOf = async (...args: string[]) => (await runInFolder(cwd, ["curate", ...args])).code;
    assertEquals(await codeOf("./records.csv"), 2);
    assertEquals(await codeOf("./records.csv", "--without", "patents", "-o", "./out"), 2);
    assertEquals(await codeOf("./records.csv", "--field", "country", "-o", "./out"), 2);
    assertEquals(await codeOf("./records.csv", "--rules", "./list.json", "-o", "./out"), 2);
    assertEquals(await codeOf("./records.csv", "--rules", "./odd.json", "-o", "./out"), 2);
    assertEquals(await codeOf("./records.csv", "--rules", "./absent.json", "-o", "./out"), 1);
    for (const [rules, says] of [[{ fields: { host: "Country" } }, "fields"], [{ without: 5 }, "without"]] as const) {
      await Deno.writeTextFile(`${cwd}/rules.json`, JSON.stringify(rules));
      const wrong = await runInFolder(cwd, ["curate", "./records.csv", "--rules", "./rules.json", "-o", "./out"]);
      assertEquals([wrong.code, wrong.stdout], [2, ""], wrong.stderr);
      assertStringIncludes(wrong.stderr, `option "${says}" of the rules in rules.json`);
    }
    assertEquals(await codeOf("./records.csv", "-o", "./records.csv"), 2);
    assertEquals(await codeOf("./absent.csv", "-o", "./out"), 1);
    assertEquals((await runCli(["curate", "records.csv", "-o", "."], { cwd })).code, 2);
  });
});
