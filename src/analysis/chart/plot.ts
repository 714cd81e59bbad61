/** The drawing library and a document to draw in; loaded when a chart is made, not before. */
import type * as Plot from "@observablehq/plot";

/** The library, as its module has it. */
export type PlotLibrary = typeof Plot;

export interface DrawnScale {
  /** Kind of scale, such as `band` or `linear`. */
  readonly type: string;
  /** Its values, or the ends of them. */
  readonly domain?: readonly unknown[];
  readonly range?: readonly unknown[];
  apply(value: unknown): unknown;
}

export interface DrawnElement {
  readonly outerHTML: string;
  textContent: string | null;
  readonly parentElement: DrawnElement | null;
  getAttribute(name: string): string | null;
  setAttribute(name: string, value: string): void;
  removeAttribute(name: string): void;
  querySelectorAll(selector: string): Iterable<DrawnElement>;
  appendChild(child: DrawnElement): unknown;
  /** Takes the element out of the drawing. */
  remove(): void;
}

/** The picture as the library makes it. */
export interface DrawnPlot extends DrawnElement {
  scale(name: string): DrawnScale | undefined;
}

/** What elements are made by. */
export interface DrawnDocument {
  createElementNS(namespace: string, name: string): DrawnElement;
}

export interface DrawingTools {
  readonly plot: PlotLibrary;
  readonly document: DrawnDocument;
}

let drawing: Promise<DrawingTools> | undefined;

/** Loads the library and makes the document; both once. */
export async function loadDrawing(): Promise<DrawingTools> {
  return await (drawing ??= (async () => {
    // The bundle of the same library: one file loads in a third of the time of its hundred modules.
    const [plot, { parseHTML }] = await Promise.all([import("@observablehq/plot"), import("linkedom/worker")]);
    const window: object = parseHTML("<!doctype html><html><body></body></html>");
    return { plot, document: Reflect.get(window, "document") };
  })());
}
