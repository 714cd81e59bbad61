/** Finds texts that do not fit into a drawing: the library gives an axis the same margin for labels of any length. */
import type { DrawnElement } from "./plot.ts";
import { textWidth } from "./_text_width.ts";

/** Pixels by which texts stand beyond the sides of a drawing; 0 where all is inside. */
export interface Overflow {
  /** Beyond the left side. */
  readonly left: number;
  /** Beyond the right side. */
  readonly right: number;
}

/** Height of characters in a drawing where no group has another, in pixels. */
const TEXT_SIZE = 12;

/** Finds how far texts of a drawing stand beyond its sides, by estimated widths. */
export function findOverflow(drawing: DrawnElement, width: number): Overflow {
  let [left, right] = [0, 0];
  for (const text of drawing.querySelectorAll("text")) {
    let [x, slope] = [0, 1];
    for (let at: DrawnElement | null = text; at !== null && at !== drawing; at = at.parentElement) {
      const transform = at.getAttribute("transform") ?? "";
      x += Number(/translate\(([-0-9.e]+)/.exec(transform)?.[1] ?? 0);
      slope *= Math.cos(Number(/rotate\(([-0-9.e]+)/.exec(transform)?.[1] ?? 0) * Math.PI / 180);
    }
    const size = Number(inherited(text, drawing, "font-size") ?? TEXT_SIZE);
    const long = textWidth(text.textContent ?? "", size) * slope;
    const anchor = inherited(text, drawing, "text-anchor");
    const start = x - (anchor === "end" ? long : anchor === "start" ? 0 : long / 2);
    left = Math.max(left, -Math.min(start, start + long));
    right = Math.max(right, Math.max(start, start + long) - width);
  }
  return { left: Math.ceil(left), right: Math.ceil(right) };
}

/** Value of an attribute of an element, or of the nearest one around it below the drawing. */
function inherited(element: DrawnElement, drawing: DrawnElement, name: string): string | undefined {
  for (let at: DrawnElement | null = element; at !== null && at !== drawing; at = at.parentElement) {
    const value = at.getAttribute(name);
    if (value !== null) return value;
  }
  return undefined;
}
