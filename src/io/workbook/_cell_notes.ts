/** What is unusual about the cells of a sheet: counted, and the first ones named. */
import { countOf } from "../../contract/count_of.ts";
import { listSome } from "../../contract/ledger.ts";

/** Cells that are named. */
const NAMED = 20;

/** Cells with something in common. */
class CellList {
  count = 0;
  readonly #names: string[] = [];

  add(name: string): void {
    this.count++;
    if (this.#names.length < NAMED) this.#names.push(name);
  }

  toString(): string {
    const more = this.count - this.#names.length;
    return listSome(this.#names, NAMED) + (more > 0 ? ` and ${more} more` : "");
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

  /** What is missing, in words. */
  reasons(): string[] {
    const { unstored } = this;
    if (unstored.count === 0) return [];
    return [
      `${
        countOf(unstored.count, "formula")
      } without a stored value read as empty (${unstored}): open the workbook in ` +
      "a spreadsheet program, save it, and read it again",
    ];
  }

  /** What else is unusual, in words. */
  warnings(): string[] {
    const { errors, uncomputed, undated } = this;
    return [
      errors.count === 0 ? "" : `${countOf(errors.count, "cell")} with an error read as empty: ${errors}`,
      uncomputed.count === 0 ? "" : (
        `${
          countOf(uncomputed.count, "formula")
        } with the stored value 0 (${uncomputed}), in a workbook whose formulas ` +
        "are computed when it is opened: save it in a spreadsheet program if 0 is not their value"
      ),
      undated.count === 0 ? "" : (
        `${
          countOf(undated.count, "cell")
        } shown as dates, outside the calendar of a workbook, kept as numbers: ${undated}`
      ),
    ].filter((warning) => warning !== "");
  }
}
