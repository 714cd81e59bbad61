/**
 * `chart(spec, meta)`: a picture with all that a reader needs to trust it.
 *
 * Observable Plot draws; around it stand a title, a legend, and a source line that says how many records are shown, how
 * many are not and why, which records they are and of which day. The same input gives the same bytes: no clock, no
 * locale, no chance.
 *
 * In a notebook the picture is an image plus a script that replaces it with the SVG itself. A trusted notebook runs the
 * script: the text takes the colours of the theme, the picture fills the cell up to a quarter more than its own width,
 * and a mark says its values where the pointer is. An untrusted one (received from another person), nbconvert and
 * GitHub drop scripts and inline SVG, and keep the image.
 */
import type { PlotOptions } from "@observablehq/plot";
import { checkArgument, checkOptions } from "@seqreg/core/options/check_options";
import type { OptionRules } from "@seqreg/core/options/option_rule";
import * as rule from "@seqreg/core/options/rules";
import { Buffer } from "node:buffer";
import { writeAtomic } from "@seqreg/core/io/files/atomic_file";
import { DATA_CLASS, DISPLAY, type Displayable, escapeHtml, type MediaBundle, visible } from "@seqreg/core/io/display";
import { compose, type LegendEntry, onPage, withNotes } from "./compose.ts";
import { COLOURS_RULE, recolour } from "./own_colours.ts";
import { drawPicture } from "./_draw.ts";
import { friendlyLibrary } from "./_library.ts";
import { loadDrawing, type PlotLibrary } from "./plot.ts";
import { PAGE_SCRIPT } from "./_page_script.ts";
import { renderPng } from "./_png.ts";
import { count, counted } from "./words.ts";

/** What is drawn: options of Observable Plot, or a function that makes them with the library at hand. */
export type ChartSpec = PlotOptions | ((plot: PlotLibrary) => PlotOptions);

/** Which records a chart is about. */
export interface ChartSource {
  /** Number of what is shown. */
  readonly n: number;
  /** What is counted, in the plural; `records` by default. */
  readonly unit?: string;
  /** Number with a value that is not shown, such as a date out of range. */
  readonly excluded?: number;
  /** Number without a value. */
  readonly missing?: number;
  /** Rows of the data that could not be read, and are in no number. */
  readonly unread?: number;
  /** Which records they are: every one, one of each distinct sequence, or one of each cluster. */
  readonly records?: "all" | "unique" | "representatives";
  /** Name of the data, such as that of a table. */
  readonly name?: string;
  /** Which of the records of the data are shown, such as `Country = Kenya`. */
  readonly filter?: string;
  /** Field of which each value has one record alone, such as `Species`. */
  readonly onePer?: string;
  /** Day of the data, as the caller knows it: `2026-01-31`. */
  readonly snapshot?: string;
  /** Fields of the data that the numbers are of, such as `Family ICTV`. */
  readonly fields?: readonly string[];
  /**
   * What is not in the picture, by name: a sentence without its full stop, such as `Not on the map: 3 records, USSR`.
   */
  readonly unseen?: string;
}

/** What stands around the picture. */
export interface ChartMeta {
  /** What it shows; what is on the axes, not a claim. */
  readonly title: string;
  /** Text description of the picture for screen readers; its marks and axes by default. */
  readonly description?: string;
  /** Which records it is about; without it the source line says that nothing is stated. */
  readonly source?: ChartSource;
  /** A line below the title. */
  readonly subtitle?: string;
  /** What colours stand for, where the colours of the marks do not say it. */
  readonly legend?: readonly LegendEntry[];
  /** What the legend is about. */
  readonly legendTitle?: string;
  /** Colours as `#rrggbb`: of the legend's entries in their order, of the marks without a legend. */
  readonly colours?: readonly string[];
  /** What the reader should know; printed below the picture, in saved files too. */
  readonly notes?: readonly string[];
}

/** How {@linkcode Chart.save} writes. */
export interface SaveChartOptions {
  /** Colours of paper and ink; `light` by default. */
  readonly theme?: "light" | "dark";
  /** Pixels of a PNG for one of the chart; 2 by default. */
  readonly scale?: number;
  /** Whether the notes are printed below the source line; `true` by default. */
  readonly notes?: boolean;
  /** Ends the writing with the signal's reason. */
  readonly signal?: AbortSignal;
}

const FILLED_TEXT = rule.like<string>(
  "a text that says what the chart shows",
  (value) => typeof value === "string" && value.trim() !== "",
);
const COUNT = rule.wholeNumber({ from: 0 });

export const CHART_SOURCE_RULES = {
  n: rule.required(COUNT),
  unit: rule.text,
  excluded: COUNT,
  missing: COUNT,
  unread: COUNT,
  records: rule.oneOf(["all", "unique", "representatives"]),
  name: rule.text,
  filter: rule.text,
  onePer: rule.text,
  snapshot: rule.text,
  fields: rule.texts,
  unseen: rule.text,
} satisfies OptionRules<ChartSource>;

