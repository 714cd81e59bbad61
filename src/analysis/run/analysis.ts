/** What every analysis gives: the numbers, a chart of them, and what the reader should know. */
import type { DataFrame } from "nodejs-polars";
import { DATA_CLASS, DISPLAY, type Displayable, escapeHtml, type MediaBundle, visible } from "@seqreg/core/io/display";
import { frameView } from "@seqreg/jupyter/notebook/frame_view";
import { stackViews } from "@seqreg/jupyter/notebook/show";
import type { Chart, ChartSource } from "../chart/chart.ts";
import type { RoleFields, RolePreferences } from "../source/roles.ts";
import type { RecordFilter } from "../source/record_filter.ts";
import type { PlausibleRanges } from "./plausible.ts";
import { membersOf } from "@seqreg/core/engine/frames";

/** Options that every analysis shares. */
export interface AnalysisOptions {
  /** Fields by role, where the names in the data are unusual: `{ length: "Number of bases" }`. */
  readonly fields?: RoleFields;
  /**
   * Fields by role in the order in which they are preferred, such as `{ family: ["Family ICTV", "Family NCBI"] }`: the
   * first that is there is taken. Those of the source's naming by default.
   */
  readonly roles?: RolePreferences;
  /**
   * What values can be, where the defaults do not fit: `{ length: [1, 10_000_000] }`. What lies outside is left out.
   */
  readonly plausible?: PlausibleRanges;
  /**
   * Which records are analysed, by field: `{ country: "Kenya", length: { from: 1000 } }`. The source line names them.
   */
  readonly filter?: RecordFilter;
  /**
   * One record for each value of this field (its name, alias or role), such as `species`, `cluster` or `isolate`: that
   * with the least accession, after the filter. Records without a value are left out.
   */
  readonly onePer?: string;
  /** Colours as `#rrggbb`: of the legend's entries in their order, of the marks without a legend. */
  readonly colours?: readonly string[];
  /** Width of the picture in pixels, from 200 to 4,000; as its content needs by default. */
  readonly width?: number;
  /** Table of a lake; its main one by default. */
  readonly table?: string;
  /** What the data is called, for the source line; the table's name by default. */
  readonly name?: string;
  /** Which records they are, for the source line; known for the tables of a lake. */
  readonly records?: ChartSource["records"];
  /**
   * Day of the data, `YYYY-MM-DD`, for the source line; where dates are counted, later ones are left out, and without
   * it those after the day on which the data came, where its provenance has one. It is yours to say: analyses read no
   * clock, and nothing that comes with an archive states of which day its data is.
   */
  readonly snapshot?: string;
  /** Ends the work between its steps with the signal's reason. */
  readonly signal?: AbortSignal;
}

/** The numbers, their chart, and notes. The last value of a cell shows itself. */
export class Analysis implements Displayable {
  /** What was analysed. */
  readonly title: string;
  /** The numbers of the chart, one row for each item; without rows if there is nothing to show. */
  readonly frame: DataFrame;
  /** The chart; `undefined` if there is nothing to show, and then a note explains why. */
  readonly chart: Chart | undefined;
  /** What the reader should know: what was left out, and where this picture misleads. */
  readonly notes: readonly string[];

  /** Analyses are made by the functions of this module. */
  constructor(parts: Pick<Analysis, "title" | "frame" | "chart" | "notes">) {
    this.title = parts.title;
    this.frame = parts.frame;
    this.chart = parts.chart;
    this.notes = parts.notes;
  }

  /**
   * How many records the numbers are of (`n`), and how many are in no number: `excluded`, `missing`, `unread`, absent
   * if zero. The chart's source line states them. `undefined` without a chart.
   */
  get counts(): ChartSource | undefined {
    return this.chart?.meta.source;
  }

  /** Title, source line and notes. */
  toString(): string {
    if (this.chart !== undefined) return this.chart.toString();
    return [`${this.title}: no chart`, ...this.notes.map((note) => `  ! ${note}`)].map(visible).join("\n");
  }

  /** Shows the chart and its notes in a notebook; the table of numbers below can be opened. */
  async [DISPLAY](): Promise<MediaBundle> {
    const table = await frameView(this.frame, "numbers");
    if (this.chart !== undefined) {
      const view = this.chart[DISPLAY]();
      return {
        "text/plain": view["text/plain"],
        "text/html": `${view["text/html"]}<details><summary>the numbers</summary>${table["text/html"]}</details>`,
      };
    }
    const notes = this.notes.map((note) => `<li>! ${escapeHtml(note)}</li>`).join("");
    const words = {
      "text/plain": this.toString(),
      "text/html": `<div class="${DATA_CLASS}" role="note"><strong>${escapeHtml(this.title)}</strong>` +
        `<ul style="margin:2px 0;padding-left:1em;list-style:none">${notes}</ul></div>`,
    };
    return membersOf(this.frame).height === 0 ? words : stackViews(words, table);
  }

  /** Shows the analysis in the console as its texts. */
  [Symbol.for("Deno.customInspect")](): string {
    return this.toString();
  }
}
