/** Margins, ticks and ramps that several charts share. */
import { SEQUENCE_COLOURS } from "./palette.ts";
import { count } from "./_words.ts";

/** Width of a letter of an axis label, in pixels at 12 px. */
const LETTER = 6.9;

/** Room for the longest of the labels beside an axis. */
export function marginFor(labels: readonly string[]): number {
  return Math.min(280, Math.max(40, Math.ceil(Math.max(0, ...labels.map((text) => text.length)) * LETTER) + 16));
}

/**
 * Ticks of an axis of logarithms between two values: 1, 2 and 5 of every power of ten, fewer where there are many. The
 * library leaves out the labels of others. `undefined` where too few fall between: then the library finds its own.
 */
export function logTicks(from: number, to: number): number[] | undefined {
  const [low, high] = [Math.floor(Math.log10(from)), Math.ceil(Math.log10(to))];
  const steps = high - low > 3 ? [1] : high - low > 2 ? [1, 3] : [1, 2, 5];
  const ticks: number[] = [];
  for (let power = low; power <= high; power++) for (const step of steps) ticks.push(step * 10 ** power);
  const between = ticks.filter((tick) => tick >= from && tick <= to);
  return between.length < 2 ? undefined : between;
}

/** Ticks of an axis of counts from 0: whole numbers only, at most eight. */
export function countTicks(most: number): { ticks: number[]; tickFormat: (value: number) => string } {
  let step = 1;
  for (let index = 0; most / step > 8; index++) step = [1, 2, 5][index % 3] * 10 ** Math.floor(index / 3);
  return { ticks: Array.from({ length: Math.floor(most / step) + 1 }, (_, index) => index * step), tickFormat: count };
}

/** Classes of counts by powers of ten, from few to many, each with its colour. */
export interface CountClasses {
  /** Colour of a count. */
  colourOf(value: number): string;
  /** The classes that there are. */
  readonly legend: readonly { readonly label: string; readonly colour: string }[];
}

/** Which of the colours stand for so many classes. */
const PICKED: readonly (readonly number[])[] = [[2], [0, 2], [0, 2, 4], [0, 1, 2, 4], [0, 1, 2, 3, 4]];

/** Makes classes for counts from 1 to the greatest. */
export function countClasses(greatest: number): CountClasses {
  const powers = Math.max(1, Math.floor(Math.log10(Math.max(1, greatest))) + 1);
  // More powers than colours: the lowest share one.
  const joined = Math.max(0, powers - SEQUENCE_COLOURS.length);
  const classes = Math.min(powers, SEQUENCE_COLOURS.length);
  const colours = PICKED[classes - 1].map((index) => SEQUENCE_COLOURS[index]);
  const classOf = (value: number) => Math.max(0, Math.min(classes - 1, Math.floor(Math.log10(value)) - joined));
  return {
    colourOf: (value) => colours[classOf(value)],
    legend: colours.map((colour, index) => {
      const low = index === 0 ? 1 : 10 ** (index + joined);
      const high = 10 ** (index + joined + 1) - 1;
      const last = index === classes - 1;
      const most = last ? greatest : high;
      return { label: low >= most ? count(low) : `${count(low)} to ${count(most)}`, colour };
    }),
  };
}
