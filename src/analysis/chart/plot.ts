/** The drawing library and a document to draw in; loaded when a chart is made, not before. */
import type * as Plot from "@observablehq/plot";

/** The library, as its module has it. */
export type PlotLibrary = typeof Plot;

/** An element as the library makes it. */
export interface DrawnElement {
  /** Name of the element, in upper case for HTML. */
  readonly tagName: string;
  /** The element as text. */
  readonly outerHTML: string;
  /** What is inside as text. */
  readonly innerHTML: string;
  /** All text inside. */
  readonly textContent: string | null;
  /** The parent element; null without one. */
  readonly parentElement: DrawnElement | null;
  /** One attribute; null when absent. */
  getAttribute(name: string): string | null;
  /** Sets one attribute. */
  setAttribute(name: string, value: string): void;
  /** Takes one attribute away. */
  removeAttribute(name: string): void;
  /** The elements inside that a selector finds. */
  querySelectorAll(selector: string): Iterable<DrawnElement>;
}

let drawing: Promise<{ readonly plot: PlotLibrary; readonly document: unknown }> | undefined;

/** Loads the library and makes the document; both once. */
export async function loadDrawing(): Promise<{ readonly plot: PlotLibrary; readonly document: unknown }> {
  return await (drawing ??= (async () => {
    // The bundle of the same library: one file loads in a third of the time of its hundred modules.
    const [plot, { parseHTML }] = await Promise.all([import("@observablehq/plot"), import("linkedom/worker")]);
    const window: object = parseHTML("<!doctype html><html><body></body></html>");
    return { plot, document: Reflect.get(window, "document") };
  })());
}
