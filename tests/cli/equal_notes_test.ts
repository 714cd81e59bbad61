/** What every command that reads a person's table reports of it, and the options by which it reads one. */
import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { inFolder } from "../_files.ts";
import { runInFolder } from "../_program.ts";

/** Command lines of a table by the command. */
const COMMANDS: Readonly<Record<string, (table: string) => readonly string[]>> = {
  sql: (table) => ["sql", table, "SELECT * FROM lake"],
  lake: (table) => ["lake", table, "-o", "./lake"],
  chart: (table) => ["chart", "schemaCard", table, "--format", "csv"],
  schema: (table) => ["schema", table],
  diff: (table) => ["diff", table, table],
  curate: (table) => ["curate", table, "-o", "./curated"],
  isolates: (table) => ["isolates", table],
  subsample: (table) => ["subsample", table, "--by", "country", "--total", "1", "-o", "./sample"],
};

Deno.test("every command names what is unusual about a table, and the rows that it could not read", async (t) => {
  await inFolder(async (folder) => {
    const rows = "accession;isolate;species;country\nx1;i;Zika;Peru\nx2;j;Zika;Mali;extra\n";
    await Deno.writeTextFile(`${folder}/m.csv`, rows);
    for (const [name, args] of Object.entries(COMMANDS)) {
      await t.step(name, async () => {
        const { code, stderr } = await runInFolder(folder, args("./m.csv"));
        assertEquals(code, 4, stderr);
        assertStringIncludes(stderr, "is separated by semicolons");
        assertMatch(stderr, /incomplete: .*line 3 \(the row has 5 cells, the header has 4\)/);
      });
    }
  });
});

Deno.test("every command that advises --encoding has it, and --sheet", async (t) => {
  await inFolder(async (folder) => {
    const text = "accession,isolate,species,country\nx1,i,Zika,C\u00f4te d'Ivoire\n";
    await Deno.writeFile(`${folder}/m.csv`, Uint8Array.from(text, (character) => character.charCodeAt(0)));
    for (const [name, args] of Object.entries(COMMANDS)) {
      await t.step(name, async () => {
        const without = await runInFolder(folder, args("./m.csv"));
        assertEquals(without.code, 1);
        assertStringIncludes(without.stderr, "--encoding windows-1252");
        const run = await runInFolder(folder, [...args("./m.csv"), "--encoding", "windows-1252"]);
        assertEquals(run.code, 0, run.stderr);
        const sheet = await runInFolder(folder, [...args("./m.csv"), "--sheet", "1"]);
        assertEquals(sheet.code, 2);
        assertStringIncludes(sheet.stderr, "the table is not a workbook");
      });
    }
    assertStringIncludes(await Deno.readTextFile(`${folder}/curated/kept.tsv`), "C\u00f4te d'Ivoire");
  });
});
