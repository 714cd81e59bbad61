/** What is unusual about the cells of a sheet: counted, and the first ones named. */
import { countOf } from "../../contract/count_of.ts";
import { listSome } from "../../contract/ledger.ts";
import type { LedgerCode } from "../../contract/ledger_codes.ts";
import { type LedgerEntry, noteEntry } from "../../contract/ledger_entries.ts";

/** Cells that are named. */
const NAMED = 20;

/** Cells with something in common. */
export class CellList {
  count = 0;
  /** The first of them. */
  readonly names: string[] = [];

  add(name: string): void {
    this.count++;
    if (this.names.length < NAMED) this.names.push(name);
  }

  toString(): string {
    const more = this.count - this.names.length;
    return listSome(this.names, NAMED) + (more > 0 ? ` and ${more} more` : "");
  }
}

/** Cells whose text is not simply what was stored. */
export class CellNotes {
  /** Formulas without a stored value. */
  readonly unstored = new CellList();
  /** Formulas with the value 0, in a workbook whose formulas are to be computed on opening. */
  readonly uncomputed = new CellList();
  /** Errors of formulas, such as `#N/A`. */
  readonly errors = new CellList();
  /** Numbers shown as dates that are no dates. */
  readonly undated = new CellList();
  /** Months and years that hold a day which their cells do not show. */
  readonly shortened = new CellList();
  /** Numbers that are shown with text which was left out, such as a unit. */
  readonly unitless = new CellList();

  /** What is missing or unusual. */
  entries(): LedgerEntry[] {
    const { unstored, errors, uncomputed, undated, shortened, unitless } = this;
    const stored = "open the workbook in a spreadsheet program, save it, and read it again";
    const computed =
      "in a workbook whose formulas are computed when it is opened: save it in a spreadsheet program if 0 " +
      "is not their value";
    const formulas = (cells: CellList) => countOf(cells.count, "formula");
    const cells = (list: CellList) => countOf(list.count, "cell");
    return [
      ...noteCells(
        "formulas-not-stored",
        unstored,
        `${formulas(unstored)} without a stored value read as empty (${unstored}): ${stored}`,
      ),
      ...noteCells("cells-with-errors", errors, `${cells(errors)} with an error read as empty: ${errors}`),
      ...noteCells(
        "formulas-not-computed",
        uncomputed,
        `${formulas(uncomputed)} with the stored value 0 (${uncomputed}), ${computed}`,
      ),
      ...noteCells(
        "dates-outside-calendar",
        undated,
        `${cells(undated)} shown as dates, outside the calendar of a workbook, kept as numbers: ${undated}`,
      ),
      ...noteCells(
        "dates-shortened",
        shortened,
        `${cells(shortened)} that show a month or a year, and hold a day, read as shown: ${shortened}`,
      ),
      ...noteCells(
        "units-left-out",
        unitless,
        `${cells(unitless)} with text of their number format, left out: ${unitless}`,
      ),
    ];
  }
}

function noteCells(code: LedgerCode, { count, names }: CellList, text: string): LedgerEntry[] {
  return count === 0 ? [] : [noteEntry(code, text, { count, ids: names })];
}
