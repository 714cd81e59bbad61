import { assertEquals } from "@std/assert";
import { readTable } from "../../../../src/core/tables/open/read_table.ts";
import { SharedTexts } from "../../../../src/core/io/csv/shared_texts.ts";

Deno.test("SharedTexts returns every text, also of a column whose texts are all different", () => {
  const shared = new SharedTexts();
  for (let round = 0; round < 2; round++) {
    for (let row = 0; row < 12_000; row++) {
      assertEquals(shared.share(`strain ${row}`, 0), `strain ${row}`);
      assertEquals(shared.share(row % 2 === 0 ? "Kenya" : "Peru", 2), row % 2 === 0 ? "Kenya" : "Peru");
    }
  }
});

Deno.test("readTable() holds values that come again once, in tables with quotes too", async () => {
  const title = (row: number) => `"a long title of a laboratory, its ""part"" ${row % 3}"`;
  const lines = Array.from(
    { length: 20_000 },
    (_, row) => `strain-${row}\t${title(row)}\tUniversity Hospital ${row % 7}`,
  );
  const bytes = new TextEncoder().encode(`strain\ttitle\tlab\n${lines.join("\n")}\n`);
  const collect = await exposedCollector();
  collect();
  const before = Deno.memoryUsage().heapUsed;
  const { rows } = await readTable(bytes);
  collect();
  const perRow = (Deno.memoryUsage().heapUsed - before) / rows.length;
  assertEquals(rows[5], ["strain-5", 'a long title of a laboratory, its "part" 2', "University Hospital 5"]);
  // An array of three, a strain and its share of the text; 40 bytes more for each value that is held again.
  assertEquals(perRow < 215, true, `${perRow.toFixed(0)} bytes a row`);
});

async function exposedCollector(): Promise<() => void> {
  const { setFlagsFromString } = await import("node:v8");
  const { runInNewContext } = await import("node:vm");
  setFlagsFromString("--expose-gc");
  return runInNewContext("gc");
}
