/**
 * `chart(spec, meta)`: a picture with all that a reader needs to trust it.
 *
 * Observable Plot draws; around it stand a title, a legend, and a source line that says how many records are shown, how
 * many are not and why, which records they are and of which day. The same input gives the same bytes: no clock, no
 * locale, no chance.
 *
 * In a notebook the picture is an image plus a script that replaces it with the SVG itself. A trusted notebook runs the
 * script, and the text takes the colours of the theme; an untrusted one (received from another person) drops scripts
 * and inline SVG, and keeps the image.
 *
 * @module
 */
import type { PlotOptions } from "@observablehq/plot";
import { checkArgument, checkOptions } from "../../contract/options/check_options.ts";
import type { OptionRules } from "../../contract/options/option_rule.ts";
import * as rule from "../../contract/options/rules.ts";
import { Buffer } from "node:buffer";
import { writeAtomic } from "../../io/files/atomic_file.ts";
import { DISPLAY, type Displayable, type MediaBundle } from "../../notebook/display.ts";
import { DATA_CLASS, escapeHtml, visible } from "../../notebook/html.ts";
import { PICTURE_WIDTH } from "./axes.ts";
import { compose, type LegendEntry, MARGIN, onPage } from "./compose.ts";
import { findOverflow } from "./_fit.ts";
import { type DrawnElement, loadDrawing, type PlotLibrary } from "./plot.ts";
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
  /** Which records they are: every one, one of each distinct sequence, or one of each cluster. */
  readonly records?: "all" | "unique" | "representatives";
  /** Name of the data, such as that of a table. */
  readonly name?: string;
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
  /** Text description of the picture for screen readers. */
  readonly description: string;
  /** Which records it is about. */
  readonly source: ChartSource;
  /** A line below the title. */
  readonly subtitle?: string;
  /** What colours stand for; the library's own legends are not drawn. */
  readonly legend?: readonly LegendEntry[];
  /** What the legend is about. */
  readonly legendTitle?: string;
  /** What the reader should know; stands below the picture in a notebook, not in saved files. */
  readonly notes?: readonly string[];
}

/** How {@linkcode Chart.save} writes. */
export interface SaveChartOptions {
  /** Colours of paper and ink; `light` by default. */
  readonly theme?: "light" | "dark";
  /** Pixels of a PNG for one of the chart; 2 by default. */
  readonly scale?: number;
  /** Ends the writing with the signal's reason. */
  readonly signal?: AbortSignal;
}

const FILLED_TEXT = rule.like<string>(
  "a text that says what the chart shows",
  (value) => typeof value === "string" && value.trim() !== "",
);
const COUNT = rule.wholeNumber({ from: 0 });

/** The rules of {@linkcode ChartSource}. */
export const CHART_SOURCE_RULES = {
  n: rule.required(COUNT),
  unit: rule.text,
  excluded: COUNT,
  missing: COUNT,
  records: rule.oneOf(["all", "unique", "representatives"]),
  name: rule.text,
  snapshot: rule.text,
  fields: rule.texts,
  unseen: rule.text,
} satisfies OptionRules<ChartSource>;

/** The rules of {@linkcode ChartMeta}. */
export const CHART_META_RULES = {
  title: rule.required(FILLED_TEXT),
  description: rule.required(FILLED_TEXT),
  source: rule.required(rule.shape<ChartSource>(CHART_SOURCE_RULES)),
  subtitle: rule.text,
  legend: rule.listOf(
    rule.shape<LegendEntry>({ label: rule.required(rule.text), colour: rule.required(rule.text) }),
    "entries, { label, colour }",
  ),
  legendTitle: rule.text,
  notes: rule.texts,
} satisfies OptionRules<ChartMeta>;

/** The rules of {@linkcode SaveChartOptions}. */
export const SAVE_CHART_OPTIONS = {
  theme: rule.oneOf(["light", "dark"]),
  scale: rule.number({ from: 0.1, to: 10 }),
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
  ) {
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
    const { theme = "light", scale = 2, signal } = options;
    const ending = /\.(svg|png)$/i.exec(path)?.[1].toLowerCase();
    if (ending === undefined) {
      throw new TypeError(
        `Cannot save the chart as ${JSON.stringify(path)}: expected a name that ends with .svg or .png`,
      );
    }
    signal?.throwIfAborted();
    const svg = onPage(this.svg, theme);
    await writeAtomic(path, ending === "svg" ? `${svg}\n` : await renderPng(svg, scale), { ...signal && { signal } });
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
        `<script>${SWAP_SCRIPT}</script></figure>`,
    };
  }

  /** Shows the chart in the console as its texts. */
  [Symbol.for("Deno.customInspect")](): string {
    return this.toString();
  }
}

/** Replaces every image that has not been replaced yet by its SVG: needs no id, and can run again. */
const SWAP_SCRIPT = `(()=>{for(const i of document.querySelectorAll("figure.seqreg-chart img.seqreg-svg")){` +
  `const d=document.createElement("div");d.innerHTML=new TextDecoder().decode(` +
  `Uint8Array.from(atob(i.src.split(",")[1]),c=>c.charCodeAt(0)));i.replaceWith(d)}})()`;

