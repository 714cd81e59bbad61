/** TSV that the toolkit writes is the same table for each of its readers, and for polars. */
import { assertEquals } from "@std/assert";
import fc from "fast-check";
import pl from "nodejs-polars";
import { tsvRow } from "../../../src/core/io/csv/csv_text.ts";
import { buildLake, openLake, tableFromCsv, writeFrame } from "../../../src/core/tables/mod.ts";

const PARTS = [
  "a",
  "b c",
  "\t",
  "\n",
  "\r\n",
  '"',
  '""',
  "\\",
  "\\t",
  "\\N",
  "C:\\temp\\new",
  '\\"',
  ";",
  ",",
  "|",
  "'",
  "#",
];
const TEXT = fc.array(fc.constantFrom(...PARTS), { minLength: 1, maxLength: 5 }).map((parts) => `x${parts.join("")}y`)
  .chain((text) => fc.constantFrom(text, text.slice(1, -1), text.slice(1), text.slice(0, -1)))
  .filter((text) => text.trim() === text && text !== "");
const ROWS = fc.array(fc.tuple(TEXT, TEXT), { minLength: 1, maxLength: 30 });

const recordsOf = (rows: readonly (readonly string[])[]) =>
  rows.map(([one, two], index) => ({ id: `r${index}`, one, two }));

Deno.test("a TSV is read back equal", async () => {
  const folder = await Deno.makeTempDir();
  try {
    await fc.assert(
      fc.asyncProperty(ROWS, async (rows) => {
        const records = recordsOf(rows);
        const path = `${folder}/t.tsv`;
        await writeFrame(pl.DataFrame(records), path, { format: "tsv" });
        const written = await Deno.readTextFile(path);
        const cells = [["id", "one", "two"], ...records.map(({ id, one, two }) => [id, one, two])];
        assertEquals(written, cells.map((row) => `${tsvRow(row)}\n`).join(""));
        const table = await tableFromCsv(path, { separator: "\t" });
        assertEquals((await table.rawFrame()).toRecords(), records);
        assertEquals(pl.readCSV(path, { sep: "\t", inferSchemaLength: 0 }).toRecords(), records);
      }),
      { numRuns: 100 },
    );
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("a TSV becomes an equal lake", async () => {
  const folder = await Deno.makeTempDir();
  try {
    for (const [index, rows] of [[['""\\"\\";y', "\\N"]], ...fc.sample(ROWS, 8)].entries()) {
      const records = recordsOf(rows);
      const path = `${folder}/t${index}.tsv`;
      await writeFrame(pl.DataFrame(records), path, { format: "tsv" });
      await buildLake([path], `${folder}/lake${index}`);
      await using lake = await openLake(`${folder}/lake${index}`);
      const frame = await lake.sql(`SELECT * FROM t${index} ORDER BY CAST(substr(id, 2) AS INT)`);
      assertEquals(frame.toRecords(), records, await Deno.readTextFile(path));
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
