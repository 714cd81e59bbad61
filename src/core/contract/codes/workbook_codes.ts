/** The codes of what is unusual about workbooks. */
import type { LedgerCode } from "../../options/ledger_code.ts";
import { type LedgerCodeInfo, reason, warning } from "./ledger_code_info.ts";

/** Their levels, meanings and advice. */
export const WORKBOOK_CODES = {
  "formulas-not-stored": reason(
    "Formulas of a workbook have no stored value and were read as empty.",
    "Open the workbook in a spreadsheet program, save it, and read it again.",
  ),
  "formulas-not-computed": warning(
    "Formulas have the stored value 0 in a workbook whose formulas may not have been computed.",
    "Open the workbook in a spreadsheet program, save it, and read it again.",
  ),
  "cells-with-errors": warning("Cells with an error such as `#N/A` were read as empty.", "Correct the formulas."),
  "dates-outside-calendar": warning(
    "Cells shown as dates are outside a workbook's calendar and were kept as numbers.",
    "Correct the dates.",
  ),
  "dates-shortened": warning(
    "Cells of a workbook show a month or a year, and hold a day: they were read as shown.",
    "Format the cells as days in the workbook if the day is known.",
  ),
  "dates-among-texts": warning(
    "A column of a workbook has dates among texts, which a spreadsheet program may have made of names.",
    "Correct these cells if they were names such as `MARCH1` or `3-1`.",
  ),
  "percents-read": warning(
    "A column of a workbook shows percent: 48.12% was read as 48.12, or with its sign among other numbers.",
    "Nothing, unless fractions are expected: divide by 100.",
  ),
  "units-left-out": warning(
    "Cells of a workbook show text of their number format, such as a unit; numbers were read without it.",
    "Nothing, unless the text is part of the value: write it into the cells.",
  ),
  "cells-merged": warning(
    "Rows of a workbook share merged cells: each row got their value.",
    "Nothing, unless the value is that of one row only: split the cells.",
  ),
  "outside-table": warning(
    "A sheet has cells outside its table object: they were left out, or rows right below it were read as part of it.",
    "Nothing, unless they are data: extend the table over them.",
  ),
  "sheets-not-read": warning("A workbook has several sheets with data; one was read.", "Choose the sheet by its name."),
  "titles-skipped": warning("Titles or comments above the header were skipped.", "Nothing, unless they hold data."),
} satisfies Partial<Record<LedgerCode, LedgerCodeInfo>>;
