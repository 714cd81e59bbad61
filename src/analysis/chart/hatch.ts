/** Lines across a part of a picture: what they cover is incomplete, or not there. */
import type { Markish } from "@observablehq/plot";

/** Between two lines, in pixels. */
const GAP = 7;
const SVG = "http://www.w3.org/2000/svg";

/** How lines are drawn: in the colour of the text, so that they are seen on any page and any bar. */
export const HATCH_STYLE: Readonly<Record<string, string>> = {
  stroke: "currentColor",
  "stroke-opacity": "0.55",
  "stroke-width": "1",
  fill: "none",
};

/** Path of leaning lines that fill a rectangle. */
export function hatchPath(
  { x, y, width, height, gap = GAP }: {
    readonly x: number;
    readonly y: number;
    readonly width: number;
    readonly height: number;
    readonly gap?: number;
  },
): string {
  let path = "";
  for (let at = gap; at < width + height; at += gap) {
    const [fromX, fromY] = at <= height ? [0, at] : [at - height, height];
    const [toX, toY] = at <= width ? [at, 0] : [width, at - width];
    path += `M${round(x + fromX)},${round(y + fromY)}L${round(x + toX)},${round(y + toY)}`;
  }
  return path;
}

/** A mark that hatches the picture from one value of the x axis to another, over its whole height. */
export function hatchX(from: number, to: number): Markish {
  return (_index, scales, _values, { marginTop, marginBottom, height }, { document }) => {
    const [left, right] = [from, to].map((value) => Number(scales.x?.(value)));
    const path = document.createElementNS(SVG, "path");
    path.setAttribute("aria-label", "incomplete");
    for (const [name, value] of Object.entries(HATCH_STYLE)) path.setAttribute(name, value);
    path.setAttribute(
      "d",
      hatchPath({ x: left, y: marginTop, width: right - left, height: height - marginTop - marginBottom }),
    );
    return path;
  };
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
