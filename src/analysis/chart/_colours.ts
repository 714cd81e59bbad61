/** Colours that a chart has where its caller chose none, and the legend of those that it has. */
import type { PlotOptions } from "@observablehq/plot";
import type { LegendEntry } from "./compose.ts";
import { rampColours, SERIES_COLOURS } from "./palette.ts";
import type { DrawnPlot, DrawnScale } from "./plot.ts";
import { amount, label } from "./words.ts";

const MOST_ENTRIES = 24;

const MOST_CLASSES = 7;

type ColourOptions = NonNullable<PlotOptions["color"]>;

/** What a caller chooses colours by. */
const CHOICES = ["type", "scheme", "range", "interpolate", "pivot", "n"] as const;

/**
 * The scale of colours where the caller chose none: categories have those of the palette, and numbers are in classes
 * from few to many whose colours follow the page. `undefined` to leave the scale as it is.
 */
export function ownColours(drawn: DrawnPlot, { color }: PlotOptions): ColourOptions | undefined {
  const scale = drawn.scale("color");
  if (scale === undefined || CHOICES.some((choice) => color?.[choice] !== undefined)) return undefined;
  if (scale.type === "ordinal") return { ...color, range: [...SERIES_COLOURS] };
  if (scale.type !== "linear") return undefined;
  const [low, high] = [Number(scale.domain?.[0]), Number(scale.domain?.at(-1))];
  const edges = classEdges(low, high);
  if (edges.length === 0) return { ...color, type: "ordinal", range: [rampColours(2)[1]] };
  return { ...color, type: "threshold", domain: edges, range: [...rampColours(edges.length + 1)] };
}

/** Round numbers between two others, at most one less than there may be classes. */
function classEdges(low: number, high: number): number[] {
  if (!(high > low)) return [];
  const power = Math.floor(Math.log10(high - low)) - 1;
  for (let step = 0;; step++) {
    const exponent = power + Math.floor(step / 3);
    // Divided where it is below 1: a tenth has no exact number.
    const [factor, size] = [[1, 2, 5][step % 3], 10 ** Math.abs(exponent)];
    const at = (index: number) => exponent < 0 ? index * factor / size : index * factor * size;
    // Two consecutive whole numbers have no class between them.
    const areWhole = Number.isInteger(low) && Number.isInteger(high);
    if (areWhole && at(1) < 1) continue;
    const first = Math.floor(low / at(1)) + 1;
    const count = (areWhole && at(1) === 1 ? high + 1 : Math.ceil(high / at(1))) - first;
    if (count < MOST_CLASSES) return Array.from({ length: Math.max(0, count) }, (_, index) => at(first + index));
  }
}

/** A legend, and what it cannot say. */
export interface DrawnLegend {
  readonly entries: readonly LegendEntry[];
  readonly notes: readonly string[];
}

/** Makes the legend of the colours of a finished drawing. */
export function legendOf(drawn: DrawnPlot, name: string | undefined): DrawnLegend {
  const scale = drawn.scale("color");
  if (scale === undefined || isSaidByAnAxis(scale, drawn)) return { entries: [], notes: [] };
  const { domain = [], range = [] } = scale;
  if (scale.type === "ordinal") return categories(scale, name);
  if (scale.type === "threshold") {
    const texts = domain.map(text);
    const labels = range.map((_, index) =>
      index === 0
        ? `below ${texts[0]}`
        : index < texts.length
        ? `${texts[index - 1]} to ${texts[index]}`
        : `${texts.at(-1)} and more`
    );
    return { entries: range.map((colour, index) => ({ label: labels[index], colour: String(colour) })), notes: [] };
  }
  const [low, high] = [Number(domain[0]), Number(domain.at(-1))];
  if (!(high > low)) return { entries: [], notes: [] };
  const isDate = domain[0] instanceof Date;
  const isLog = scale.type === "log" && low > 0;
  const values = [0, 0.25, 0.5, 0.75, 1].map((part) => isLog ? low * (high / low) ** part : low + (high - low) * part)
    .map((value) => isDate ? new Date(value) : Number(value.toPrecision(3)));
  return { entries: values.map((value) => ({ label: text(value), colour: String(scale.apply(value)) })), notes: [] };
}

/** Whether the same categories stand on an axis: then colours add nothing. */
function isSaidByAnAxis(scale: DrawnScale, drawn: DrawnPlot): boolean {
  if (scale.type !== "ordinal") return false;
  return ["x", "y", "fx", "fy"].some((axis) => {
    const names = drawn.scale(axis);
    return names !== undefined && ["band", "point", "ordinal"].includes(names.type) &&
      scale.domain?.every((value) => names.domain?.some((other) => String(other) === String(value)));
  });
}

function categories({ domain = [], range = [] }: DrawnScale, name: string | undefined): DrawnLegend {
  const entries = domain.slice(0, MOST_ENTRIES).map((value, index) => ({
    label: value === null || value === undefined ? "missing" : typeof value === "number" ? text(value) : label(value),
    colour: String(range[index % range.length]),
  }));
  const what = name === undefined ? "values" : `values of ${name}`;
  const repeated = domain.length > range.length
    ? [`${domain.length} ${what} share ${range.length} colours: show the largest by name and the others together`]
    : [];
  const rest = domain.length - entries.length;
  return {
    entries: rest === 0 ? entries : [...entries, { label: `and ${rest} more`, colour: "none" }],
    notes: repeated,
  };
}

function text(value: unknown): string {
  if (value instanceof Date) return value.toISOString().slice(0, 10);
  const number = Number(value);
  return typeof value === "number" && Math.abs(number) < 1e15
    ? amount(Number(number.toPrecision(6)), 10)
    : String(value);
}