export const CHART_META_RULES = {
  title: rule.required(FILLED_TEXT),
  description: FILLED_TEXT,
  source: rule.shape<ChartSource>(CHART_SOURCE_RULES),
  subtitle: rule.text,
  legend: rule.listOf(
    rule.shape<LegendEntry>({
      label: rule.required(rule.text),
      colour: rule.required(rule.text),
      hatched: rule.flag,
    }),
    "entries, { label, colour }",
  ),
  legendTitle: rule.text,
  colours: COLOURS_RULE,
  notes: rule.texts,
} satisfies OptionRules<ChartMeta>;

export const SAVE_CHART_OPTIONS = {
  theme: rule.oneOf(["light", "dark"]),
  scale: rule.number({ from: 0.1, to: 10 }),
  notes: rule.flag,
  signal: rule.signal,
} satisfies OptionRules<SaveChartOptions>;

const SPEC_ARGUMENT = rule.required(
  rule.like<ChartSpec>(
    "options of Observable Plot, or a function that makes them",
    (value) => typeof value === "function" || typeof value === "object" && value !== null,
  ),
);
const META_ARGUMENT = rule.required(rule.shape<ChartMeta>(CHART_META_RULES));
const SOURCE_ARGUMENT = rule.required(rule.shape<ChartSource>(CHART_SOURCE_RULES));

/** A picture. Made by {@linkcode chart}. */
export class Chart implements Displayable {
  /** The whole picture: `<svg>` with title, description, legend and source line. Text is drawn in `currentColor`. */
  readonly svg: string;
  /** Width in pixels. */
  readonly width: number;
  /** Height in pixels. */
  readonly height: number;
  /** Its title. */
  readonly title: string;
  /** The line below the title. */
  readonly subtitle: string | undefined;
  /** Text description of the picture for screen readers. */
  readonly description: string;
  /** The source line. */
  readonly caption: string;
  /** What the reader should know. */
  readonly notes: readonly string[];
  /**
   * What was drawn, as options of Observable Plot, and the texts around it, to build on:
   * `chart((plot) => ({ ...one.spec(plot), height: 600 }), one.meta)`.
   */
  readonly spec: (plot: PlotLibrary) => PlotOptions;
  /** The texts around the picture, as passed to {@linkcode chart}. */
  readonly meta: ChartMeta;

  /** Charts are made by {@linkcode chart}. */
  constructor(
    picture: { readonly svg: string; readonly width: number; readonly height: number },
    texts: {
      readonly title: string;
      readonly subtitle: string | undefined;
      readonly description: string;
      readonly caption: string;
      readonly notes: readonly string[];
    },
    made: { readonly spec: ChartSpec; readonly meta: ChartMeta } = { spec: {}, meta: { title: texts.title } },
  ) {
    const { spec } = made;
    this.spec = (plot) => typeof spec === "function" ? spec(plot) : spec;
    this.meta = made.meta;
    this.svg = picture.svg;
    this.width = picture.width;
    this.height = picture.height;
    this.title = texts.title;
    this.subtitle = texts.subtitle;
    this.description = texts.description;
    this.caption = texts.caption;
    this.notes = texts.notes;
  }

  /**
   * Writes the picture to a file, atomically.
   *
   * @param path A path that ends with `.svg` or `.png`. A PNG is drawn with the fonts of this machine.
   * @throws {TypeError} If the path ends otherwise.
   * @throws {RangeError} If the scale is not between 0.1 and 10.
   * @throws {RegistryError} With code `disk` if the file cannot be written.
   */
  async save(path: string, options: SaveChartOptions = {}): Promise<void> {
    checkOptions("Chart.save()", options, SAVE_CHART_OPTIONS);
    const { theme = "light", scale = 2, notes = true, signal } = options;
    const ending = /\.(svg|png)$/i.exec(path)?.[1].toLowerCase();
    if (ending === undefined) {
      throw new TypeError(
        `Cannot save the chart as ${JSON.stringify(path)}: expected a name that ends with .svg or .png`,
      );
    }
    signal?.throwIfAborted();
    const svg = onPage(notes ? withNotes(this.svg, this) : this.svg, theme);
    await writeAtomic(path, ending === "svg" ? `${svg}\n` : await renderPng(svg, scale), { signal });
  }

  /** Title, description, source line and notes. */
  toString(): string {
    const { title, subtitle, description, caption } = this;
    return [
      title,
      ...subtitle === undefined ? [] : [subtitle],
      description,
      caption,
      ...this.notes.map((note) => `  ! ${note}`),
    ].map(visible).join(
      "\n",
    );
  }

  /** Shows the picture in a notebook, its notes below. */
  [DISPLAY](): MediaBundle {
    const image =
      `<img class="seqreg-svg" alt="${escapeHtml(`${this.title}. ${this.description}`)}" width="${this.width}" ` +
      `style="background:#fff;max-width:100%;height:auto" src="data:image/svg+xml;base64,${
        Buffer.from(this.svg).toString("base64")
      }">`;
    const notes = this.notes.map((note) => `<li>! ${escapeHtml(note)}</li>`).join("");
    return {
      "text/plain": this.toString(),
      "text/html": `<figure class="seqreg-chart ${DATA_CLASS}" style="margin:0">${image}` +
        (notes === "" ? "" : `<ul style="margin:2px 0;padding-left:1em;list-style:none">${notes}</ul>`) +
        `<script>${PAGE_SCRIPT}</script></figure>`,
    };
  }

