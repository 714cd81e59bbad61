/** Which sheet of a workbook is read. */
import { ParseError } from "../../errors.ts";
import { listSome } from "../../contract/ledger.ts";
import { nearbyName } from "../../options/nearest.ts";
import type { Workbook, WorkbookSheet } from "./workbook.ts";
import { type LedgerEntry, noteEntry } from "../../contract/ledger_entries.ts";

/** Sheets that a message names. */
const NAMED = 20;

/** Chooses the first visible sheet with text, and names the others that have text, or whose file is missing. */
export async function chooseSheet(
  workbook: Workbook,
  name: string,
): Promise<{ readonly sheet: WorkbookSheet; readonly entries: readonly LedgerEntry[] }> {
  const filled = await filledSheets(workbook);
  const visible = filled.filter(({ isHidden }) => !isHidden);
  const sheet = visible.find(({ entry }) => entry !== undefined) ?? visible.at(0);
  if (sheet === undefined) throw emptyWorkbook(name, filled);
  if (filled.length === 1) return { sheet, entries: [] };
  const unread = filled.filter((other) => other !== sheet);
  const others = describeSheets(unread);
  const chosen = JSON.stringify(sheet.name);
  const text = `${name} has ${filled.length} sheets with data: ${chosen} was read, and not ${others}; the option ` +
    "sheet (--sheet) chooses another";
  return { sheet, entries: [noteEntry("sheets-not-read", text, { ids: unread.map(({ name }) => name) })] };
}

/** The sheets that have a cell with text, or cannot be read: the latter matters if such a sheet is chosen. */
async function filledSheets(workbook: Workbook): Promise<WorkbookSheet[]> {
  const filled: WorkbookSheet[] = [];
  for (const sheet of workbook.sheets) if (await isFilled(workbook, sheet)) filled.push(sheet);
  return filled;
}

async function isFilled(workbook: Workbook, sheet: WorkbookSheet): Promise<boolean> {
  try {
    for await (const _ of workbook.readSheet(sheet).rows) return true;
    return false;
  } catch (cause) {
    if (cause instanceof ParseError) return true;
    throw cause;
  }
}

/** Finds a sheet by its name, or by its number from 1. @throws {RangeError} If there is no such sheet. */
export function findSheet(sheets: readonly WorkbookSheet[], wanted: string | number, name: string): WorkbookSheet {
  const folded = String(wanted).toLowerCase();
  const byName = typeof wanted === "number" ? undefined : sheets.find((sheet) => sheet.name === wanted) ??
    sheets.find((sheet) => sheet.name.toLowerCase() === folded);
  const found = byName ?? sheets.find(({ number }) => String(number) === folded);
  if (found !== undefined) return found;
  const closest = nearbyName(folded, sheets.map((sheet) => sheet.name));
  const hint = typeof wanted === "number" || closest === undefined ? "" : `, did you mean ${JSON.stringify(closest)}`;
  const known = sheets.length === 0 ? "none" : describeSheets(sheets);
  throw new RangeError(
    `Cannot read the sheet ${
      JSON.stringify(wanted)
    } of ${name}: there is no such sheet${hint}; the sheets are ${known}`,
  );
}

/** Lists sheets by number and name: `1 "samples", 2 "codes" (hidden)`. */
function describeSheets(sheets: readonly WorkbookSheet[]): string {
  const shown = sheets.map(({ number, name, isHidden, entry }) =>
    `${number} ${JSON.stringify(name)}${isHidden ? " (hidden)" : ""}${
      entry === undefined ? " (its file is missing)" : ""
    }`
  );
  return listSome(shown, NAMED);
}

function emptyWorkbook(name: string, filled: readonly WorkbookSheet[]): ParseError {
  return new ParseError(
    filled.length === 0
      ? `Cannot read the table ${name}: it is empty, none of its sheets has a cell with a value`
      : `Cannot read the table ${name}: only hidden sheets have values, ${describeSheets(filled)}; choose one by ` +
        "the option sheet (--sheet)",
  );
}
