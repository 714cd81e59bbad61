/**
 * What a chart shows about the mark under the pointer: a `<title>` in its element, which browsers show as it is, and
 * the script of a trusted notebook at once. Lines and areas have a point that can be met for each of their rows.
 */
import { cut, visible } from "@seqreg/core/io/display";
import type { Layer, LayerChannel } from "./_layers.ts";
import type { DrawnDocument, DrawnElement } from "./plot.ts";
import { amount, count } from "./words.ts";

/** Most marks of a chart with tooltips: more have none, so that a chart stays small. */
export const MOST_TIPS = 1000;

/** Most characters of all tooltips of a chart. */
const MOST_CHARACTERS = 100_000;

const VALUE_CHARACTERS = 200;

/** Around a row of a line, where it is met, in pixels. */
const POINT_RADIUS = 6;

const SVG = "http://www.w3.org/2000/svg";

/** Channels that are no values of the data. */
const UNSAID: ReadonlySet<string> = new Set(["geometry", "href", "src", "ariaLabel", "title", "rotate", "fontSize"]);

/** Elements of marks: what else has a row's number is inside them. */
const SHAPES = "rect,circle,path,line,image,g";

/** Scales without a name: their values are shown alone. */
export type Unnamed = ReadonlySet<string>;

/**
 * Adds the tooltips to a finished drawing.
 *
 * @returns Why tooltips are missing, if there are too many; `undefined` otherwise.
 */
export function addTips(layers: readonly Layer[], unnamed: Unnamed, document: DrawnDocument): string | undefined {
  const spots: { readonly place: () => DrawnElement; readonly text: string }[] = [];
  let characters = 0;
  const onLines = new Set<string>();
  for (const layer of layers.filter(isAsked)) {
    const given = layer.channels.title?.value;
    // What the library wrote of them counts as the others do, and is on the rows of lines.
    if (given !== undefined) { for (const title of layer.node.querySelectorAll("title")) title.remove(); }
    for (const { row, isPoint, place } of spotsOf(layer, document)) {
      const text = given === undefined ? tipText(layer, row, unnamed) : givenText(given[row]);
      // A line along an area says the same.
      if (text === "" || isPoint && onLines.has(text)) continue;
      if (isPoint) onLines.add(text);
      spots.push({ place, text });
      characters += text.length;
      if (spots.length > MOST_TIPS) return `No tooltips: more than ${count(MOST_TIPS)} marks`;
      if (characters > MOST_CHARACTERS) {
        return `No tooltips: they would have more than ${count(MOST_CHARACTERS)} characters`;
      }
    }
  }
  for (const { place, text } of spots) {
    const title = document.createElementNS(SVG, "title");
    title.textContent = text;
    place().appendChild(title);
  }
  return undefined;
}

/** Labels say their own text, and a rule at a number is an axis. */
function isAsked({ kind, hasRows, channels }: Layer): boolean {
  if (channels.title !== undefined) return kind !== "text";
  return kind !== "text" && kind !== "tip" && (hasRows || kind !== "rule");
}

interface TipSpot {
  readonly row: number;
  readonly isPoint: boolean;
  readonly place: () => DrawnElement;
}

function spotsOf(layer: Layer, document: DrawnDocument): TipSpot[] {
  const isLine = layer.kind === "line" || layer.kind === "area";
  return [...layer.node.querySelectorAll(SHAPES)].flatMap((element): TipSpot[] => {
    const row: unknown = Reflect.get(element, "__data__");
    if (typeof row === "number") return [{ row, isPoint: false, place: () => element }];
    if (!isLine || !Array.isArray(row)) return [];
    return row.filter((row) => row >= 0).flatMap((row): TipSpot[] => {
      const [x, y] = [pixel(layer, row, ["x", "x2", "x1"]), pixel(layer, row, ["y", "y2", "y1"])];
      if (x === undefined || y === undefined) return [];
      return [{ row, isPoint: true, place: () => addPoint(layer.node, x, y, document) }];
    });
  });
}

/** First of some channels at a row, in pixels. */
function pixel({ values }: Layer, row: number, names: readonly string[]): number | undefined {
  for (const name of names) {
    const value: unknown = Reflect.get(Object(values[name]), row);
    if (typeof value === "number" && Number.isFinite(value)) return value;
  }
  return undefined;
}

