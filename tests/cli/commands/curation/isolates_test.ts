import { assertEquals, assertStringIncludes } from "@std/assert";
import { runInFolder } from "../../../_program.ts";
import { withTable } from "../../../curation/_tables.ts";

const ROWS = [
  ["accession", "Species", "Strain name", "Segment"],
  ["a", "Example virus", "i", "L"],
  ["b", "Example virus", "i", "S"],
  ["c", "Example virus", "k", "S"],
];

Deno.test("isolates writes a row an isolate to standard output or a file, and refuses what it cannot group", async () => {
  await withTable(ROWS, async (_, cwd) => {
    const text = "species\tisolate\trecords\tsegments\tmissing\tcomplete\tsource\tduplicate\tconflicting\tambiguous\t" +
      "accessions\nExample virus\ti\t2\tL;S\t\ttrue\tobserved\t\t\t\tL=a;S=b\n" +
      "Example virus\tk\t1\tS\tL\tfalse\tobserved\t\t\t\tS=c\n";
    const { code, stdout, stderr } = await runInFolder(cwd, ["isolates", "./records.csv"]);
    assertEquals([code, stdout], [0, text], stderr);
    assertStringIncludes(stderr, "isolates: 2 isolates of 3 records (3 in all), 1 complete");
    const file = await runInFolder(cwd, ["isolates", "./records.csv", "-o", "./out.tsv", "--quiet"]);
    assertEquals([file.code, file.stdout, await Deno.readTextFile(`${cwd}/out.tsv`)], [0, "", text]);
    assertEquals((await runInFolder(cwd, ["isolates", "./records.csv", "--field", "isolate=Nothing"])).code, 2);
    assertEquals((await runInFolder(cwd, ["isolates", "./absent.csv"])).code, 1);
  });
});

Deno.test("isolates of a table without records, or without an isolate, is a header, and nothing matched", async () => {
  for (const rows of [[ROWS[0]], [ROWS[0], ["a", "Example virus", "", "L"]]]) {
    await withTable(rows, async (_, cwd) => {
      const { code, stdout, stderr } = await runInFolder(cwd, ["isolates", "./records.csv"]);
      assertEquals([code, stdout.split("\n").length], [3, 2], stderr);
    });
  }
});
