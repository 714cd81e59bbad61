/**
 * The numbers that a picture draws.
 *
 * Charts of this toolkit have the values of each mark in a `<title>` within it: these are compared. A picture without
 * them (of more than 1,000 marks, or drawn by another library) is compared by the positions and sizes of its shapes,
 * and by the pixels that are embedded in it.
 * Texts (axes, legend, source line) are compared in both cases; colours, fonts and the order of attributes are not.
 */
import { sha256Of } from "@seqreg/core/io/digest";
import { visibleText } from "./visible_text.ts";

export interface PictureNumbers {
  /** Values of the marks, or their positions, in order. */
  readonly marks: readonly string[];
  /** Texts of axes, legends and captions, in order. */
  readonly texts: readonly string[];
}

/** Elements that are drawn, and the attributes of their position and size. */
const SHAPE = /<(rect|circle|ellipse|line|path|polyline|polygon|image|use)\b([^>]*)>/g;
const POSITION =
  /\s(?:(x|y|x1|x2|y1|y2|cx|cy|r|rx|ry|width|height|d|points|transform)="([^"]*)"|(?:xlink:)?(href)="(data:[^"]*)")/g;

export function pictureNumbers(svg: string): PictureNumbers {
  // The first title and description are of the whole picture.
  const inside = svg.replace(/^([\s\S]*?<svg\b[^>]*>)\s*<title>([\s\S]*?)<\/title>/, "$1<text>$2</text>");
  const values = [...inside.matchAll(/<title>([\s\S]*?)<\/title>/g)].map(([, text]) => visibleText(text));
  const drawn = inside.replace(/<title>[\s\S]*?<\/title>/g, "");
  const texts = [...drawn.matchAll(/<(text|desc)\b[^>]*>([\s\S]*?)<\/\1>/g)].map(([, , text]) => visibleText(text));
  return {
    marks: values.length > 0
      ? values
      : [...drawn.matchAll(SHAPE)].map(([, name, attributes]) => placeOf(name, attributes)),
    texts: texts.filter((text) => text !== ""),
  };
}

/** A position to a hundredth of a pixel, and the pixels of a picture within it. */
function placeOf(name: string, attributes: string): string {
  const positions = [...attributes.matchAll(POSITION)].map(([, attribute, value, href, data]) =>
    href !== undefined
      ? `${href} ${sha256Of(data)}`
      : `${attribute} ${
        value.replace(/-?\d+\.\d+(?:e-?\d+)?/g, (number) => String(Math.round(Number(number) * 100) / 100))
      }`
  );
  return [name, ...positions.sort()].join(" ");
}
