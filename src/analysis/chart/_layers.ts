/**
 * Marks as they are drawn here: with rows in place of frames, and watched, so that what was drawn of which row is known
 * afterwards. The caller's own marks are not changed.
 */
import type { DrawnElement } from "./plot.ts";
import { lostRowsOf, type RowCounts } from "./_lost_rows.ts";
import { rowsOf } from "./_rows.ts";

export interface LayerChannel {
  readonly value?: ArrayLike<unknown>;
  readonly label?: unknown;
  readonly scale?: string | null;
  readonly defaultScale?: string;
  readonly hint?: { readonly length?: boolean };
  readonly source?: LayerChannel | null;
}

/** One drawn group of a mark: the whole mark, or its part in one facet. */
export interface Layer {
  /** What the mark is, such as `bar`. */
  readonly kind: string;
  readonly node: DrawnElement;
  readonly facet: { readonly fx?: unknown; readonly fy?: unknown };
  /** Channels by name, before scales. */
  readonly channels: Readonly<Record<string, LayerChannel>>;
  /** Channels by name, in pixels and colours. */
  readonly values: Readonly<Record<string, unknown>>;
  /** Names of axes by scale, as they are written. */
  readonly labels: Readonly<Record<string, string>>;
  /** Whether its rows say more than their position. */
  readonly hasRows: boolean;
}

/** What one drawing has drawn. */
export interface Watched {
  readonly layers: Layer[];
  /** Rows by kind of mark: all of them, and those without a position. */
  readonly rows: Map<object, { readonly kind: string; all: number; lost: number }>;
}

export function startWatch(): Watched {
  return { layers: [], rows: new Map() };
}

/** Makes marks that are drawn as the caller's are, and noted down in what `watched` returns at that moment. */
export function watchMarks(marks: unknown, watched: () => Watched): unknown[] {
  if (!Array.isArray(marks)) return [];
  return marks.flatMap((given) =>
    [given].flat(Infinity).filter((mark) => mark !== null && mark !== undefined).map((mark, at) => {
      const render: unknown = Reflect.get(Object(mark), "render");
      if (typeof mark !== "object" || typeof render !== "function") return mark;
      const counts = at === 0 ? lostRowsOf(given) : undefined;
      return watchMark(Object(mark), watched, counts ?? !Array.isArray(given));
    })
  );
}

type Render = (index: readonly number[] | null, scales: object, values: object, ...rest: unknown[]) => unknown;
type Filter = (index: readonly number[], channels: object, values: object) => readonly number[];

/** @param whole Whether all its rows are to be drawn, which parts of a box are not; or how many rows it leaves out. */
function watchMark(mark: object, watched: () => Watched, whole: boolean | RowCounts): object {
  const data = rowsOf(Reflect.get(mark, "data"));
  const own: object = Object.create(mark);
  // Tooltips are this module's: those of the library need its script in the page.
  for (const [name, value] of Object.entries({ data, tip: null })) Reflect.set(own, name, value);
  const kind = String(Reflect.get(mark, "ariaLabel") ?? "");
  if (!isData(data) || /axis|grid|frame/.test(kind)) return own;
  const hasRows = Array.from(data).some((row) => typeof row === "object" && row !== null && !(row instanceof Date));
  const drawn: Render = function (this: unknown, index, scales, values, ...rest) {
    const render: unknown = Reflect.get(mark, "render");
    const node: unknown = typeof render === "function"
      ? Reflect.apply(render, this, [index, scales, values, ...rest])
      : null;
    if (isElement(node) && index !== null) {
      const { fx, fy } = Object(index);
      watched().layers.push({
        kind,
        node,
        facet: { fx, fy },
        channels: Reflect.get(values, "channels") ?? {},
        values: { ...values },
        labels: labelsOf(scales),
        hasRows,
      });
    }
    return node;
  };
  const filter: unknown = Reflect.get(mark, "filter");
  const filtered: Filter = function (this: unknown, index, channels, values) {
    const kept = typeof filter === "function" ? Reflect.apply(filter, this, [index, channels, values]) : index;
    if (typeof whole === "object") watched().rows.set(mark, { kind, ...whole });
    if (whole !== true) return kept;
    const rows = watched().rows.get(mark) ?? { kind, all: 0, lost: 0 };
    rows.all += index.length;
    rows.lost += index.length - countPlaced(kept, channels, values);
    watched().rows.set(mark, rows);
    return kept;
  };
  Reflect.set(own, "render", drawn);
  Reflect.set(own, "filter", filtered);
  return own;
}

/** How many rows have a position. */
function countPlaced(index: readonly number[], channels: object, values: object): number {
  const positions = ["x", "y", "x1", "x2", "y1", "y2"].filter((name) => name in channels)
    .map((name): ArrayLike<unknown> | undefined => Reflect.get(values, name));
  return index.filter((row) =>
    positions.every((position) => {
      const value = position?.[row];
      return value !== undefined && value !== null && !(typeof value === "number" && !Number.isFinite(value));
    })
  ).length;
}

function labelsOf(scales: object): Record<string, string> {
  return Object.fromEntries(
    Object.entries(scales).flatMap(([name, scale]) => {
      const label: unknown = Reflect.get(Object(scale), "label");
      return label === undefined || label === null ? [] : [[name, String(label)]];
    }),
  );
}

/** Whether a mark has data of its own: decorations have one row, null. */
function isData(data: unknown): data is Iterable<unknown> {
  if (typeof data !== "object" || data === null || !(Symbol.iterator in data)) return false;
  return !(Array.isArray(data) && data.length === 1 && data[0] === null);
}

function isElement(node: unknown): node is DrawnElement {
  return typeof node === "object" && node !== null && "querySelectorAll" in node;
}
