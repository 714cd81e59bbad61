/** `live(source)`: a table of any number of rows, live under a cell. */
import { checkOptions } from "@seqreg/core/options/check_options";
import type { OptionRules } from "@seqreg/core/options/option_rule";
import * as rule from "@seqreg/core/options/rules";
import { type LiveInput, readyLiveSource, removeFrameFile } from "./live_source.ts";
import { announceView, LiveView } from "./live_view.ts";

/** Options of {@linkcode live}. */
export interface LiveOptions {
  /** Which table of a lake; the main one by default. */
  readonly table?: string;
  /** Columns to show, in this order; all by default. Others can be shown in the page. */
  readonly columns?: readonly string[];
  /** Which rows, in the registry's query grammar, such as `country:Kenya sequence_length:>9000`; all by default. */
  readonly query?: string;
  /** Rows in sight; 16 by default. */
  readonly rows?: number;
  /** What the table is, in a few words; the table's name by default. */
  readonly caption?: string;
}

const LIVE_OPTIONS = {
  table: rule.text,
  columns: rule.texts,
  query: rule.text,
  rows: rule.wholeNumber({ from: 3, to: 100 }),
  caption: rule.text,
} satisfies OptionRules<LiveOptions>;

const ROWS = 16;

/**
 * Shows a table of any number of rows live: the page asks for the rows in sight, and scrolls, sorts and filters all of
 * them. As the last value of a cell it is shown; kept in a variable it tells what is seen.
 *
 * Live in the kernel Deno (seqreg), also while another cell computes; in other kernels, in a saved notebook and on a
 * page without a kernel the first rows stand there.
 *
 * @param source A lake, paths of Parquet files, a polars frame (lazy too), a table or a result.
 * @param options Which table and columns; how many rows are in sight.
 * @throws {TypeError} If the source cannot be shown.
 * @throws {RangeError} If there is no such table or column, no column is named, or one twice.
 * @throws {CriteriaError} If the query breaks the grammar, or a part of it has no exact translation.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { live } from "seqreg/notebook";
 * import pl from "nodejs-polars";
 *
 * const view = await live(pl.DataFrame({ Country: ["Kenya", "Peru", "Kenya"], Length: [5, 7, 9] }));
 * view.filter = { Country: "ken" };
 * view.sort = { by: "Length", descending: true };
 *
 * assertEquals((await view.frame()).getColumn("Length").toArray(), [9, 5]);
 * ```
 */
export async function live(source: LiveInput, options: LiveOptions = {}): Promise<LiveView> {
  checkOptions("live()", options, LIVE_OPTIONS);
  const { table, columns, query, rows = ROWS, caption } = options;
  announceView();
  const ready = await readyLiveSource(source, { table, query });
  try {
    return await LiveView.open(caption === undefined ? ready : { ...ready, title: caption }, { height: rows, columns });
  } catch (cause) {
    if (ready.temporary !== undefined) removeFrameFile(ready.temporary);
    throw cause;
  }
}
