/** Pages of a search that hold only records of earlier pages, as a registry sends them that ignores `pageNumber`. */
import { countOf } from "../../contract/count_of.ts";
import { type LedgerEntry, noteEntry } from "../../contract/ledger_entries.ts";

/** Counts the pages of one search without a record that earlier pages did not hold. */
export class RepeatedPages {
  #count = 0;

  /** Pages so far. */
  get count(): number {
    return this.#count;
  }

  /** Reads the records' names of one page, before they are `known`. A record without a name cannot be compared. */
  add(names: readonly string[], known: ReadonlySet<string>): void {
    if (names.length > 0 && names.every((name) => name !== "" && known.has(name))) this.#count++;
  }

  /** The reason: paging that is ignored, or that begins with page 0. */
  describe(): string {
    return `${countOf(this.#count, "page")} held only records of earlier pages: the registry seems to ignore ` +
      "pageNumber, or to count pages from 0";
  }

  /** The same as an entry of the ledger of pages that end there. */
  end(): LedgerEntry {
    return noteEntry("pages-repeated", `${this.describe()}; no more pages were requested`);
  }
}
