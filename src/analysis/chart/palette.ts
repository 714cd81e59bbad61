/**
 * Colours that people with any kind of colour vision tell apart, on a white and on a dark page.
 *
 * The categories are those of Okabe and Ito that keep a contrast of 3 : 1 with white and with #111111, the least that
 * WCAG 2.2 asks of graphics; a test holds every colour here to it, or to the outline that it is drawn with. Text and
 * axes have no colour of their own: they take that of the page.
 *
 * @module
 */

/** Colours of categories, in the order in which they are given out. More than these are not told apart. */
export const CATEGORY_COLOURS: readonly string[] = ["#0072b2", "#d55e00", "#009e73", "#c0629b"];

/** Colour of what is not a category: other, missing, unknown. */
export const NEUTRAL_COLOUR = "#808080";

/**
 * Colours from few to many on a light page: darker and stronger. Drawn with an outline in the colour of the text. Where
 * the page is dark, {@linkcode SEQUENCE_COLOURS_DARK} take their place.
 */
export const SEQUENCE_COLOURS: readonly string[] = ["#b9c4cf", "#86aed1", "#3d8fd1", "#6a5fc7", "#b0228c"];

/** Colours from few to many on a dark page: brighter and stronger, in the same hues. */
export const SEQUENCE_COLOURS_DARK: readonly string[] = ["#3d4853", "#2c5f94", "#3474b8", "#9d92f2", "#ff9ede"];
