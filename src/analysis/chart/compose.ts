/** Puts title, legend, drawing and source line into one SVG that stands alone. */
import { escapeHtml, visible } from "@seqreg/core/io/display";
import { textWidth } from "./_text_width.ts";
import { wrap } from "./words.ts";
import { HATCH_STYLE, hatchPath } from "./hatch.ts";
import { fixPage, followPage } from "./_themes.ts";

/** A picture as the drawing library made it. */
export interface Drawing {
  readonly svg: string;
  readonly width: number;
  readonly height: number;
}

/** One colour and what it stands for. */
export interface LegendEntry {
  /** What it stands for. */
  readonly label: string;
  /** Its colour, such as `#0072b2`. */
  readonly colour: string;
  /** Whether lines lean across it: what is incomplete, or without data. */
  readonly hatched?: boolean;
}

/** What stands around a picture. */
export interface Surroundings {
  /** What the picture shows, in large characters. */
  readonly title: string;
  /** A line below it. */
  readonly subtitle?: string;
  readonly legend?: readonly LegendEntry[];
  /** What the legend is about, before its entries. */
  readonly legendTitle?: string;
  /** Text description of the picture for screen readers. */
  readonly description: string;
  /** The lines below the picture. */
  readonly caption: string;
}

const FONT = "system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', Arial, sans-serif";
const TITLE_SIZE = 16;
const SMALL_SIZE = 12;
/** What bold characters are wider. */
const BOLD = 1.08;
/** Room around title, legend and source line, in pixels. */
export const MARGIN = 8;

/**
 * Composes the SVG. Every text in it is escaped; characters that XML forbids become visible escapes. It has no id and
 * no colour of its own for text, and its style sheet is the same in every chart, so that any number of charts stand on
 * one page, light or dark.
 */
export function compose(drawing: Drawing, around: Surroundings): { svg: string; width: number; height: number } {
  const { width } = drawing;
  const parts: string[] = [];
  let y = MARGIN;
  const write = (text: string, size: number, style: string) => {
    const measured = size * (style.includes("font-weight") ? BOLD : 1);
    for (const line of wrap(text, width - 2 * MARGIN, (part) => textWidth(part, measured))) {
      y += Math.round(size * 1.3);
      parts.push(
        `<text x="${MARGIN}" y="${y - Math.round(size * 0.3)}" font-size="${size}"${style}>${escapeHtml(line)}</text>`,
      );
    }
  };
  write(around.title, TITLE_SIZE, ` font-weight="600"`);
  if (around.subtitle !== undefined) write(around.subtitle, SMALL_SIZE, ` fill-opacity="0.85"`);
  y += 8;
  if (around.legend !== undefined && around.legend.length > 0) {
    const { svg, height } = legend(around.legend, around.legendTitle, width, y);
    parts.push(svg);
    y += height;
  }
  parts.push(drawing.svg.replace(/^<svg/, `<svg x="0" y="${y}"`));
  y += drawing.height + 2;
  write(around.caption, SMALL_SIZE - 1, ` fill-opacity="0.85"`);
  const height = y + MARGIN;
  const { markup, style } = followPage(parts.join(""));
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" ` +
    `height="${height}" role="img" aria-label="${escapeHtml(`${around.title}. ${around.description}`)}" ` +
    `font-family="${escapeHtml(FONT)}" fill="currentColor" style="max-width:100%;height:auto">` +
    `<title>${escapeHtml(around.title)}</title><desc>${escapeHtml(around.description)}</desc>${style}${markup}</svg>`;
  return { svg: onlyXml(svg), width, height };
}

function legend(
  entries: readonly LegendEntry[],
  title: string | undefined,
  width: number,
  top: number,
): { svg: string; height: number } {
  const parts: string[] = [];
  const lineHeight = 20;
  let x = MARGIN;
  let y = top + 14;
  const widthOf = (text: string) => Math.ceil(textWidth(text, SMALL_SIZE));
  if (title !== undefined) {
    parts.push(`<text x="${x}" y="${y}" font-size="${SMALL_SIZE}">${escapeHtml(title)}</text>`);
    x += widthOf(title) + 10;
  }
  for (const { label, colour, hatched = false } of entries) {
    const needed = 18 + widthOf(label) + 12;
    if (x + needed > width && x > MARGIN) {
      x = MARGIN;
      y += lineHeight;
    }
    parts.push(
      `<rect x="${x}" y="${y - 11}" width="13" height="13" fill="${escapeHtml(colour)}" stroke="currentColor" ` +
        `stroke-opacity="0.4"/>${hatched ? hatching(x, y - 11) : ""}<text x="${
          x + 18
        }" y="${y}" font-size="${SMALL_SIZE}">${escapeHtml(label)}</text>`,
    );
    x += needed;
  }
  return { svg: parts.join(""), height: y - top + 8 };
}

/** Lines across the square of an entry. */
function hatching(x: number, y: number): string {
  const style = Object.entries(HATCH_STYLE).map(([name, value]) => ` ${name}="${value}"`).join("");
  return `<path d="${hatchPath({ x, y, width: 13, height: 13, gap: 5 })}"${style}/>`;
}

/** Before the lines of a note, in pixels. */
const INDENT = 10;

/** Makes characters that XML forbids visible: one of them, and no browser shows the picture. */
function onlyXml(text: string): string {
  return visible(text).replace(/[\ufffe\uffff]/g, (character) => `\\u{${character.charCodeAt(0).toString(16)}}`);
}

/** Adds notes below the source line, in a block of their own. */
export function withNotes(
  svg: string,
  { notes, width, height }: { readonly notes: readonly string[]; readonly width: number; readonly height: number },
): string {
  if (notes.length === 0) return svg;
  const size = SMALL_SIZE - 1;
  let y = height;
  const lines = notes.flatMap((note) => {
    y += 3;
    return wrap(note, width - 2 * MARGIN - INDENT, (part) => textWidth(part, size)).map((line, at) => {
      y += Math.round(size * 1.3);
      const text = (x: number, part: string) =>
        `<text x="${x}" y="${y - 3}" font-size="${size}" fill-opacity="0.85">${escapeHtml(part)}</text>`;
      return (at === 0 ? text(MARGIN, "!") : "") + text(MARGIN + INDENT, line);
    });
  });
  const whole = y + MARGIN;
  const block = `<g aria-label="notes"><path d="M${MARGIN},${height - 2}H${width - MARGIN}" stroke="currentColor" ` +
    `stroke-opacity="0.3"/>${lines.join("")}</g>`;
  return svg.replace(/ viewBox="0 0 [0-9.]+ [0-9.]+"/, ` viewBox="0 0 ${width} ${whole}"`)
    .replace(/ height="[0-9.]+"/, ` height="${whole}"`)
    // A function: "$&" in a text would be read as a pattern of the replacement.
    .replace(/<\/svg>$/, () => `${onlyXml(block)}</svg>`);
}

/** Sets the colours of a page in the SVG: for a file, which has no page around it. */
export function onPage(svg: string, theme: "light" | "dark"): string {
  const [paper, ink] = theme === "light" ? ["#ffffff", "#1a1a1a"] : ["#111111", "#e6e6e6"];
  return fixPage(svg, theme).replace(/^<svg /, `<svg color="${ink}" `)
    .replace("</desc>", `</desc><rect width="100%" height="100%" fill="${paper}"/>`);
}
