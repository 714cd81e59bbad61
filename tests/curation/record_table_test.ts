import { assertEquals } from "@std/assert";
import { isMissing, MISSING_WORDS, trimWhiteSpace } from "../../src/core/contract/values/mod.ts";
import { RecordTable, valueOf } from "../../src/curation/_record_table.ts";
import { withTable } from "./_tables.ts";

/** Texts that are near to a word for missing, and are no such word. */
const VALUES = ["NaCl", "Namibia", "-1", "n//a", "unknown virus", "mi\u017f\u017fing", "x", "\u00e9t\u00e9", "a b"];

Deno.test("valueOf() is null of exactly the texts that are missing, and has no white space around the others", async () => {
  const words = ["", " ", "\u00a0", ...MISSING_WORDS, ...VALUES];
  const around = (word: string) => [word, ` ${word}`, `${word}\t`, `\u2003${word}\u3000`, word.toUpperCase()];
  const texts = words.flatMap(around);
  await withTable([["accession", "Host"], ...texts.map((text, at) => [`a${at}`, text])], async (path) => {
    await using records = await RecordTable.open(path, { purpose: "test" });
    const rows = await records.sql.all(`SELECT ${valueOf(records.column("Host"))} FROM records ORDER BY seqreg_row`);
    assertEquals(rows.map(([value]) => value), texts.map((text) => isMissing(text) ? null : trimWhiteSpace(text)));
  });
});

Deno.test("columns whose names differ in case alone have their own values, and a note says their names", async () => {
  await withTable([["accession", "Host", "host"], ["a", "bat", "dog"], ["b", "", "cat"]], async (path) => {
    await using records = await RecordTable.open(path, { purpose: "test" });
    assertEquals(records.table.columns.map(({ name }) => name), ["accession", "Host", "host_2"]);
    const values = ["Host", "host_2"].map((name) => valueOf(records.column(name)));
    assertEquals(await records.sql.all(`SELECT ${values.join(", ")} FROM records ORDER BY seqreg_row`), [
      ["bat", "dog"],
      [null, "cat"],
    ]);
    assertEquals(records.entries().map(({ code, ids }) => [code, ids]), [["columns-alike", ["host"]]]);
  });
});

Deno.test("an accession whose column differs from another in case alone is that column's", async () => {
  const rows = [["registry accession", "Registry Accession"], ["x", "vj000000000001"], ["x", "vj000000000002"]];
  await withTable(rows, async (path) => {
    await using records = await RecordTable.open(path, { purpose: "test" });
    assertEquals(records.accession().name, "Registry Accession_2");
    assertEquals(await records.sql.all(`SELECT ${valueOf(records.accession())} FROM records ORDER BY seqreg_row`), [
      ["vj000000000001"],
      ["vj000000000002"],
    ]);
  });
});
