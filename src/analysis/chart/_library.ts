/** The drawing library as callers of `chart()` get it: frames are data, colours have defaults, names are checked. */
import { nearbyName } from "@seqreg/core/options/nearest";
import { listSome } from "@seqreg/core/contract/ledger";
import { CATEGORY_COLOURS } from "./palette.ts";
import type { PlotLibrary } from "./plot.ts";
import { countLost, rememberBins } from "./_lost_rows.ts";
import { isPlain, rowsOf } from "./_rows.ts";

/** Marks whose areas have a colour. */
const FILLED = [
  "areaX",
  "areaY",
  "area",
  "barX",
  "barY",
  "rect",
  "rectX",
  "rectY",
  "waffleX",
  "waffleY",
] as const;

/** Marks whose lines have a colour. */
const STROKED = ["line", "lineX", "lineY", "dot", "dotX", "dotY", "circle", "hexagon", "link", "arrow"] as const;

/** Marks with data whose colours are those of the library. */
const OTHERS = [
  "cell",
  "cellX",
  "cellY",
  "text",
  "textX",
  "textY",
  "tickX",
  "tickY",
  "vector",
  "boxX",
  "boxY",
] as const;

/** Transforms of the library that bin, with the axes that they bin. */
const BINS: Readonly<Record<string, readonly string[]>> = { binX: ["x"], binY: ["y"], bin: ["x", "y"] };

/** From so many dots on, each is small and lets others be seen through it. */
const MANY_DOTS = 1000;
const DOTS: readonly string[] = ["dot", "dotX", "dotY", "circle", "hexagon"];

/** Options that name a field of the rows where they are texts. */
const FIELD_OPTIONS = ["x", "y", "x1", "x2", "y1", "y2", "z", "fx", "fy", "r", "length", "rotate", "text"] as const;

let library: { readonly of: PlotLibrary; readonly made: PlotLibrary } | undefined;

/** Makes the library that a function of {@linkcode chart} is given; once. */
export function friendlyLibrary(plot: PlotLibrary): PlotLibrary {
  if (library?.of === plot) return library.made;
  const made = { ...plot };
  for (const name of [...FILLED, ...STROKED, ...OTHERS]) {
    const mark = plot[name];
    Reflect.set(made, name, (data: unknown, options?: object) => {
      const rows = rowsOf(data);
      const drawn: unknown = Reflect.apply(mark, undefined, [rows, withDefaults(name, rows, options)]);
      if (Array.isArray(rows)) {
        checkFields(name, rows, options ?? {}, drawn);
        countLost(name, { mark: drawn, rows, options: options ?? {} });
      }
      return drawn;
    });
  }
  for (const [name, axes] of Object.entries(BINS)) {
    const bin: unknown = Reflect.get(plot, name);
    if (typeof bin !== "function") continue;
    Reflect.set(made, name, (outputs: unknown, options: object = {}) => {
      const transform: unknown = Reflect.apply(bin, undefined, [outputs, options]);
      rememberBins(transform, axes.map((axis) => Reflect.get(options, axis)));
      return transform;
    });
  }
  library = { of: plot, made };
  return made;
}

function withDefaults(name: string, rows: unknown, options: object | undefined): object | undefined {
  const given = (key: string) => options !== undefined && Reflect.get(options, key) !== undefined;
  const [colour] = CATEGORY_COLOURS;
  const isMany = DOTS.includes(name) && Array.isArray(rows) && rows.length > MANY_DOTS;
  const dense = isMany && !given("r") && !given("symbol");
  const opacity = given("fillOpacity") || given("strokeOpacity") || given("opacity")
    ? {}
    : { fillOpacity: 0.5, strokeOpacity: 0.5 };
  const small = dense ? { r: 2, ...opacity } : {};
  if (given("fill") || given("stroke")) return { ...small, ...options };
  // Symbols have no legend: the same series have colours too.
  const symbol: unknown = options !== undefined && Reflect.get(options, "symbol");
  if (typeof symbol === "string" && isField(rows, symbol)) return { stroke: symbol, ...options };
  if (dense || FILLED.some((filled) => filled === name)) return { ...small, fill: colour, ...options };
  return STROKED.some((stroked) => stroked === name) ? { stroke: colour, ...options } : options;
}

/** Refuses a name that no row has: the library would draw nothing, without a word. */
function checkFields(name: string, rows: readonly unknown[], options: object, drawn: unknown): void {
  if (rows.length === 0 || !rows.every(hasFields)) return;
  const asked = [
    ...FIELD_OPTIONS.map((key) => [key, Reflect.get(options, key)] as const),
    ...["fill", "stroke"].map((key) => [key, channelValue(drawn, key)] as const),
  ];
  for (const [key, field] of asked) {
    if (typeof field !== "string" || isField(rows, field)) continue;
    const fields = [...new Set(rows.slice(0, 100).flatMap((row) => Object.keys(Object(row))))];
    const meant = nearbyName(field, fields);
    throw new TypeError(
      `Cannot draw ${name}: no row has the field ${JSON.stringify(field)} (option ${key}). ` +
        (meant === undefined ? `Fields: ${listSome(fields, 12)}` : `Did you mean ${JSON.stringify(meant)}?`),
    );
  }
}

function isField(rows: unknown, name: string): boolean {
  return Array.isArray(rows) && rows.some((row) => isPlain(row) && name in row);
}

/** Whether a row is one of named values; those of GeoJSON stand a level deeper. */
function hasFields(row: unknown): boolean {
  return isPlain(row) && !Array.isArray(row) && Reflect.get(row, "type") !== "Feature";
}

/** What a channel of a mark was made of: a text there is the name of a field, not a colour. */
function channelValue(mark: unknown, name: string): unknown {
  const channels: unknown = Reflect.get(Object(mark), "channels");
  return Reflect.get(Object(Reflect.get(Object(channels), name)), "value");
}
