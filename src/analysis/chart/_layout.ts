/**
 * Room for every text of a drawing: margins, fewer or leaning labels of an axis, and more height for many rows. What
 * the caller has chosen stays.
 */
import type { PlotOptions } from "@observablehq/plot";
import { PICTURE_WIDTH } from "./axes.ts";
import { MARGIN } from "./compose.ts";
import { findOverflow, type PlacedText, placedTexts, TEXT_SIZE } from "./_fit.ts";
import type { DrawnElement, DrawnPlot, DrawnScale } from "./plot.ts";
import { textWidth } from "./_text_width.ts";
import { amount, count, labels, wrap } from "./words.ts";

/** Part of the width that both margins may take together. */
const MOST_MARGIN = 0.8;

/** Below the axis: labels and the axis's name, in pixels. */
const BOTTOM = 44;
const LABEL_OFFSET = 38;

/** Room at the top without and with names of facets, as the library has them. */
const TOP = 20;
const FACET_TOP = 30;

/** Between two labels that stand side by side, and from one line or leaning label to the next, in pixels. */
const GAP = 4;
const LINE = 14;

/** Least height of a row with a label; most rows that all have one. */
const ROW = 15;
const MOST_ROWS = 200;

/** Most lines of a label below an axis. */
const MOST_LINES = 5;

/** Longest name on an axis, as a part of the width: longer ones are cut. */
const LONGEST_NAME = 0.6;

/** What the values on an axis are: whole numbers all of them, or years by their name. */
export type AboutAxis = (axis: "x" | "y") => { readonly areWhole: boolean; readonly isYear: boolean };

type Axis = "x" | "y" | "fx";
type AxisOptions = Record<string, unknown>;
type LaidTexts = readonly PlacedText[];

/** Where everything stands; changed after each drawing until all texts have room. */
export class Layout {
  readonly #given: PlotOptions;
  readonly #axes: Record<Axis, AxisOptions> = { x: {}, y: {}, fx: {} };
  readonly #notes = new Map<Axis, string>();
  #left: number;
  #right: number;
  #below = 0;
  #above = 0;
  #rows = 0;

  constructor(given: PlotOptions) {
    this.#given = given;
    const { margin, marginLeft = margin ?? 40, marginRight = margin ?? 20 } = given;
    this.#left = Number(marginLeft);
    this.#right = Number(marginRight);
  }

