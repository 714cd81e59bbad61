/** Where texts of a finished drawing stand: beyond its sides, or on each other along an axis. */
import type { DrawnElement } from "./plot.ts";
import { textWidth } from "./_text_width.ts";

/** Pixels by which texts stand beyond the sides of a drawing. */
export interface Overflow {
  /** Beyond the left side. */
  readonly left: number;
  /** Beyond the right side. */
  readonly right: number;
  /** Below the drawing. */
  readonly bottom: number;
}

/** Height of characters in a drawing where no group has another, in pixels. */
export const TEXT_SIZE = 12;

/** From one line of a text to the next, and from a text that leans to the next, in heights of characters. */
const LINE = 1.15;

/** A text of a drawing: its corner of reference, and how far it reaches from it. */
export interface PlacedText {
  readonly element: DrawnElement;
  readonly text: string;
  /** Where it is anchored. */
  readonly x: number;
  readonly y: number;
  /** Ends from the left to the right. */
  readonly start: number;
  readonly end: number;
  /** Lowest part of it. */
  readonly bottom: number;
}

/** Finds how far texts of a drawing stand beyond its sides, by estimated widths; `without` some of them. */
export function findOverflow(
  drawing: DrawnElement,
  size: { readonly width: number; readonly height: number },
  without: ReadonlySet<DrawnElement> = new Set(),
): Overflow {
  const { width, height } = size;
  let [left, right, bottom] = [0, 0, 0];
  for (const text of placedTexts(drawing, drawing)) {
    if (without.has(text.element)) continue;
    left = Math.max(left, -text.start);
    right = Math.max(right, text.end - width);
    bottom = Math.max(bottom, text.bottom - height);
  }
  return { left: Math.ceil(left), right: Math.ceil(right), bottom: Math.ceil(bottom) };
}

/** Places the texts inside an element, by estimated widths. */
export function placedTexts(inside: DrawnElement, drawing: DrawnElement): PlacedText[] {
  return [...inside.querySelectorAll("text")].map((text) => {
    let [x, y, turn] = [0, 0, 0];
    for (let at: DrawnElement | null = text; at !== null && at !== drawing; at = at.parentElement) {
      const transform = at.getAttribute("transform") ?? "";
      const [, toX = 0, toY = 0] = /translate\(([-0-9.e]+)(?:[, ]+([-0-9.e]+))?/.exec(transform) ?? [];
      x += Number(toX);
      y += Number(toY);
      turn += Number(/rotate\(([-0-9.e]+)/.exec(transform)?.[1] ?? 0) * Math.PI / 180;
    }
    const size = Number(inherited(text, drawing, "font-size") ?? TEXT_SIZE);
    const lines = linesOf(text);
    const long = Math.max(0, ...lines.map((line) => textWidth(line, size)));
    const anchor = inherited(text, drawing, "text-anchor");
    const [from, to] = anchor === "end" ? [-long, 0] : anchor === "start" ? [0, long] : [-long / 2, long / 2];
    // Characters that lean are as high on both sides.
    const high = size / 2 * Math.abs(Math.sin(turn));
    const ends = [from, to].map((end) => x + end * Math.cos(turn));
    const down = Math.max(...[from, to].map((end) => end * Math.sin(turn)));
    // A text that does not lean stands on or about its reference, its further lines below.
    const lowest = turn === 0 ? (lines.length - 1) * size * LINE : down;
    return {
      element: text,
      text: lines.join(" "),
      x,
      y,
      start: Math.min(...ends) - high,
      end: Math.max(...ends) + high,
      bottom: y + lowest,
    };
  });
}

/** Lines of a text; what a browser shows next to it does not count. */
function linesOf(text: DrawnElement): string[] {
  const lines = [...text.querySelectorAll("tspan")].map(({ textContent }) => textContent ?? "");
  if (lines.length > 0) return lines;
  const [title] = text.querySelectorAll("title");
  const whole = text.textContent ?? "";
  return [title === undefined ? whole : whole.slice(0, whole.length - (title.textContent ?? "").length)];
}

/** Value of an attribute of an element, or of the nearest one around it below the drawing. */
function inherited(element: DrawnElement, drawing: DrawnElement, name: string): string | undefined {
  for (let at: DrawnElement | null = element; at !== null && at !== drawing; at = at.parentElement) {
    const value = at.getAttribute(name);
    if (value !== null) return value;
  }
  return undefined;
}
