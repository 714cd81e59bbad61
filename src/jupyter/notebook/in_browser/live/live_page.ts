/** What the parts of a live table in a page share. Runs in the browser; see `../cells.ts`. */
import type { LiveColumn } from "../../../live/live_question.ts";
import type { SentCell } from "../cells.ts";
import type { PageElement } from "../page.ts";
import type { LiveAnswer, LiveChannel, LiveFailure } from "./channel.ts";
import type { FilterRule } from "../read_filter.ts";

/** What is fixed of a view until its files are opened anew. */
export interface PageFacts {
  readonly title: string;
  readonly note: string;
  readonly count: number;
  /** Rows in sight. */
  readonly height: number;
  readonly columns: readonly LiveColumn[];
}

/** A row that is here: its index in the files, and what is known of its cells. */
export interface PageRow {
  readonly id: number;
  readonly cells: Map<number, SentCell>;
}

/** What a person has chosen. */
export interface PageState {
  /** By column: what was written, and what it says. */
  readonly filters: Map<number, { readonly text: string; readonly rule: FilterRule }>;
  sort: { readonly column: number; readonly descending: boolean } | null;
  /** Columns that are shown, in their order. */
  shown: readonly number[];
  readonly widths: Map<number, number>;
  /** Indices of rows that are marked. */
  readonly marked: Set<number>;
}

export interface LivePage {
  readonly root: PageElement;
  facts: PageFacts;
  readonly channel: LiveChannel;
  readonly state: PageState;
  /** Rows that match. */
  total: number;
  /** Whether `total` is that of the present filters. */
  isCounted: boolean;
  /** The first row in sight. */
  first: number;
  /** Rows that are here, by their number in the present order. */
  rows: Map<number, PageRow>;
  /** Counts changes of the order and the choice of rows: answers to earlier questions are no use. */
  version: number;
  readonly parts: PageParts;
  /** Where the keyboard is: a row, or one of the lines of the heads; and the column. */
  readonly place: { line: "sort" | "range" | "filter" | "row"; row: number; column: number };
  /** Draws everything, and asks for what is lacking. */
  draw(): void;
  /** Begins from the top in another order, or with another choice of rows. */
  renew(isChoice: boolean): void;
  fail(failure: LiveFailure): void;
  /** Begins anew with files that were opened anew. */
  restart(facts: PageFacts): void;
  /** Sends the kernel what a person has changed. */
  change(): void;
}

/** Elements of a live table. */
export interface PageParts {
  readonly status: PageElement;
  readonly message: PageElement;
  readonly panel: PageElement;
  readonly view: PageElement;
  readonly grid: PageElement;
  readonly head: PageElement;
  readonly body: PageElement;
  /** Lines of the rows in sight. */
  readonly lines: PageElement[];
  readonly heads: Map<number, PageHead>;
}

export interface PageHead {
  readonly cell: PageElement;
  readonly sort: PageElement;
  readonly range: PageElement;
  readonly filter: PageElement;
  readonly fault: PageElement;
  /** Filters of other columns for which its distribution is drawn. */
  drawnFor: string | undefined;
  draw(distribution: LiveAnswer): void;
  /** Shows the filter and the order that are on. */
  mark(): void;
}

/** Sizes in pixels: a row, the heads, the number of a row; and the longest bar that browsers lay out. */
export function sizesOf(): {
  readonly row: number;
  readonly head: number;
  readonly number: number;
  readonly longest: number;
} {
  return { row: 22, head: 128, number: 84, longest: 8_000_000 };
}

export function widthOf({ facts, state }: Pick<LivePage, "facts" | "state">, column: number): number {
  return state.widths.get(column) ?? (facts.columns[column].kind === "text" ? 150 : 124);
}

/** Width of all columns before one of those that are shown, and of the rows' numbers. */
export function leftOf(page: Pick<LivePage, "facts" | "state">, index: number): number {
  let left = sizesOf().number;
  for (let before = 0; before < index; before++) left += widthOf(page, page.state.shown[before]);
  return left;
}

/** Indices, among the shown columns, of those in sight. */
export function columnsInSight(page: LivePage): number[] {
  const { view } = page.parts;
  // A page that lays nothing out has neither.
  const [scrolled, width] = [view.scrollLeft || 0, view.clientWidth || 1000];
  const [from, to] = [scrolled + sizesOf().number, scrolled + width];
  const seen: number[] = [];
  let left = sizesOf().number;
  for (const [index, column] of page.state.shown.entries()) {
    const right = left + widthOf(page, column);
    if (right > from && left < to) seen.push(index);
    left = right;
  }
  return seen;
}

/** Indices of the columns that are in the page: all of a usual table, of a very wide one those near to sight. */
export function columnsInPage(page: LivePage): number[] {
  const { shown } = page.state;
  if (shown.length <= 100) return shown.map((_, index) => index);
  const seen = columnsInSight(page);
  const from = Math.max(0, (seen[0] ?? 0) - 5);
  return shown.map((_, index) => index).slice(from, (seen.at(-1) ?? 0) + 6);
}

/** Filters as questions hold them; those of one column may be left out. */
export function filtersOf({ state }: Pick<LivePage, "state">, without = -1): readonly LiveAnswer[] {
  return [...state.filters].filter(([column]) => column !== without).sort(([a], [b]) => a - b)
    .map(([column, { rule }]) => ({ column, ...rule }));
}

/** What is shown, by names of columns, for the kernel. */
export function stateOf({ facts, state }: Pick<LivePage, "facts" | "state">): LiveAnswer {
  const nameOf = (column: number) => facts.columns[column].name;
  const { filters, sort, shown, marked } = state;
  return {
    filters: Object.fromEntries([...filters].map(([column, { text }]) => [nameOf(column), text])),
    sort: sort === null ? null : { by: nameOf(sort.column), descending: sort.descending },
    columns: shown.map(nameOf),
    marked: [...marked].slice(0, 10_000),
  };
}
