/** Colours of classes on a light and on a dark page: few is near to the paper on both, many stands out. */
import { rampTwins } from "./palette.ts";

/** Colours of classes on a light page with those on a dark one. */
const RAMP: ReadonlyMap<string, string> = new Map(rampTwins());

/** The same of what is filled: black and white are what is written on a coloured cell. */
const FILLS: ReadonlyMap<string, string> = new Map([...RAMP, ["#000000", "#ffffff"], ["#ffffff", "#000000"]]);

const TWINS: Readonly<Record<string, ReadonlyMap<string, string>>> = { fill: FILLS, stroke: RAMP };

const CLASS = "seqreg-";
const STYLE = /<style>[^<]*<\/style>/;
const OWN_CLASSES = / class="seqreg-(?:line-)?[0-9a-f]{6}(?: seqreg-(?:line-)?[0-9a-f]{6})?"/;

/** The attributes of an element. */
const ELEMENT = /<[a-z]+(?: [a-zA-Z:-]+="[^"]*")+/g;
const PAINT = / (fill|stroke)="(#[0-9a-f]{6})"/g;

/**
 * Makes the colours of classes follow the page: each has a class of its own, whose rule takes the colour for dark pages
 * where the text is light. A reader that does not know such rules keeps the attribute, which is for light pages.
 *
 * @returns The markup with classes, and its style sheet; rules are the same in every chart.
 */
export function followPage(markup: string): { readonly markup: string; readonly style: string } {
  const used = new Set<string>();
  const marked = markup.replace(ELEMENT, (element) => {
    const classes = [...element.matchAll(PAINT)].flatMap(([, paint, colour]) => {
      if (!TWINS[paint].has(colour) || element.includes(' class="')) return [];
      used.add(classOf(paint, colour));
      return [classOf(paint, colour)];
    });
    return classes.length === 0 ? element : `${element} class="${classes.join(" ")}"`;
  });
  const rules = Object.entries(TWINS).flatMap(([paint, twins]) =>
    [...twins].filter(([light]) => used.has(classOf(paint, light))).map(([light, dark]) =>
      `.${classOf(paint, light)}{${paint}:rgb(from currentColor ${choose(light, dark)}/1)}`
    )
  );
  return { markup: marked, style: rules.length === 0 ? "" : `<style>${rules.join("")}</style>` };
}

/** Writes the colours of one kind of page in place of those that follow it. */
export function fixPage(svg: string, theme: "light" | "dark"): string {
  return svg.replace(STYLE, "").replace(
    ELEMENT,
    (element) =>
      OWN_CLASSES.test(element)
        ? element.replace(OWN_CLASSES, "").replace(
          PAINT,
          (_, paint: string, colour: string) =>
            ` ${paint}="${theme === "light" ? colour : TWINS[paint].get(colour) ?? colour}"`,
        )
        : element,
  );
}

function classOf(paint: string, colour: string): string {
  return `${CLASS}${paint === "stroke" ? "line-" : ""}${colour.slice(1)}`;
}

/** Red, green and blue of one of two colours: the first where the red of the text is below 128, the second above. */
function choose(light: string, dark: string): string {
  return [1, 3, 5].map((at) => {
    const [low, high] = [light, dark].map((colour) => parseInt(colour.slice(at, at + 2), 16));
    return low < high ? `clamp(${low},(r - 128)*999,${high})` : `clamp(${high},(128 - r)*999,${low})`;
  }).join(" ");
}