/** Times that a picture is drawn again with wider margins: what is moved may push something else out. */
const MOST_FITS = 2;

/** Part of the width that both margins may take together. */
const MOST_MARGIN = 0.8;

/**
 * Draws a chart.
 *
 * @param spec Options of Observable Plot, or a function that makes them: it is given the library, so that you need not
 * import it. Titles, captions and legends of the library are left out: `meta` has them.
 * @param meta Title, description, source, legend, notes.
 * @returns The chart: the last value of a cell shows itself, `save` writes it.
 * @throws {TypeError} If title or description are empty, or a count is not a whole number.
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
  const { plot, document } = await loadDrawing();
  const options = typeof spec === "function" ? spec(plot) : spec;
  const draw = (marginLeft: number, marginRight: number): DrawnElement =>
    plot.plot({
      width: PICTURE_WIDTH,
      marginBottom: 44,
      ...options,
      marginLeft,
      marginRight,
      x: { labelAnchor: "center", labelArrow: "none", labelOffset: 38, ...options.x },
      // On the left its label stands in line with the title.
      y: { labelArrow: "none", ...options.y?.axis !== "right" && { labelOffset: marginLeft - MARGIN }, ...options.y },
      title: undefined,
      subtitle: undefined,
      caption: undefined,
      figure: false,
      document,
      className: "seqreg-plot",
      style: { fontSize: "12px" },
      ...withoutLegends(options),
    });
  const drawn = fit(draw, options);
  // The library labels its groups, whose role does not allow labels; the whole picture has one description instead.
  for (const group of drawn.querySelectorAll("g[aria-label]")) {
    group.setAttribute("data-mark", group.getAttribute("aria-label") ?? "");
    group.removeAttribute("aria-label");
  }
  const drawing = {
    svg: shorten(drawn.outerHTML.replace(/<style>[\s\S]*?<\/style>/, "")),
    width: Number(drawn.getAttribute("width")),
    height: Number(drawn.getAttribute("height")),
  };
  const caption = describeSource(meta.source);
  return new Chart(compose(drawing, { ...meta, caption }), {
    title: meta.title,
    subtitle: meta.subtitle,
    description: meta.description,
    caption,
    notes: meta.notes ?? [],
  });
}

/** Draws, and where a text stands beyond a side draws again with the room that it needs. */
function fit(draw: (marginLeft: number, marginRight: number) => DrawnElement, options: PlotOptions): DrawnElement {
  const { width = PICTURE_WIDTH, margin } = options;
  let { marginLeft = margin ?? 40, marginRight = margin ?? 20 } = options;
  for (let tries = 0;; tries++) {
    const drawn = draw(marginLeft, marginRight);
    const { left, right } = findOverflow(drawn, width);
    const isTight = marginLeft + left + marginRight + right > width * MOST_MARGIN;
    if (left + right === 0 || isTight || tries === MOST_FITS) return drawn;
    marginLeft += left;
    marginRight += right;
  }
}

/** Rounds paths to a tenth of a pixel, and writes steps as what they are: that halves a map and a skyline. */
function shorten(svg: string): string {
  return svg.replace(/ d="([^"]*)"/g, (_, path: string) => {
    const rounded = path.replace(/[0-9]+\.[0-9]{2,}/g, (number) => String(Number(Number(number).toFixed(1))));
    return ` d="${/^[MLZ0-9.,-]*$/.test(rounded) ? shortenLines(rounded) : rounded}"`;
  });
}

/** Lines that run along an axis need one coordinate, those that go nowhere none. */
function shortenLines(path: string): string {
  let [x, y] = ["", ""];
  return path.replace(/([ML])([^,]*),([^MLZ]*)/g, (whole, command: string, toX: string, toY: string) => {
    const [sameX, sameY] = [toX === x, toY === y];
    [x, y] = [toX, toY];
    if (command === "M" || !sameX && !sameY) return whole;
    return sameX && sameY ? "" : sameX ? `V${toY}` : `H${toX}`;
  });
}

function withoutLegends({ color, opacity, symbol }: PlotOptions): PlotOptions {
  return {
    ...color && { color: { ...color, legend: false } },
    ...opacity && { opacity: { ...opacity, legend: false } },
    ...symbol && { symbol: { ...symbol, legend: false } },
  };
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
  const { n, unit = "records", excluded = 0, missing = 0, ...source } = about;
  const counts = [
    `n = ${counted(n, unit)}`,
    excluded === 0 ? "" : `${count(excluded)} excluded`,
    missing === 0 ? "" : `${count(missing)} without a value`,
  ].filter((part) => part !== "").join("; ");
  const which = {
    all: "All records",
    unique: "One record for each distinct sequence",
    representatives: "One record for each cluster",
  };
  const { records, name, snapshot, fields = [], unseen = "" } = source;
  return [
    counts,
    unseen,
    records !== undefined ? which[records] : unit === "records" ? "Not stated whether all or unique records" : "",
    name === undefined ? "" : `Source: ${name}`,
    fields.length === 0 ? "" : `${fields.length === 1 ? "Field" : "Fields"}: ${fields.join(", ")}`,
    snapshot === undefined ? "Day of the data not stated" : `Data of ${snapshot}`,
  ].filter((part) => part !== "").join(". ") + ".";
}