  /** Shows the chart in the console as its texts. */
  [Symbol.for("Deno.customInspect")](): string {
    return this.toString();
  }
}

/**
 * Draws a chart.
 *
 * What you do not say has a default: margins with room for every label, names of an axis in lines or leaning, more
 * height for many rows, colours that all people tell apart with a legend, years without commas. Marks have tooltips, up
 * to 1,000 marks and 100,000 characters; an option `title` of a mark replaces its own. A polars frame is data
 * like a list of rows, BigInts are numbers. Rows that are not drawn, and what the library warns of, are notes.
 *
 * @param spec Options of Observable Plot, or a function that makes them: it is given the library, so that you need not
 * import it, whose marks have the first colour of the palette unless you choose one. Titles and captions of the library
 * are left out: `meta` has them.
 * @param meta Title; description, source, legend and notes where you have them.
 * @returns The chart: the last value of a cell shows itself, `save` writes it.
 * @throws {TypeError} If title or description are empty texts, a count is not a whole number, no row has a field that a
 * mark names, or a lazy frame is drawn.
 *
 * @example
 * ```ts
 * import { assert } from "@std/assert";
 * import { chart } from "./chart.ts";
 *
 * const hosts = [{ host: "Homo sapiens", records: 30 }, { host: "Sus scrofa", records: 12 }];
 * const picture = await chart(
 *   (plot) => ({ marginLeft: 120, marks: [plot.barX(hosts, { x: "records", y: "host" })] }),
 *   { title: "Records by host", description: "Two hosts.", source: { n: 42, records: "all" } },
 * );
 *
 * assert(picture.svg.includes("Homo sapiens"));
 * assert(picture.caption.startsWith("n = 42 records"));
 * ```
 */
export async function chart(spec: ChartSpec, meta: ChartMeta): Promise<Chart> {
  checkArgument("chart()", "spec", spec, SPEC_ARGUMENT);
  checkArgument("chart()", "meta", meta, META_ARGUMENT);
  const tools = await loadDrawing();
  const options = typeof spec === "function" ? spec(friendlyLibrary(tools.plot)) : spec;
  const hasLegend = meta.legend !== undefined && meta.legend.length > 0;
  const drawn = drawPicture(options, tools, hasLegend);
  const { legendTitle, notes } = drawn;
  const given = meta.legend !== undefined && hasLegend ? meta.legend : drawn.legend;
  const { svg, legend } = recolour(drawn.svg, { legend: given, colours: meta.colours ?? [] });
  const drawing = { ...drawn, svg };
  const caption = meta.source === undefined ? "Number and source of the data not stated." : describeSource(meta.source);
  const description = meta.description ?? drawing.description;
  const around = {
    ...!hasLegend && legendTitle !== undefined && { legendTitle },
    ...meta,
    legend,
    description,
    caption,
  };
  return new Chart(compose(drawing, around), {
    title: meta.title,
    subtitle: meta.subtitle,
    description,
    caption,
    notes: [...meta.notes ?? [], ...notes],
  }, { spec, meta });
}

/**
 * Writes the source line of a chart.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { describeSource } from "./chart.ts";
 *
 * assertEquals(
 *   describeSource({ n: 1200, missing: 3, records: "unique", snapshot: "2026-01-31" }),
 *   "n = 1,200 records; 3 without a value. One record for each distinct sequence. Data of 2026-01-31.",
 * );
 * ```
 */
export function describeSource(about: ChartSource): string {
  checkArgument("describeSource()", "source", about, SOURCE_ARGUMENT);
  const { n, unit = "records", excluded = 0, missing = 0, unread = 0, ...source } = about;
  const counts = [
    `n = ${counted(n, unit)}`,
    excluded === 0 ? "" : `${count(excluded)} excluded`,
    missing === 0 ? "" : `${count(missing)} without a value`,
    unread === 0 ? "" : `${counted(unread, "rows")} could not be read`,
  ].filter((part) => part !== "").join("; ");
  const which = {
    all: "All records",
    unique: "One record for each distinct sequence",
    representatives: "One record for each cluster",
  };
  const { records, name, filter, onePer, snapshot, fields = [], unseen = "" } = source;
  return [
    counts,
    unseen,
    records !== undefined ? which[records] : unit === "records" ? "Not stated whether all or unique records" : "",
    filter === undefined ? "" : `Only records with ${filter}`,
    onePer === undefined ? "" : `One of them for each ${onePer}`,
    name === undefined ? "" : `Source: ${name}`,
    fields.length === 0 ? "" : `${fields.length === 1 ? "Field" : "Fields"}: ${fields.join(", ")}`,
    snapshot === undefined ? "Day of the data not stated" : `Data of ${snapshot}`,
  ].filter((part) => part !== "").join(". ") + ".";
}
