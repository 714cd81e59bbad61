/**
 * Reads a workbook and prints its number of cells, a row of every 9,973 and the most memory in kB: `_workbook_read.ts
 * READER FILE`. The reader is `seqreg` (row by row), `table` (as a table in memory) or `read-excel-file`.
 */
import { readSheet } from "read-excel-file";
import { openWorkbook } from "../../src/core/io/workbook/workbook.ts";
import { readWorkbookTable } from "../../src/core/io/workbook/workbook_table.ts";

const SAMPLED = 9973;
const [reader, path] = Deno.args;
let [cells, rows] = [0, 0];
const sample: (readonly string[])[] = [];

function take(row: readonly string[]): void {
  cells += row.length;
  if (rows++ % SAMPLED === 0) sample.push(row);
}

if (reader === "seqreg") {
  using workbook = await openWorkbook(path);
  for await (const batch of workbook.readSheet(workbook.sheets[0]).rows) for (const { texts } of batch) take(texts);
} else if (reader === "table") {
  const { table } = await readWorkbookTable(path);
  take(table.columns);
  for (const row of table.rows) take(row);
} else {
  for (const row of await readSheet(path)) {
    take(row.map((cell) => cell instanceof Date ? cell.toISOString().slice(0, 19) : String(cell)));
  }
}
console.log(JSON.stringify({ cells, sample }));
console.error(/VmHWM:\s+([0-9]+) kB/.exec(Deno.readTextFileSync("/proc/self/status"))?.[1]);
