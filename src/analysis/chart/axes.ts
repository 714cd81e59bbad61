/** Margins, ticks and ramps that several charts share. */
import { NEUTRAL_COLOUR, rampColours, SEQUENCE_COLOURS } from "./palette.ts";
import { textWidth } from "./_text_width.ts";
import { count } from "./words.ts";

/** Width of a picture where nothing says otherwise, in pixels. */
export const PICTURE_WIDTH = 720;

/** Height of the characters of an axis, in pixels. */
const LABEL_SIZE = 12;

/** Between two labels of an axis, in pixels. */
const LABEL_GAP = 14;

/** A bar behind another: seen on white and on a dark page by its outline, and pale enough to stand behind. */
export const BACKGROUND_BAR = {
  fill: NEUTRAL_COLOUR,
  fillOpacity: 0.3,
  stroke: NEUTRAL_COLOUR,
  strokeWidth: 1,
} as const;

/** The same in a legend: the last two digits are how much of it covers the page. */
export const BACKGROUND_COLOUR = `${NEUTRAL_COLOUR}4d`;

/** Room for the longest label of an axis. */
export function marginFor(labels: readonly string[]): number {
  return Math.max(40, Math.ceil(Math.max(0, ...labels.map((text) => textWidth(text, LABEL_SIZE)))) + 16);
}

/** Steps of ticks between two powers of ten, from many to few. */
const LOG_STEPS: readonly (readonly number[])[] = [[1, 2, 5], [1, 3], [1]];

/**
 * Ticks of an axis of logarithms between two values: 1, 2 and 5 of every power of ten, fewer where there are many, and
 * no more than have room. The library leaves out the labels of others. `undefined` where too few fall between: then the
 * library finds its own.
 *
 * @param room Length of the axis, in pixels; that of a picture with the usual margins by default.
 */
export function logTicks(from: number, to: number, room = PICTURE_WIDTH - 84): number[] | undefined {
  const [low, high] = [Math.floor(Math.log10(from)), Math.ceil(Math.log10(to))];
  const between = LOG_STEPS.slice(high - low > 3 ? 2 : high - low > 2 ? 1 : 0).map((steps) => {
    const powers = Array.from({ length: high - low + 1 }, (_, index) => 10 ** (low + index));
    return powers.flatMap((power) => steps.map((step) => step * power)).filter((tick) => tick >= from && tick <= to);
  });
  const scale = room / Math.log10(to / from);
  const isLegible = (ticks: readonly number[]) =>
    ticks.slice(1).every((tick, index) =>
      Math.log10(tick / ticks[index]) * scale > textWidth(count(tick), LABEL_SIZE) + LABEL_GAP / 2
    );
  const ticks = between.find(isLegible) ?? between[between.length - 1];
  return ticks.length < 2 ? between.find((ticks) => ticks.length >= 2) : ticks;
}

/**
 * Ticks of an axis of counts from 0: whole numbers only, at most eight.
 *
 * @param room Length of an axis whose labels are side by side, in pixels: it limits their number.
 */
export function countTicks(most: number, room = Infinity): { ticks: number[]; tickFormat: (value: number) => string } {
  const ticks = Math.max(1, Math.min(8, Math.floor(room / (textWidth(count(most), LABEL_SIZE) + LABEL_GAP))));
  let step = 1;
  for (let index = 0; most / step > ticks; index++) step = [1, 2, 5][index % 3] * 10 ** Math.floor(index / 3);
  return { ticks: Array.from({ length: Math.floor(most / step) + 1 }, (_, index) => index * step), tickFormat: count };
}

/** Classes of counts, from few to many, each with its colour. */
export interface CountClasses {
  colourOf(value: number): string;
  /** The classes that there are. */
  readonly legend: readonly { readonly label: string; readonly colour: string }[];
}

/** Where classes begin in every power of ten, from many to few. */
const CLASS_STEPS: readonly (readonly number[])[] = [[1, 2, 3, 5, 7], [1, 2, 5], [1, 3], [1]];

/**
 * Makes classes for counts that begin where the caller says, so that pictures of other data have the same: the last
 * class has no end. Counts below the first edge have the colour of the first class, and its legend says so.
 */
export function fixedClasses(edges: readonly number[]): CountClasses {
  const colours = rampColours(edges.length);
  return {
    colourOf: (value) => colours[Math.max(0, edges.findLastIndex((edge) => value >= edge))],
    legend: colours.map((colour, index) => {
      const next = edges[index + 1];
      if (next === undefined) return { label: `${count(edges[index])} and more`, colour };
      if (index === 0) return { label: `below ${count(next)}`, colour };
      return {
        label: next - 1 === edges[index] ? count(edges[index]) : `${count(edges[index])} to ${count(next - 1)}`,
        colour,
      };
    }),
  };
}

/**
 * Makes classes for counts from the least to the greatest: they begin at 1, 3, 10, 30, or at powers of ten where it is
 * large. Where the least is more than 1 they are as fine as there are colours: else most counts would be of one class.
 */
export function countClasses(greatest: number, least = 1): CountClasses {
  const most = SEQUENCE_COLOURS.length;
  const sets = CLASS_STEPS.slice(least > 1 ? 0 : 2).map((steps) => {
    const all = Array.from({ length: 16 }, (_, power) => steps.map((step) => step * 10 ** power)).flat();
    const first = all.findLastIndex((edge) => edge <= Math.max(1, least));
    return all.slice(first).filter((edge) => edge <= Math.max(1, greatest));
  });
  const powers = sets[sets.length - 1];
  // More powers than colours: the lowest share one.
  const edges = sets.find(({ length }) => length <= most) ?? [powers[0], ...powers.slice(1 - most)];
  const colours = rampColours(edges.length);
  return {
    colourOf: (value) => colours[Math.max(0, edges.findLastIndex((edge) => value >= edge))],
    legend: colours.map((colour, index) => {
      const low = edges[index];
      const high = index === edges.length - 1 ? greatest : edges[index + 1] - 1;
      return { label: low >= high ? count(low) : `${count(low)} to ${count(high)}`, colour };
    }),
  };
}
