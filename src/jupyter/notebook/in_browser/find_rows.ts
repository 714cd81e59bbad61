/** Which rows of a table are shown, in which order. Runs in the browser; see `cells.ts`. */
import { type CellKind, orderRows, searchedText, type SentCell } from "./cells.ts";
import { type ColumnCondition, isActive, testOf } from "./conditions.ts";

/** What is fixed of a table that was sent. */
export interface TableFacts {
  /** What the table is, in a few words; names the file. */
  readonly caption: string;
  readonly names: readonly string[];
  readonly kinds: readonly CellKind[];
  /** Rows that were sent. */
  readonly count: number;
  /** Rows that there are in all; null if nobody has counted. */
  readonly total: number | null;
  /** What filters do not reach, in words; empty when they reach everything. */
  readonly limits: string;
  /** How to get all of it, in words; empty when unknown. */
  readonly complete: string;
  readonly page: number;
  /** Characters of a cell that are shown. */
  readonly shown: number;
  /** Column that stays in view; -1 for none. */
  readonly pinned: number;
  /** Whether the table has filters, pages and buttons. */
  readonly tools: boolean;
  /** Marks and colours of strips. */
  readonly marks: string;
  readonly colours: readonly string[];
}

/** What a person has chosen. */
export interface TableState {
  /** Words that a cell of a shown column must contain. */
  words: string;
  readonly conditions: Map<number, ColumnCondition>;
  /** Column of the order; -1 for the order in which rows came. */
  sorted: number;
  direction: 1 | -1;
  /** Columns that are shown, in order. */
  shown: readonly number[];
  pinned: number;
  page: number;
  pageRows: number;
}

/** Finds the rows that pass every filter, in order. */
export function findRows(
  columns: readonly (readonly SentCell[])[],
  facts: Pick<TableFacts, "count" | "kinds">,
  state: Pick<TableState, "words" | "conditions" | "sorted" | "direction" | "shown">,
): number[] {
  let rows = Array.from({ length: facts.count }, (_, row) => row);
  for (const [column, condition] of state.conditions) {
    if (!isActive(condition)) continue;
    const { test } = testOf(condition, facts.kinds[column]);
    rows = rows.filter((row) => test(columns[column][row]));
  }
  const words = state.words.toLowerCase();
  if (words !== "") {
    const searched = state.shown.map((column) => columns[column]);
    rows = rows.filter((row) => searched.some((cells) => searchedText(cells[row]).toLowerCase().includes(words)));
  }
  return state.sorted < 0 ? rows : orderRows(rows, columns[state.sorted], facts.kinds[state.sorted], state.direction);
}

/** Describes how many rows were found of how many, which page is shown, and what filters do not reach. */
export function describeRows(found: number, facts: Pick<TableFacts, "count" | "limits">, state: TableState): string {
  const count = facts.count.toLocaleString("en");
  const rows = found === facts.count ? count : `${found.toLocaleString("en")} of ${count}`;
  const pages = Math.max(1, Math.ceil(found / state.pageRows));
  const page = pages === 1 ? "" : `, page ${(state.page + 1).toLocaleString("en")} of ${pages.toLocaleString("en")}`;
  const noun = facts.count === 1 ? "row" : "rows";
  return `${rows} ${noun}${page}${facts.limits === "" ? "" : `; ${facts.limits}`}`;
}
