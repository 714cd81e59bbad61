/** Colours of classes on a light and on a dark page: few is near to the paper on both, many stands out. */
import { SEQUENCE_COLOURS, SEQUENCE_COLOURS_DARK } from "./palette.ts";

/** Colours on a light page with those on a dark one; black and white are what is written on a coloured cell. */
const TWINS: ReadonlyMap<string, string> = new Map([
  ...SEQUENCE_COLOURS.map((colour, index) => [colour, SEQUENCE_COLOURS_DARK[index]] as const),
  ["#000000", "#ffffff"],
  ["#ffffff", "#000000"],
]);

const CLASS = "seqreg-";
const STYLE = /<style>[^<]*<\/style>/;

/**
 * Makes the colours of classes follow the page: each has a class of its own, whose rule takes the colour for dark pages
 * where the text is light. A reader that does not know such rules keeps the attribute, which is for light pages.
 *
 * @returns The markup with classes, and its style sheet; rules are the same in every chart.
 */
export function followPage(markup: string): { readonly markup: string; readonly style: string } {
  const used = new Set<string>();
  const marked = markup.replace(/ fill="(#[0-9a-f]{6})"/g, (whole, colour: string) => {
    if (!TWINS.has(colour)) return whole;
    used.add(colour);
    return `${whole} class="${classOf(colour)}"`;
  });
  const rules = [...TWINS].filter(([colour]) => used.has(colour)).map(([light, dark]) =>
    `.${classOf(light)}{fill:rgb(from currentColor ${choose(light, dark)}/1)}`
  );
  return { markup: marked, style: rules.length === 0 ? "" : `<style>${rules.join("")}</style>` };
}

/** Writes the colours of one kind of page in place of those that follow it. */
export function fixPage(svg: string, theme: "light" | "dark"): string {
  return svg.replace(STYLE, "").replace(
    / fill="(#[0-9a-f]{6})" class="seqreg-[0-9a-f]{6}"/g,
    (_, colour: string) => ` fill="${theme === "light" ? colour : TWINS.get(colour) ?? colour}"`,
  );
}

function classOf(colour: string): string {
  return CLASS + colour.slice(1);
}

/** Red, green and blue of one of two colours: the first where the red of the text is below 128, the second above. */
function choose(light: string, dark: string): string {
  return [1, 3, 5].map((at) => {
    const [low, high] = [light, dark].map((colour) => parseInt(colour.slice(at, at + 2), 16));
    return low < high ? `clamp(${low},(r - 128)*999,${high})` : `clamp(${high},(128 - r)*999,${low})`;
  }).join(" ");
}