/** Adds a point that is not seen and can be met. */
function addPoint(node: DrawnElement, x: number, y: number, document: DrawnDocument): DrawnElement {
  let group = [...node.querySelectorAll("g")].find((inside) => inside.getAttribute("pointer-events") === "all");
  if (group === undefined) {
    group = document.createElementNS(SVG, "g");
    for (const [name, value] of [["fill", "none"], ["stroke", "none"], ["pointer-events", "all"]]) {
      group.setAttribute(name, value);
    }
    node.appendChild(group);
  }
  const point = document.createElementNS(SVG, "circle");
  for (const [name, value] of [["cx", x], ["cy", y], ["r", POINT_RADIUS]] as const) {
    point.setAttribute(name, String(Math.round(value * 10) / 10));
  }
  group.appendChild(point);
  return point;
}

/** Whether a field or an axis is one of years, which are written without commas. */
export function isYearName(name: string): boolean {
  return /(^|[^a-z])years?($|[^a-z])/i.test(name);
}

/** A caller's own text, in bounds. */
function givenText(text: unknown): string {
  return text === null || text === undefined ? "" : cut(visible(String(text)), 2 * VALUE_CHARACTERS);
}

/** Writes what a row says: names first, then numbers. */
function tipText(layer: Layer, row: number, unnamed: Unnamed): string {
  const { channels, facet } = layer;
  const said: { readonly name: string; readonly text: string; readonly isName: boolean }[] = [];
  const say = (scale: string, channel: LayerChannel | undefined, value: unknown, given?: string) => {
    const known = layer.labels[scale] ?? channel?.label?.toString() ?? scale;
    const name = unnamed.has(scale) ? "" : known;
    const text = given ?? (isYearName(known) && Number.isInteger(value) ? String(value) : valueText(value));
    if (said.every((other) => other.name !== name || other.text !== text)) {
      said.push({ name: oneLine(name), text, isName: typeof value === "string" });
    }
  };
  for (const [scale, value] of Object.entries(facet)) if (value !== undefined) say(scale, undefined, value);
  for (const [key, drawn] of Object.entries(channels)) {
    const channel = sourceOf(drawn);
    if (channel === undefined || UNSAID.has(key) || /^[xy]1$/.test(key) && `${key[0]}2` in channels) continue;
    if ((key === "x" || key === "y") && channels.geometry !== undefined) continue;
    if ((channel.scale ?? undefined) === undefined && channel.defaultScale !== undefined) continue;
    const value = channel.value?.[row];
    const first = /^[xy]2$/.test(key) ? sourceOf(channels[`${key[0]}1`])?.value?.[row] : undefined;
    const scale = channel.scale ?? key;
    if (first === undefined) say(scale, channel, value);
    else if (channel.hint?.length) say(scale, channel, Number(value) - Number(first));
    else if (valueText(first) === valueText(value)) say(scale, channel, value);
    else say(scale, channel, value, `${valueText(first)} to ${valueText(value)}`);
  }
  return [...said.filter(({ isName }) => isName), ...said.filter(({ isName }) => !isName)]
    .map(({ name, text }) => name === "" ? text : `${name}: ${text}`).join("\n");
}

function sourceOf(channel: LayerChannel | undefined): LayerChannel | undefined {
  let source = channel;
  while (source?.source !== undefined && source.source !== null) source = source.source;
  return source?.source === null ? undefined : source;
}

const DAY_MS = 86_400_000;

function valueText(value: unknown): string {
  if (value === null || value === undefined || Number.isNaN(value)) return "missing";
  if (typeof value === "number") return numberText(value);
  if (value instanceof Date) {
    if (Number.isNaN(value.getTime())) return "missing";
    const text = value.toISOString();
    return value.getTime() % DAY_MS === 0 ? text.slice(0, 10) : text.replace("T", " ").replace(/(\.000)?Z$/, " UTC");
  }
  return cut(oneLine(String(value)), VALUE_CHARACTERS);
}

function numberText(value: number): string {
  if (Number.isInteger(value)) return Math.abs(value) < 1e21 ? count(value) : String(value);
  const rounded = Number(value.toPrecision(6));
  return Math.abs(rounded) < 1e-6 || Math.abs(rounded) >= 1e21 ? String(rounded) : amount(rounded, 10);
}

function oneLine(text: string): string {
  return visible(text).replace(/\s+/g, " ").trim();
}
