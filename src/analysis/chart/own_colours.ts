/** Colours of the caller instead of those of a chart. */
import { listOf, textLike } from "@seqreg/core/options/rules";
import type { LegendEntry } from "./compose.ts";
import { CATEGORY_COLOURS } from "./palette.ts";

export const COLOURS_RULE = listOf(textLike("a colour as #rrggbb", /^#[0-9a-fA-F]{6}$/), "colours as #rrggbb");

/** Replaces the colours of a legend, in its order; without a legend the colour of the marks. */
export function recolour(
  svg: string,
  { legend, colours }: { readonly legend: readonly LegendEntry[]; readonly colours: readonly string[] },
): { readonly svg: string; readonly legend: readonly LegendEntry[] } {
  const old = legend.length > 0
    ? [...new Set(legend.filter(({ hatched = false }) => !hatched).map(({ colour }) => colour))]
    : [CATEGORY_COLOURS[0]];
  const own = new Map(old.slice(0, colours.length).map((colour, at) => [colour, colours[at].toLowerCase()]));
  const paint = (colour: string) => own.get(colour) ?? colour;
  return {
    svg: svg.replace(
      / (fill|stroke)="(#[0-9a-f]{6}(?:[0-9a-f]{2})?)"/g,
      (_, kind: string, colour: string) => ` ${kind}="${paint(colour)}"`,
    ),
    legend: legend.map((entry) => ({ ...entry, colour: paint(entry.colour) })),
  };
}
