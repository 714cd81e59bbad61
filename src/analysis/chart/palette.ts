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
 * Colours from few to many: darker and stronger. From grey to a strong colour, since from light to dark would read the
 * other way round on a dark page. Drawn with an outline in the colour of the text.
 */
export const SEQUENCE_COLOURS: readonly string[] = ["#b9c4cf", "#86aed1", "#3d8fd1", "#6a5fc7", "#b0228c"];
