import { assert, assertEquals } from "@std/assert";
import { CATEGORY_COLOURS, NEUTRAL_COLOUR, SEQUENCE_COLOURS } from "../../src/analysis/chart/palette.ts";

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
  for (const colour of [...CATEGORY_COLOURS, NEUTRAL_COLOUR]) {
    for (const paper of ["#ffffff", "#111111"]) {
      assert(contrast(colour, paper) >= 3, `${colour} on ${paper}: ${contrast(colour, paper).toFixed(2)}`);
    }
  }
});

for (const [vision, matrix] of Object.entries(VISION)) {
  Deno.test(`categories and classes differ for people with ${vision}`, () => {
    const colours = [...CATEGORY_COLOURS, NEUTRAL_COLOUR];
    for (const [index, one] of colours.entries()) {
      for (const other of colours.slice(index + 1)) {
        const distance = difference(seen(one, matrix), seen(other, matrix));
        assert(distance >= 10, `${one} and ${other}: ${distance.toFixed(1)}`);
      }
    }
    for (const [index, one] of SEQUENCE_COLOURS.entries()) {
      const next = SEQUENCE_COLOURS[index + 1];
      if (next === undefined) continue;
      const distance = difference(seen(one, matrix), seen(next, matrix));
      assert(distance >= 10, `${one} and ${next}: ${distance.toFixed(1)}`);
    }
  });
}

Deno.test("classes from few to many grow darker", () => {
  const lightness = SEQUENCE_COLOURS.map((colour) => luminance(linear(colour)));

  assertEquals(lightness, [...lightness].sort((a, b) => b - a));
});
