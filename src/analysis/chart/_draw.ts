/**
 * A drawing of the library with what it lacks: room for every text, colours that all can tell apart with their legend,
 * tooltips, and warnings as notes.
 */
import type { PlotOptions } from "@observablehq/plot";
import { legendOf, ownColours } from "./_colours.ts";
import type { Drawing, LegendEntry } from "./compose.ts";
import { startWatch, type Watched, watchMarks } from "./_layers.ts";
import { type AboutAxis, Layout } from "./_layout.ts";
import type { DrawingTools, DrawnPlot } from "./plot.ts";
import { addTips, isYearName } from "./_tips.ts";
import { explainWarning, withWarnings } from "./_warnings.ts";
import { count, counted } from "./words.ts";

/** Most times that a picture is drawn: what is moved may push something else out. */
const MOST_DRAWINGS = 6;

export interface FinishedDrawing extends Drawing {
  /** What its colours stand for. */
  readonly legend: readonly LegendEntry[];
  readonly legendTitle?: string;
  /** Its marks and axes, for screen readers. */
  readonly description: string;
  /** What a reader should know: what is not drawn, or not as it was meant. */
  readonly notes: readonly string[];
}

/** Draws, and again until all texts have room. */
export function drawPicture(given: PlotOptions, tools: DrawingTools, hasLegend: boolean): FinishedDrawing {
  const { plot, document } = tools;
  let watched: Watched = startWatch();
  const marks = watchMarks(given.marks, () => watched);
  const layout = new Layout(given);
  const warnings = new Set<string>();
  let colours: PlotOptions["color"];
  const draw = (): DrawnPlot => {
    watched = startWatch();
    const options = {
      // Dots at the edge stand next to the axes, not on their labels.
      ...marks.length > 0 && marks.every((mark) => Reflect.get(Object(mark), "ariaLabel") === "dot") && { inset: 6 },
      ...layout.options(),
      ...withoutLegends({ ...given, ...colours && { color: colours } }),
      marks,
      title: undefined,
      subtitle: undefined,
      caption: undefined,
      figure: false,
      document,
      className: "seqreg-plot",
      style: { fontSize: "12px" },
    };
    const { drawn, warnings: more } = withWarnings((): unknown => Reflect.apply(plot.plot, undefined, [options]));
    for (const warning of more) warnings.add(warning);
    if (!isPlot(drawn)) throw new TypeError("Cannot draw: the drawing library returned no picture");
    // The sign of a warning: notes say what it is.
    for (const text of drawn.querySelectorAll("text")) if (text.textContent?.startsWith("\u26a0")) text.remove();
    return drawn;
  };
  let drawn = draw();
  for (let drawings = 1; drawings < MOST_DRAWINGS; drawings++) {
    const own = colours === undefined && !hasLegend ? ownColours(drawn, given) : undefined;
    colours ??= own;
    if (!layout.improve(drawn, (axis) => aboutAxis(watched, axis)) && own === undefined) break;
    drawn = draw();
  }
  const label = given.color?.label ??
    watched.layers.map(({ labels }) => labels.color).find((name) => name !== undefined);
  const legendTitle = typeof label === "string" ? label : undefined;
  const legend = hasLegend || given.color?.legend === false ? { entries: [], notes: [] } : legendOf(drawn, legendTitle);
  const tooMany = addTips(watched.layers, unnamedScales(given), document);
  tidy(drawn);
  return {
    svg: shorten(drawn.outerHTML.replace(/<style>[\s\S]*?<\/style>/, "")),
    width: Number(drawn.getAttribute("width")),
    height: Number(drawn.getAttribute("height")),
    description: describe(watched),
    legend: legend.entries,
    ...legendTitle !== undefined && { legendTitle },
    notes: [
      ...[...warnings].map(explainWarning),
      ...lostRows(watched, drawn),
      ...layout.notes,
      ...legend.notes,
      ...tooMany === undefined ? [] : [tooMany],
    ],
  };
}

