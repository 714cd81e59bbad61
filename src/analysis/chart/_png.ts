/** SVG to PNG, with the fonts of this machine. */
import { RegistryError } from "@seqreg/core/errors";

let hasFonts: boolean | undefined;

/** Draws an SVG as a PNG; `scale` pixels for one of the SVG. */
export async function renderPng(svg: string, scale: number): Promise<Uint8Array> {
  const { Resvg } = await import("@resvg/resvg-js");
  const font = { loadSystemFonts: true, defaultFontFamily: "DejaVu Sans", sansSerifFamily: "DejaVu Sans" };
  const render = (text: string, zoom: number) =>
    new Resvg(text, { font, fitTo: { mode: "zoom", value: zoom } }).render();
  hasFonts ??= render(PROBE, 1).pixels.some((value) => value !== 0);
  if (!hasFonts) {
    throw new RegistryError(
      "disk",
      "Cannot draw the chart as PNG: this machine has no fonts, and the picture would have no text; install some " +
        "(such as fonts-dejavu), or save it as .svg",
    );
  }
  return render(svg, scale).asPng();
}

/** A character and nothing else: without a font it leaves the picture empty. */
const PROBE =
  `<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20"><text y="15" font-size="15">H</text></svg>`;
