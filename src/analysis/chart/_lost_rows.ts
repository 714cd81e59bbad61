/** Rows that boxes and bins leave out since they have no value: the library drops them before a mark is drawn. */
import { isPlain } from "./_rows.ts";

/** Rows of a mark, and how many of them are left out. */
export interface RowCounts {
  readonly all: number;
  readonly lost: number;
}

const counts = new WeakMap<object, RowCounts>();
const binned = new WeakMap<object, readonly unknown[]>();

export function rememberBins(transform: unknown, channels: readonly unknown[]): void {
  if (typeof transform === "object" && transform !== null) binned.set(transform, channels);
}

/** Counts the rows of a mark that lack a value which it is made of. */
export function countLost(name: string, { mark, rows, options }: {
  readonly mark: unknown;
  readonly rows: readonly unknown[];
  readonly options: object;
}): void {
  const value = name === "boxX" ? "x" : name === "boxY" ? "y" : undefined;
  const channels = value === undefined ? binned.get(options) ?? [] : [Reflect.get(options, value)];
  const fields = channels.map((channel) => isPlain(channel) ? Reflect.get(channel, "value") : channel)
    .filter((field) => typeof field === "string");
  const lost = rows.filter((row) => isPlain(row) && fields.some((field) => isEmpty(Reflect.get(row, field)))).length;
  if (lost > 0 && typeof mark === "object" && mark !== null) counts.set(mark, { all: rows.length, lost });
}

/** The counts of a mark, or of one of several parts, that leaves rows out. */
export function lostRowsOf(mark: unknown): RowCounts | undefined {
  return typeof mark === "object" && mark !== null ? counts.get(mark) : undefined;
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || Number.isNaN(value);
}
