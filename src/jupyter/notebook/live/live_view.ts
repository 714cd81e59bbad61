/** A live table as code sees it: what is shown now, and its rows as a frame. */
import type { DataFrame } from "nodejs-polars";
import { checkArgument, checkOptions } from "@seqreg/core/options/check_options";
import { adviseName } from "@seqreg/core/options/nearest";
import type { OptionRules } from "@seqreg/core/options/option_rule";
import * as rule from "@seqreg/core/options/rules";
import type { LiveCode } from "../../live/live_code.ts";
import type { LiveColumn, LiveFilter, LiveSort } from "../../live/live_question.ts";
import { LiveTable } from "../../live/live_table.ts";
import { DISPLAY, type Displayable, type MediaBundle, notebookApi } from "@seqreg/core/io/display";
import type { PageFacts } from "../in_browser/live/live_page.ts";
import { readFilter } from "../in_browser/read_filter.ts";
import { OWN_KERNEL } from "../kernel_internals.ts";
import { liveBundle, liveElement } from "./live_html.ts";
import type { ReadySource } from "./live_source.ts";

/** How rows are ordered: by one column, null last, equal values as they stand in the files. */
export interface LiveOrder {
  /** Name of the column. */
  readonly by: string;
  /** Whether the greatest come first; `false` by default. */
  readonly descending?: boolean;
}

const ORDER_RULE = rule.nullable(
  rule.shape<LiveOrder>({ by: rule.required(rule.text), descending: rule.flag }),
);

/** Options of {@linkcode LiveView.frame}. */
export interface LiveFrameOptions {
  /** Rows at most; 100,000 by default. */
  readonly most?: number;
}

const LIVE_FRAME_OPTIONS = {
  most: rule.wholeNumber({ from: 0, to: 2 ** 32 - 1 }),
} satisfies OptionRules<LiveFrameOptions>;

/** What a page says of its view, by names of columns. */
interface LiveState {
  readonly filters?: Readonly<Record<string, string>>;
  readonly sort?: LiveOrder | null;
  readonly columns?: readonly string[];
  /** Indices of the rows that are marked. */
  readonly marked?: readonly number[];
}

/** Rows of a frame by default, and rows that stand in the file. */
const MOST_FRAME_ROWS = 100_000;
const STATIC_ROWS = 50;
/** Name under which the kernel's proxy leaves what pages show. */
const SEEN: unique symbol = Symbol.for("seqreg.live.seen");

/** Views of this kernel, by their names; those that code has dropped are not kept. */
const views = new Map<string, WeakRef<LiveView>>();
const dropped = new FinalizationRegistry<string>((id) => views.delete(id));

/** A table that is shown live: what is seen of it in the page, set and read by code. Made by `live()`. */
export class LiveView implements Displayable {
  /** Name of the view. */
  readonly id: string = crypto.randomUUID();
  readonly #ready: ReadySource;
  readonly #facts: PageFacts;
  readonly #fallback: MediaBundle;
  #state: LiveState = {};

  private constructor(ready: ReadySource, facts: PageFacts, fallback: MediaBundle) {
    this.#ready = ready;
    this.#facts = facts;
    this.#fallback = fallback;
    views.set(this.id, new WeakRef(this));
    dropped.register(this, this.id);
    Reflect.set(globalThis, SEEN, LiveView.#takeStates);
  }

  /** Opens a source for a view. */
  static async open(
    ready: ReadySource,
    { height, columns }: { readonly height: number; readonly columns?: readonly string[] },
  ): Promise<LiveView> {
    await using table = await LiveTable.open(ready.source);
    if (columns !== undefined) checkShown(columns, table.columns);
    const numbers = columns?.map((name) => numberOf(name, table.columns)) ?? [...table.columns.keys()];
    const { rows } = await table.rows({ offset: 0, limit: STATIC_ROWS, columns: numbers, sort: null, filters: [] });
    const { title } = ready;
    const note = [ready.note, ...await table.noteRanges()].filter((text) => text !== "").join("; ");
    const facts = { title, note, height, count: table.count, columns: table.columns };
    const isOwn = Reflect.has(globalThis, OWN_KERNEL);
    const fallback = { facts, rows, numbers, isOwn };
    const view = new LiveView(ready, facts, liveBundle(fallback));
    if (columns !== undefined) view.#state = { columns };
    // The file belongs to the cell that makes the view; another one may show it.
    if (ready.temporary !== undefined) await view.#tell({ temporary: ready.temporary }).catch(() => {});
    return view;
  }

  /** Takes what pages show. */
  static #takeStates(this: void, states: readonly (readonly [string, LiveState])[]): void {
    for (const [id, state] of states) {
      const view = views.get(id)?.deref();
      if (view !== undefined) view.#see(state);
    }
  }