  /** What a reader should know of the axes. */
  get notes(): readonly string[] {
    return [...this.#notes.values()];
  }

  /** The caller's options with room for texts. */
  options(): PlotOptions {
    const { margin, marginBottom = margin ?? BOTTOM, marginTop = margin, height, ...given } = this.#given;
    const isFaceted = this.#above > 0;
    const top = marginTop ?? (isFaceted ? FACET_TOP : TOP);
    const bottom = Number(marginBottom) + this.#below;
    return {
      width: PICTURE_WIDTH,
      ...given,
      ...height === undefined
        ? this.#rows > 0 && { height: this.#rows * ROW + top + this.#above + bottom }
        : { height },
      ...(marginTop !== undefined || isFaceted) && { marginTop: Number(top) + this.#above },
      marginBottom: bottom,
      marginLeft: this.#left,
      marginRight: this.#right,
      x: {
        labelAnchor: "center",
        labelArrow: "none",
        labelOffset: LABEL_OFFSET + this.#below,
        ...given.x,
        ...this.#axes.x,
      },
      // On the left its name stands in line with the title.
      y: {
        labelAnchor: "top",
        labelArrow: "none",
        ...given.y?.axis !== "right" && { labelOffset: this.#left - MARGIN },
        ...given.y,
        ...this.#axes.y,
      },
      ...(given.fx !== undefined || isFaceted) && { fx: { ...given.fx, ...this.#axes.fx } },
    };
  }

  /** Makes room for the texts of a drawing that have none; whether it is to be drawn again. */
  improve(drawn: DrawnPlot, about: AboutAxis): boolean {
    // What is next to the axis first: its length decides what it has room for.
    if (this.#widen(drawn, new Set(tickTexts(drawn, "x").map(({ element }) => element)))) return true;
    const written = [this.#writeValues(drawn, "x", about("x")), this.#writeValues(drawn, "y", about("y"))];
    if (written.includes(true)) return true;
    const changed = [
      this.#relieveBelow(drawn),
      this.#relieveAbove(drawn),
      this.#relieveBeside(drawn),
    ];
    return changed.includes(true) || this.#widen(drawn);
  }

  #widen(drawn: DrawnPlot, without?: ReadonlySet<DrawnElement>): boolean {
    const { width = PICTURE_WIDTH } = this.#given;
    const { left, right, bottom } = findOverflow(
      drawn,
      { width, height: Number(drawn.getAttribute("height")) },
      without,
    );
    const isTight = this.#left + left + this.#right + right > width * MOST_MARGIN;
    if (left + right === 0 || isTight) {
      this.#below += bottom;
      return bottom > 0;
    }
    this.#left += left;
    this.#right += right;
    return true;
  }

  /** Writes values as a reader expects them: years without commas, whole numbers without decimals, what is missing. */
  #writeValues(drawn: DrawnPlot, axis: "x" | "y", about: ReturnType<AboutAxis>): boolean {
    const [own, given, scale] = [this.#axes[axis], this.#given[axis] ?? {}, drawn.scale(axis)];
    const isFree = own.tickFormat === undefined && given.tickFormat === undefined && given.interval === undefined;
    if (scale === undefined || !isFree || given.axis === null) return false;
    const texts = tickTexts(drawn, axis).map(({ text }) => text);
    const names = namesOf(scale);
    if (names !== undefined) {
      const widest = Math.max(0, ...names.filter((name) => typeof name === "string").map(widthOf));
      const isLong = widest > (this.#given.width ?? PICTURE_WIDTH) * LONGEST_NAME;
      if (isLong) this.#notes.set(axis, `Long names on the ${axis} axis are cut`);
      const short = isLong ? labels(names) : undefined;
      const isYear = about.isYear && texts.some((text) => YEAR.test(text));
      if (!isYear && short === undefined && !names.includes(null) && !names.includes(undefined)) return false;
      own.tickFormat = (value: unknown) =>
        value === null || value === undefined
          ? "missing"
          : short?.[names.indexOf(value)] ?? (isYear ? String(value) : value instanceof Date ? dayOf(value) : value);
      return true;
    }
    if (scale.type !== "linear") return false;
    const [low, high] = [Number(scale.domain?.[0]), Number(scale.domain?.at(-1))].sort((a, b) => a - b);
    if (about.isYear && texts.some((text) => YEAR.test(text))) {
      own.tickFormat = (value: number) => Number.isInteger(value) ? String(value) : "";
    } else if (low === high && given.ticks === undefined) {
      [own.ticks, own.tickFormat] = [[low], (value: number) => amount(Number(value.toPrecision(6)), 10)];
    } else if (about.areWhole && texts.some((text) => text.includes(".")) && given.ticks === undefined) {
      const first = Math.ceil(low);
      own.ticks = Array.from({ length: Math.floor(high) - first + 1 }, (_, index) => first + index);
      own.tickFormat = count;
    } else return false;
    return true;
  }

  /** Labels of the horizontal axis. */
  #relieveBelow(drawn: DrawnPlot): boolean {
    const [own, given] = [this.#axes.x, this.#given.x ?? {}];
    const [texts, scale] = [tickTexts(drawn, "x"), drawn.scale("x")];
    if (scale === undefined || given.tickRotate !== undefined || given.ticks !== undefined) return false;
    if (!areCrowded(texts, own.tickRotate === undefined ? "upright" : "leaning")) return false;
    const names = namesOf(scale);
    if (names === undefined) return fewerTicks(own, texts.length / facetsOf(drawn));
    if (own.ticks !== undefined) return false;
    const step = stepOf(texts);
    const written = texts.slice(0, names.length).map(({ text }) => text);
    const widest = Math.max(...written.map(widthOf));
    const lines = written.map((name) => wrap(name, step - GAP, widthOf));
    const isWhole = written.every((name) => name.split(/\s+/).every((word) => widthOf(word) <= step - GAP));
    const most = Math.max(...lines.map(({ length }) => length));
    if (isWhole && most <= MOST_LINES && typeof names[0] === "string") {
      own.tickFormat = (_: unknown, index: number) => lines[index]?.join("\n") ?? "";
      this.#below += (most - 1) * LINE;
      return true;
    }
    const each = Math.ceil(LINE / step);
    if (each > 1) {
      const every = typeof names[0] === "string" ? each : Math.max(each, Math.ceil((widest + GAP) / step));
      own.ticks = names.filter((_, index) => index % every === 0);
      this.#tell("x", names, every);
      if (typeof names[0] !== "string") return true;
    }
    own.tickRotate = -45;
    this.#below += Math.ceil(widest * Math.SQRT1_2) - LINE / 2;
    return true;
  }

  /** Names of facets side by side. */
  #relieveAbove(drawn: DrawnPlot): boolean {
    const [own, given] = [this.#axes.fx, this.#given.fx ?? {}];
    const texts = tickTexts(drawn, "fx");
    if (own.tickFormat !== undefined || given.ticks !== undefined || given.axis === "bottom") return false;
    if (!areCrowded(texts, "upright")) return false;
    const step = stepOf(texts) - GAP;
    const longest = Math.max(...texts.flatMap(({ text }) => text.split(/\s+/)).map(widthOf));
    const lean = Math.ceil(Math.max(...texts.map(({ text }) => widthOf(text))) * Math.SQRT1_2);
    const { width = PICTURE_WIDTH } = this.#given;
    // The last name leans beyond the picture: without room next to it, words are broken.
    if (longest > step && this.#left + this.#right + lean < width * MOST_MARGIN) {
      own.tickRotate = -45;
      own.tickFormat = (value: unknown) => value;
      this.#above = lean;
      return true;
    }
    const lines = texts.map(({ text }) => wrap(text, Math.max(2 * TEXT_SIZE, step), widthOf));
    own.tickFormat = (_: unknown, index: number) => lines[index]?.join("\n") ?? "";
    this.#above = Math.max(1, (Math.max(...lines.map(({ length }) => length)) - 1) * LINE);
    return true;
  }

  /** Labels of the vertical axis. */
  #relieveBeside(drawn: DrawnPlot): boolean {
    const [own, given] = [this.#axes.y, this.#given.y ?? {}];
    const [texts, scale] = [tickTexts(drawn, "y"), drawn.scale("y")];
    if (scale === undefined || given.ticks !== undefined || own.ticks !== undefined) return false;
    if (!areCrowded(texts, "above")) return false;
    const names = namesOf(scale);
    const rows = drawn.scale("fy")?.domain?.length ?? 1;
    if (names === undefined) return fewerTicks(own, texts.length / rows);
    if (this.#given.height === undefined && this.#rows === 0 && names.length * rows <= MOST_ROWS) {
      this.#rows = names.length * rows;
      return true;
    }
    const every = Math.ceil(TEXT_SIZE / stepOf(texts, "y"));
    own.ticks = names.filter((_, index) => index % every === 0);
    this.#tell("y", names, every);
    return true;
  }

  #tell(axis: Axis, names: readonly unknown[], every: number): void {
    // Between two days or numbers a reader sees what is left out.
    if (names.every((name) => typeof name !== "string" || /^[0-9][-0-9.]*$/.test(name))) return;
    this.#notes.set(axis, `Of ${count(names.length)} names on the ${axis} axis one in ${every} is written`);
  }
}

const widthOf = (text: string) => textWidth(text, TEXT_SIZE);

function tickTexts(drawn: DrawnPlot, axis: Axis): LaidTexts {
  const groups = [...drawn.querySelectorAll("g")].filter((group) =>
    group.getAttribute("aria-label") === `${axis}-axis tick label`
  );
  return groups.flatMap((group) => placedTexts(group, drawn));
}

/** Whether texts along an axis are on each other. */
function areCrowded(texts: LaidTexts, how: "upright" | "leaning" | "above"): boolean {
  const written = texts.filter(({ text }) => text.trim() !== "");
  const sorted = written.toSorted((a, b) => how === "above" ? a.x - b.x || a.y - b.y : a.y - b.y || a.x - b.x);
  return sorted.slice(1).some((text, index) => {
    const before = sorted[index];
    if (how === "above") return text.x === before.x && text.y - before.y < TEXT_SIZE;
    if (text.y !== before.y) return false;
    return how === "leaning" ? text.x - before.x < LINE - 1 : text.start < before.end + GAP;
  });
}

/** Least distance between neighbours along an axis. */
function stepOf(texts: LaidTexts, along: "x" | "y" = "x"): number {
  const places = texts.map((text) => text[along]).sort((a, b) => a - b);
  const steps = places.slice(1).map((place, index) => place - places[index]).filter((step) => step > 0.01);
  return Math.max(1, Math.min(...steps, PICTURE_WIDTH));
}

/** The names on an axis, if it has names and no numbers. */
function namesOf({ type, domain }: DrawnScale): readonly unknown[] | undefined {
  return type === "band" || type === "point" ? domain : undefined;
}

/** A year as a number is written. */
const YEAR = /^[12],[0-9]{3}$/;

function dayOf(date: Date): string {
  return date.toISOString().slice(0, 10);
}

function facetsOf(drawn: DrawnPlot): number {
  return drawn.scale("fx")?.domain?.length ?? 1;
}

/** Asks for fewer ticks; whether there may be fewer. */
function fewerTicks(axis: AxisOptions, now: number): boolean {
  const before = typeof axis.ticks === "number" ? axis.ticks : now;
  if (before <= 2) return false;
  axis.ticks = Math.max(2, Math.floor(before * 0.7));
  return true;
}