function aboutAxis({ layers }: Watched, axis: "x" | "y"): ReturnType<AboutAxis> {
  const channels = layers.flatMap((layer) => Object.values(layer.channels)).filter(({ scale }) => scale === axis);
  const isYear = isYearName(layers.map(({ labels }) => labels[axis]).find((label) => label !== undefined) ?? "");
  return {
    isYear,
    areWhole: channels.every(({ value = [] }) =>
      Array.from(value).every((each) => each === null || each === undefined || Number.isInteger(each))
    ),
  };
}

/** Marks by their kind, in the plural. */
const KINDS: Readonly<Record<string, string>> = {
  bar: "Bars",
  rect: "Bars",
  dot: "Dots",
  line: "Lines",
  area: "Areas",
  cell: "Cells",
  tick: "Ticks",
  geo: "Shapes",
};

/** Describes what is drawn, and along which axes: `Bars. Axes: records, country.` */
function describe({ layers }: Watched): string {
  const kinds = new Set(layers.flatMap(({ kind }) => KINDS[kind] ?? []));
  const axes = new Set(layers.flatMap(({ labels }) => ["x", "y", "fx", "fy"].flatMap((axis) => labels[axis] ?? [])));
  return [
    kinds.size === 0 ? "A picture" : [...kinds].join(", ").replace(/, [A-Z]/g, (next) => next.toLowerCase()),
    ...axes.size === 0 ? [] : [`Axes: ${[...axes].join(", ")}`],
  ].join(". ") + ".";
}

function isPlot(drawn: unknown): drawn is DrawnPlot {
  return typeof drawn === "object" && drawn !== null && "scale" in drawn && "querySelectorAll" in drawn;
}

function withoutLegends({ color, opacity, symbol }: PlotOptions): PlotOptions {
  return {
    ...color && { color: { ...color, legend: false } },
    ...opacity && { opacity: { ...opacity, legend: false } },
    ...symbol && { symbol: { ...symbol, legend: false } },
  };
}

/** Scales whose name the caller took away. */
function unnamedScales(given: PlotOptions): ReadonlySet<string> {
  return new Set(Object.entries(given).filter(([, scale]) => Object(scale).label === null).map(([name]) => name));
}

/** Describes how many rows are not in the picture. */
function lostRows({ rows }: Watched, drawn: DrawnPlot): string[] {
  const marks = [...rows.values()].filter(({ kind }) => kind !== "text");
  if (marks.length > 0 && marks.every(({ all }) => all === 0)) return ["Nothing is drawn: there are no rows"];
  const isLog = [drawn.scale("x"), drawn.scale("y")].some((scale) => scale?.type === "log");
  const texts = marks.filter(({ lost }) => lost > 0).map(({ kind, lost, all }) => {
    const what = `Not drawn: ${count(lost)} of ${counted(all, "rows")}`;
    if (!isLog) return `${what}, without a value on an axis`;
    return /bar|rect|area/.test(kind)
      ? `${what}: they begin at 0, which an axis of logarithms does not have; draw dots, or say where they begin (x1, y1)`
      : `${what}, without a value on an axis; one of logarithms has values above 0 alone`;
  });
  return [...new Set(texts)];
}

/** Takes out what a picture must not have. */
function tidy(drawn: DrawnPlot): void {
  // The library labels its groups, whose role does not allow labels; the whole picture has one description instead.
  for (const group of drawn.querySelectorAll("g[aria-label]")) {
    group.setAttribute("data-mark", group.getAttribute("aria-label") ?? "");
    group.removeAttribute("aria-label");
  }
  // Links of the data lead to pages, and nowhere else.
  for (const link of drawn.querySelectorAll("a")) {
    for (const name of ["href", "xlink:href"]) {
      if (!/^https?:\/\//i.test(link.getAttribute(name) ?? "")) link.removeAttribute(name);
    }
  }
}

/** Rounds paths and positions to a tenth of a pixel, and writes steps as what they are: that halves a map. */
function shorten(svg: string): string {
  return svg.replace(/ (?:d|cx|cy)="([^"]*)"/g, (whole, path: string) => {
    const rounded = path.replace(/[0-9]+\.[0-9]{2,}/g, (number) => String(Number(Number(number).toFixed(1))));
    if (!whole.startsWith(" d=")) return whole.replace(path, rounded);
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
