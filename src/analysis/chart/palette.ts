/**
 * Colours that people with any kind of colour vision tell apart, on a white and on a dark page.
 *
 * The categories are those of Okabe and Ito that keep a contrast of 3 : 1 with white and with #111111, the least that
 * WCAG 2.2 asks of graphics; a test holds every colour here to it, or to the outline that it is drawn with. Text and
 * axes have no colour of their own: they take that of the page.
 */

/** Colours of categories, in the order in which they are given out. More than these are not told apart. */
export const CATEGORY_COLOURS: readonly string[] = ["#0072b2", "#d55e00", "#009e73", "#c0629b"];

/**
 * Colours of the series of a chart whose caller chose none: the four above, then four more that people with any kind of
 * colour vision tell apart. Further series have the same again, and a note says so.
 */
export const SERIES_COLOURS: readonly string[] = [...CATEGORY_COLOURS, "#5b4fe0", "#b23636", "#806e53", "#cc3dbe"];

/** Colour of what is not a category: other, missing, unknown. */
export const NEUTRAL_COLOUR = "#808080";

/**
 * Colours from few to many on a light page: darker and stronger. Drawn with an outline in the colour of the text. Where
 * the page is dark, {@linkcode SEQUENCE_COLOURS_DARK} replace them.
 */
export const SEQUENCE_COLOURS: readonly string[] = ["#b9c4cf", "#86aed1", "#3d8fd1", "#6a5fc7", "#931b75"];

/** Colours from few to many on a dark page: brighter and stronger, in the same hues. */
export const SEQUENCE_COLOURS_DARK: readonly string[] = ["#3d4853", "#2c5f94", "#3474b8", "#9d92f2", "#ff9ede"];

/** Which of the colours stand for so many classes. */
const PICKED: readonly (readonly number[])[] = [[2], [0, 2], [0, 2, 4], [0, 1, 2, 4], [0, 1, 2, 3, 4]];

const MOST_CLASSES = 7;

/** Colours for so many classes from few to many, on a light or on a dark page; up to seven. */
export function rampColours(classes: number, ramp: readonly string[] = SEQUENCE_COLOURS): readonly string[] {
  if (classes <= ramp.length) return PICKED[classes - 1].map((index) => ramp[index]);
  return Array.from({ length: classes }, (_, index) => {
    const at = index / (classes - 1) * (ramp.length - 1);
    const low = Math.min(Math.floor(at), ramp.length - 2);
    return mix(ramp[low], ramp[low + 1], at - low);
  });
}

/** Colours of classes on a light page, each with the one on a dark page. */
export function rampTwins(): [light: string, dark: string][] {
  return Array.from({ length: MOST_CLASSES - SEQUENCE_COLOURS.length + 1 }, (_, more) => {
    const classes = SEQUENCE_COLOURS.length + more;
    const dark = rampColours(classes, SEQUENCE_COLOURS_DARK);
    return rampColours(classes).map((light, index): [string, string] => [light, dark[index]]);
  }).flat();
}

function mix(one: string, other: string, part: number): string {
  return "#" + [1, 3, 5].map((at) => {
    const [from, to] = [one, other].map((colour) => parseInt(colour.slice(at, at + 2), 16));
    return Math.round(from + (to - from) * part).toString(16).padStart(2, "0");
  }).join("");
}
