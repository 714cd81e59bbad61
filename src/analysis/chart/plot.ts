/** The drawing library and a document to draw in; loaded when a chart is made, not before. */
import type * as Plot from "@observablehq/plot";

/** The library, as its module has it. */
export type PlotLibrary = typeof Plot;

/** A scale of a finished drawing. */
export interface DrawnScale {
  /** Kind of scale, such as `band` or `linear`. */
  readonly type: string;
  /** Its values, or the ends of them. */
  readonly domain?: readonly unknown[];
  /** What stands for them. */
  readonly range?: readonly unknown[];
  /** What stands for one value. */
  apply(value: unknown): unknown;
}

/** An element as the library makes it. */
export interface DrawnElement {
  /** Name of the element, in upper case for HTML. */
  readonly tagName: string;
  /** The element as text. */
  readonly outerHTML: string;
  /** What is inside as text. */
  readonly innerHTML: string;
  /** All text inside. */
  textContent: string | null;
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
  /** Adds an element at the end. */
  appendChild(child: DrawnElement): unknown;
  /** Takes the element out of the drawing. */
  remove(): void;
}

/** The picture as the library makes it. */
export interface DrawnPlot extends DrawnElement {
  /** A scale by its name; undefined without one. */
  scale(name: string): DrawnScale | undefined;
}

/** What elements are made by. */
export interface DrawnDocument {
  /** Makes an element. */
  createElementNS(namespace: string, name: string): DrawnElement;
}

/** The library with what it draws in. */
export interface DrawingTools {
  /** The library. */
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
