/**
 * The table object of a sheet, which Excel makes by "Format as Table": it says where the header and the data are.
 *
 * Source: ECMA-376, part 1, 18.5.1.2 (`table`).
 */
import { countOf } from "../../contract/count_of.ts";
import { type LedgerEntry, noteEntry } from "../../contract/ledger_entries.ts";
import type { ZipArchive, ZipEntry } from "../zip/zip_archive.ts";
import { type CellRange, columnName, rangeName, readCellRange } from "./_cell_names.ts";
import { CellList } from "./_cell_notes.ts";
import type { SheetRow } from "./_sheet_rows.ts";
import { readWholePart } from "./_xml_part.ts";

/** A table object with a header. */
export interface HeaderedTable {
  readonly name: string;
  /** From its header to its last row. */
  readonly range: CellRange;
  /** Whether its last row holds totals. */
  readonly hasTotals: boolean;
}

/** Reads a table object; `undefined` if it has no header. @throws {ParseError} If the part is malformed. */
export async function readTableObject(
  archive: ZipArchive,
  entry: ZipEntry,
  options: { readonly name: string; readonly signal?: AbortSignal },
): Promise<HeaderedTable | undefined> {
  let found: HeaderedTable | undefined;
  await readWholePart(archive, entry, {
    onOpen({ own }, attributes) {
      const range = own === "table" ? readCellRange(attributes.get("ref") ?? "") : undefined;
      if (range === undefined || attributes.get("headerRowCount") === "0") return;
      const name = attributes.get("displayName") ?? attributes.get("name") ?? "";
      found = { name, range, hasTotals: Number(attributes.get("totalsRowCount") ?? 0) > 0 };
    },
    onText() {},
    onClose() {},
  }, options);
  return found;
}

/** Takes the rows of a sheet, and keeps what is in its table object. */
export class TableObjectRows {
  readonly #object: HeaderedTable;
  readonly #outside = new CellList();
  /** Last row of the data. Excel extends a table by rows that are typed right below it, other programs do not. */
  #bottom: number;
  #extended = 0;

  constructor(object: HeaderedTable) {
    this.#object = object;
    this.#bottom = object.range.bottom - (object.hasTotals ? 1 : 0);
  }

  /** Keeps rows and cells of the table. */
  async *within(batches: AsyncIterable<readonly SheetRow[]>): AsyncGenerator<readonly SheetRow[]> {
    for await (const batch of batches) {
      const rows: SheetRow[] = [];
      for (const row of batch) {
        const kept = this.#take(row);
        if (kept !== undefined) rows.push(kept);
      }
      if (rows.length > 0) yield rows;
    }
  }

  #take(row: SheetRow): SheetRow | undefined {
    const { top, left, right } = this.#object.range;
    const inside = row.columns.flatMap((column, index) => column >= left && column <= right ? [index] : []);
    if (this.#isRightBelow(row, inside.length)) {
      this.#bottom++;
      this.#extended++;
    }
    const kept = row.number >= top && row.number <= this.#bottom ? inside : [];
    if (kept.length === row.columns.length) return row;
    const isKept = new Set(kept);
    for (const [index, column] of row.columns.entries()) {
      if (!isKept.has(index)) this.#outside.add(columnName(column) + row.number);
    }
    if (kept.length === 0) return undefined;
    const places = (indices: readonly number[] = []) =>
      indices.filter((index) => isKept.has(index)).map((index) => kept.indexOf(index));
    return {
      number: row.number,
      columns: kept.map((index) => row.columns[index]),
      texts: kept.map((index) => row.texts[index]),
      midnights: places(row.midnights),
      percents: places(row.percents),
      dates: places(row.dates),
    };
  }

  /** Whether a row continues the table: a single cell below several columns is a remark. */
  #isRightBelow({ number }: SheetRow, cells: number): boolean {
    const { range: { left, right }, hasTotals } = this.#object;
    return !hasTotals && number === this.#bottom + 1 && cells >= Math.min(2, right - left + 1);
  }

  /** Reports what was left out, and rows below the table that were read. */
  entries(sheet: string): LedgerEntry[] {
    const { name, range } = this.#object;
    const table = `the table object ${JSON.stringify(name)} (${rangeName(range)}) of ${sheet}`;
    const entries: LedgerEntry[] = [];
    const { count, names } = this.#outside;
    if (count > 0) {
      const text = `${countOf(count, "cell")} outside ${table} left out: ${this.#outside}`;
      entries.push(noteEntry("outside-table", text, { count, ids: names }));
    }
    if (this.#extended > 0) {
      const text = `${countOf(this.#extended, "row")} right below ${table} read as part of it`;
      entries.push(noteEntry("outside-table", text, { count: this.#extended }));
    }
    return entries;
  }
}
