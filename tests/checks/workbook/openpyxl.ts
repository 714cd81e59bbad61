/**
 * Our reader of workbooks compared with openpyxl and pandas, on workbooks that these and XlsxWriter write: every cell.
 * Run by `deno task checks workbook`. `PYTHON` names a Python with openpyxl, pandas and xlsxwriter; `SEQREG_SEED`
 * repeats a run.
 */
import { assert, assertEquals } from "@std/assert";
import { join } from "node:path";
import { textsOf } from "../../../src/core/contract/ledger_entries.ts";
import { readWorkbookTable } from "../../../src/core/io/workbook/workbook_table.ts";
import { testNeeding } from "../../_needs.ts";
import { needsModules, PYTHON } from "../../_python.ts";
import { inFolder } from "../../_files.ts";

/** What Python reads: texts, and numbers as numbers. */
interface Expected {
  readonly file: string;
  readonly rows: readonly (readonly (string | number)[])[];
  readonly pandas: readonly (readonly (string | number)[])[];
  readonly unstored: readonly string[];
  readonly errors: readonly string[];
}

const SEED = Deno.env.get("SEQREG_SEED") ?? String(Math.floor(Math.random() * 2 ** 31));

async function* writeWorkbooks(folder: string): AsyncGenerator<Expected> {
  const program = new URL("_write_workbooks.py", import.meta.url).pathname;
  const { success, stdout, stderr } = await new Deno.Command(PYTHON, { args: [program, folder, SEED] }).output();
  assert(success, new TextDecoder().decode(stderr));
  for (const line of new TextDecoder().decode(stdout).trim().split("\n")) yield JSON.parse(line);
}

/** Texts as our reader writes them: a date-time at midnight is a day, of which ISO day and time mean the same. */
function comparable(rows: readonly (readonly (string | number)[])[]): string[][] {
  const texts = rows.map((row) => row.map((cell) => String(cell).replace(/^(\d{4}-\d\d-\d\d)T00:00:00$/, "$1")));
  return texts.filter((row) => row.some((cell) => cell !== ""));
}

testNeeding(
  needsModules("openpyxl", "pandas", "xlsxwriter"),
  `workbooks as openpyxl and pandas read them (seed ${SEED})`,
  async (t) => {
    await inFolder(async (folder) => {
      for await (const { file, rows, pandas, unstored, errors } of writeWorkbooks(folder)) {
        await t.step(file, async () => {
          const found = await readWorkbookTable(join(folder, file));
          const ours = comparable([found.table.columns, ...found.table.rows]);
          assertEquals(ours, comparable(rows));
          assertEquals(ours, comparable(pandas));
          const reasons = textsOf(found.entries, "reason").join();
          assertEquals(/^\d+/.exec(reasons)?.[0] ?? "0", String(unstored.length), reasons);
          for (const cell of unstored.slice(0, 20)) assert(new RegExp(`\\b${cell}\\b`).test(reasons), reasons);
          const warnings = textsOf(found.entries, "warning").filter((warning) => warning.includes("with an error"))
            .join();
          assertEquals(/^\d+/.exec(warnings)?.[0] ?? "0", String(errors.length), warnings);
        });
      }
    });
  },
);