  /** Filters by column, as they are written into the fields above the columns. Setting them replaces all. */
  get filter(): Readonly<Record<string, string>> {
    return { ...this.#state.filters };
  }

  /**
   * Sets the filters.
   *
   * @throws {RangeError} If there is no such column.
   * @throws {TypeError} If a filter cannot be read.
   */
  set filter(filters: Readonly<Record<string, string>>) {
    this.#filtersOf(filters);
    this.#set({ ...this.#state, filters: { ...filters } });
  }

  /** The order of the rows; `null` as they stand in the files. */
  get sort(): LiveOrder | null {
    return this.#state.sort ?? null;
  }

  /**
   * Sets the order.
   *
   * @throws {RangeError} If there is no such column.
   */
  set sort(order: LiveOrder | null) {
    this.#sortOf(order);
    this.#set({ ...this.#state, sort: order });
  }

  /** Names of the columns that are shown, in their order. */
  get columns(): readonly string[] {
    return [...this.#state.columns ?? this.#facts.columns.map(({ name }) => name)];
  }

  /**
   * Sets the columns that are shown.
   *
   * @throws {RangeError} If there is no such column, none is named, or one twice.
   */
  set columns(names: readonly string[]) {
    checkShown(names, this.#facts.columns);
    this.#set({ ...this.#state, columns: [...names] });
  }

  /**
   * Accessions of the rows that are marked in the page, in the order in which they were; of a table without accessions
   * the values of its first column.
   */
  async selected(): Promise<string[]> {
    const marked = this.#state.marked ?? [];
    await using table = await LiveTable.open(this.#ready.source);
    const found = table.columns.findIndex(({ name }) => /accession|^id$/i.test(name));
    const cells = await table.cells(marked.filter((id) => table.hasRow(id)), [Math.max(0, found)]);
    return cells.map(([cell]) => String(cell ?? ""));
  }

  /**
   * Reads what is shown: the rows that match, in their order, with the columns that are shown.
   *
   * @param options `most`: rows at most, 100,000 by default.
   * @returns Rows × columns, with the types that `lake.sql()` gives: what polars would not hold exactly is text.
   */
  async frame(options: LiveFrameOptions = {}): Promise<DataFrame> {
    checkOptions("frame()", options, LIVE_FRAME_OPTIONS);
    await using table = await LiveTable.open(this.#ready.source);
    return await table.frame({
      filters: this.#filtersOf(this.filter),
      sort: this.#sortOf(this.sort),
      columns: this.#shown(),
      most: options.most ?? MOST_FRAME_ROWS,
    });
  }

  /** Code that finds the rows that are shown again. */
  async code(): Promise<LiveCode> {
    await using table = await LiveTable.open(this.#ready.source);
    return table.code({
      filters: this.#filtersOf(this.filter),
      sort: this.#sortOf(this.sort),
      shown: this.#shown(),
    });
  }

  /** Shows the table in a notebook: live in the kernel Deno (seqreg), elsewhere its first rows. */
  async [DISPLAY](): Promise<MediaBundle> {
    await this.#tell({ source: this.#ready.source, facts: this.#facts, temporary: this.#ready.temporary });
    return liveElement(this.id, this.#fallback);
  }

  #set(state: LiveState): void {
    this.#state = state;
    // What cannot be delivered is seen when the cell runs again.
    this.#tell({}).catch(() => {});
  }

  async #tell(others: object): Promise<void> {
    if (!Reflect.has(globalThis, OWN_KERNEL)) return;
    await notebookApi()?.broadcast("seqreg_live", { view: this.id, state: this.#state, ...others });
  }

  /** Takes what a page shows; names that the table does not have are left out. */
  #see({ filters = {}, sort = null, columns, marked = [] }: LiveState): void {
    const names = new Set(this.#facts.columns.map(({ name }) => name));
    this.#state = {
      filters: Object.fromEntries(Object.entries(filters).filter(([name]) => names.has(name))),
      sort: sort !== null && names.has(sort.by) ? sort : null,
      ...columns !== undefined && { columns: columns.filter((name) => names.has(name)) },
      marked,
    };
  }

  #filtersOf(filters: Readonly<Record<string, string>>): LiveFilter[] {
    checkArgument("live()", "filter", filters, rule.required(rule.recordOf(rule.text, "texts by column")));
    return Object.entries(filters).flatMap(([name, text]) => {
      const column = numberOf(name, this.#facts.columns);
      const { rule, fault } = readFilter(text, this.#facts.columns[column].kind);
      if (fault !== undefined) throw new TypeError(`Cannot filter ${JSON.stringify(name)}: ${fault}`);
      return rule === undefined ? [] : [{ column, ...rule } as LiveFilter];
    });
  }

  #sortOf(order: LiveOrder | null): LiveSort | null {
    checkArgument("live()", "sort", order, ORDER_RULE);
    if (order === null) return null;
    return { column: numberOf(order.by, this.#facts.columns), descending: order.descending === true };
  }

  /** Numbers of the columns that are shown. */
  #shown(): number[] {
    return this.columns.map((name) => numberOf(name, this.#facts.columns));
  }
}

/** Has the kernel's proxy start the data process, while the first rows are read here. */
export function announceView(): void {
  if (Reflect.has(globalThis, OWN_KERNEL)) notebookApi()?.broadcast("seqreg_live", { soon: true }).catch(() => {});
}

function checkShown(names: readonly string[], columns: readonly LiveColumn[]): void {
  if (names.length === 0) throw new RangeError("Cannot show no column: name at least one");
  const twice = names.find((name, index) => names.indexOf(name) < index);
  if (twice !== undefined) throw new RangeError(`Cannot show ${JSON.stringify(twice)}: it is named twice`);
  for (const name of names) numberOf(name, columns);
}

/** Number of a column. @throws {RangeError} If there is no such column. */
function numberOf(name: string, columns: readonly LiveColumn[]): number {
  const names = columns.map((column) => column.name);
  const number = names.indexOf(name);
  if (number >= 0) return number;
  throw new RangeError(
    `Cannot show ${JSON.stringify(name)}: there is no such column; ${adviseName(name, names)}`,
  );
}
