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
