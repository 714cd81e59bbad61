import { assert, assertEquals } from "@std/assert";
import pl from "nodejs-polars";
import { hostRange } from "../../../src/analysis/mod.ts";
import {
  CATEGORY_COLOURS,
  NEUTRAL_COLOUR,
  rampColours,
  SEQUENCE_COLOURS,
  SEQUENCE_COLOURS_DARK,
  SERIES_COLOURS,
} from "../../../src/analysis/chart/palette.ts";
import { inFolder } from "../../_files.ts";

type Rgb = readonly [red: number, green: number, blue: number];

function linear(colour: string): Rgb {
  const part = (at: number) => {
    const value = parseInt(colour.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return [part(1), part(3), part(5)];
}

function luminance([red, green, blue]: Rgb): number {
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [low, high] = [luminance(linear(one)), luminance(linear(other))].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

/** What people without one kind of cone see, in linear RGB: Viénot, Brettel and Mollon, 1999. */
const VISION: Readonly<Record<string, readonly Rgb[]>> = {
  "all cones": [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
  "no red cones": [[0.11238, 0.88762, 0], [0.11238, 0.88762, 0], [0.00401, -0.00401, 1]],
  "no green cones": [[0.29275, 0.70725, 0], [0.29275, 0.70725, 0], [-0.02234, 0.02234, 1]],
};

/** Lightness and two colour axes of CIE L*a*b*. */
function lab([red, green, blue]: Rgb): Rgb {
  const xyz = [
    (0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.9505,
    0.2126 * red + 0.7152 * green + 0.0722 * blue,
    (0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.089,
  ].map((value) => value > 0.008856 ? Math.cbrt(value) : 7.787 * value + 16 / 116);
  return [116 * xyz[1] - 16, 500 * (xyz[0] - xyz[1]), 200 * (xyz[1] - xyz[2])];
}

function seen(colour: string, vision: readonly Rgb[]): Rgb {
  const rgb = linear(colour);
  const mix = ([red, green, blue]: Rgb) => Math.max(0, red * rgb[0] + green * rgb[1] + blue * rgb[2]);
  return lab([mix(vision[0]), mix(vision[1]), mix(vision[2])]);
}

function difference(one: Rgb, other: Rgb): number {
  return Math.hypot(one[0] - other[0], one[1] - other[1], one[2] - other[2]);
}

Deno.test("categories stand out from a white and from a dark page", () => {
  assertEquals(SERIES_COLOURS.slice(0, CATEGORY_COLOURS.length), CATEGORY_COLOURS);
  for (const colour of [...SERIES_COLOURS, NEUTRAL_COLOUR]) {
    for (const paper of ["#ffffff", "#111111"]) {
      assert(contrast(colour, paper) >= 3, `${colour} on ${paper}: ${contrast(colour, paper).toFixed(2)}`);
    }
  }
});

for (const [vision, matrix] of Object.entries(VISION)) {
  Deno.test(`categories and classes differ for people with ${vision}`, () => {
    const colours = [...SERIES_COLOURS, NEUTRAL_COLOUR];
    for (const [index, one] of colours.entries()) {
      for (const other of colours.slice(index + 1)) {
        const distance = difference(seen(one, matrix), seen(other, matrix));
        assert(distance >= 10, `${one} and ${other}: ${distance.toFixed(1)}`);
      }
    }
    for (const ramp of [SEQUENCE_COLOURS, SEQUENCE_COLOURS_DARK]) {
      for (const [index, one] of ramp.slice(0, -1).entries()) {
        const next = ramp[index + 1];
        const distance = difference(seen(one, matrix), seen(next, matrix));
        assert(distance >= 10, `${one} and ${next}: ${distance.toFixed(1)}`);
      }
    }
  });
}

Deno.test("classes from few to many stand out more and more from the page, light or dark", () => {
  for (const [paper, ramp] of [["#ffffff", SEQUENCE_COLOURS], ["#111111", SEQUENCE_COLOURS_DARK]] as const) {
    for (const classes of [2, 3, 4, 5, 6, 7]) {
      const contrasts = rampColours(classes, ramp).map((colour) => contrast(colour, paper));
      assertEquals(contrasts.length, classes);
      assertEquals(contrasts, contrasts.toSorted((a, b) => a - b), `${classes} classes on ${paper}`);
    }
  }
});

Deno.test("a saved chart has the classes of its page, and numbers that are read on them", async () => {
  const pairs = [["a", "x", 1], ["a", "y", 2000], ["b", "x", 200]] as const;
  const rows = pairs.flatMap(([family, host, n]) => Array.from({ length: n }, () => ({ family, host })));
  const { chart } = await hostRange(pl.DataFrame({
    Family: rows.map(({ family }) => family),
    Host: rows.map(({ host }) => host),
  }));
  await inFolder(async (folder) => {
    for (const theme of ["light", "dark"] as const) {
      const [paper, ramp] = theme === "light" ? ["#ffffff", SEQUENCE_COLOURS] : ["#111111", SEQUENCE_COLOURS_DARK];
      await chart?.save(`${folder}/${theme}.svg`, { theme });
      const svg = await Deno.readTextFile(`${folder}/${theme}.svg`);
      const cells = [...svg.matchAll(/<rect [^>]*fill="(#[0-9a-f]{6})"/g)].map(([, fill]) => fill)
        .filter((fill) => fill !== paper);
      const texts = [...svg.matchAll(/<text [^>]*fill="(#[0-9a-f]{6})"[^>]*>([0-9,]+)</g)];
      assertEquals(cells.filter((fill) => !ramp.includes(fill)), [], theme);
      assertEquals(texts.length, 3);
      // Cells stand in the order of their texts: a, b by rows and x, y by columns, the most frequent first.
      for (const [index, [, ink, text]] of texts.entries()) {
        const cell = cells.slice(-3)[index];
        assert(contrast(ink, cell) >= 4.5, `${text}: ${ink} on ${cell} is ${contrast(ink, cell).toFixed(2)}`);
      }
    }
  });
  assert(chart?.svg.includes("<style>.seqreg-"), "on a page the classes follow its theme");
});

Deno.test("classes and levels keep their order in a print in black and white", () => {
  const lightness = (colour: string) => lab(linear(colour))[0];
  for (const classes of [2, 3, 4, 5, 6, 7]) {
    for (const [ramp, sign] of [[SEQUENCE_COLOURS, -1], [SEQUENCE_COLOURS_DARK, 1]] as const) {
      const steps = rampColours(classes, ramp).map(lightness).map((one, at, all) => sign * (one - (all[at - 1] ?? one)))
        .slice(1);
      const least = classes <= 5 ? 5 : 3;
      assert(steps.every((step) => step >= least), `${classes} classes: ${steps.map((step) => step.toFixed(1))}`);
    }
  }
});
