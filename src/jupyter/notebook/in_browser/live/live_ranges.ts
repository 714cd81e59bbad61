/**
 * How the values of each column are distributed, drawn above it; a range drawn on it is a filter. Runs in the browser;
 * see `../cells.ts`.
 */
import { visible } from "@seqreg/core/io/display";
import { makeElement, shortName } from "../live_table.ts";
import type { PageElement, PageEvent } from "../page.ts";
import type { LiveColumn } from "../../../live/live_question.ts";
import type { LiveAnswer } from "./channel.ts";
import { columnsInSight, filtersOf, type LivePage } from "./live_page.ts";

export interface DrawnRange {
  readonly kind: "bins" | "values";
  readonly from: number;
  readonly width: number;
  /** The greatest value of numbers with fractions. */
  readonly to: number | undefined;
  readonly values: readonly (string | null)[];
  readonly all: readonly number[];
  readonly matching: readonly number[];
}

/** Reads a distribution; `undefined` where there is nothing to draw. */
export function readRange(answer: LiveAnswer): DrawnRange | undefined {
  const { kind, from, width, to, values, all, matching } = answer;
  if ((kind !== "bins" && kind !== "values") || !Array.isArray(all) || !Array.isArray(matching) || all.length === 0) {
    return undefined;
  }
  return {
    kind,
    from: Number(from),
    width: Number(width),
    to: typeof to === "number" ? to : undefined,
    values: Array.isArray(values) ? values : [],
    all,
    matching,
  };
}

/** What a filter's field says for some bins; `undefined` for none. */
export function rangeText(range: DrawnRange, column: Pick<LiveColumn, "kind">, low: number, high: number): string {
  if (range.kind === "values") {
    const value = range.values[low];
    return value === null ? "missing" : `=${value}`;
  }
  const [min, max] = [range.from + low * range.width, range.from + (high + 1) * range.width];
  if (column.kind === "date") {
    const year = (value: number) => String(value).padStart(4, "0");
    return min === max - 1 ? year(min) : `${year(min)}..${year(max - 1)}`;
  }
  if (range.to === undefined) return min === max - 1 ? String(min) : `${min}..${max - 1}`;
  // Rounded to a thousandth of a bin; the least and the greatest value stay within.
  const digits = (value: number) => {
    const figures = Math.ceil(Math.log10(Math.abs(value) / range.width)) + 3;
    return String(Number(value.toPrecision(Math.max(6, Math.min(17, figures)))));
  };
  const isLast = high === range.all.length - 1;
  return `${low === 0 ? String(min) : digits(min)}..${isLast ? String(range.to) : digits(max)}`;
}

/** What a bin holds, in words. */
export function describeBin(range: DrawnRange, column: Pick<LiveColumn, "kind">, bin: number): string {
  const words = rangeText(range, column, bin, bin).replace(/^=/, "");
  const [all, matching] = [range.all[bin] ?? 0, range.matching[bin] ?? 0];
  return `${visible(words)}: ${matching.toLocaleString("en")} of ${all.toLocaleString("en")} rows`;
}

/** Makes what a distribution is drawn on. */
export function makeRange(
  page: LivePage,
  number: number,
  apply: (text: string) => void,
): { readonly element: PageElement; draw(answer: LiveAnswer): void } {
  const column = page.facts.columns[number];
  const [width, height] = [116, 40];
  const element = makeElement(page.root, "div", "", {
    role: "slider",
    tabindex: "-1",
    "aria-label": `range of ${shortName(column.name)}`,
    "aria-valuemin": "0",
    "aria-valuemax": "0",
    "aria-valuenow": "0",
    "aria-valuetext": "not counted yet",
  });
  element.className = "seqreg-live-range";
  const canvas = makeElement(page.root, "canvas", "", { "aria-hidden": "true" });
  canvas.width = width * 2;
  canvas.height = height * 2;
  element.append(canvas);
  let range: DrawnRange | undefined;
  let [from, to] = [0, 0];
  let isChoosing = false;
  const paint = () => {
    const paper = canvas.getContext("2d");
    paper.clearRect(0, 0, canvas.width, canvas.height);
    if (range === undefined) return;
    const highest = Math.max(1, ...range.all);
    const step = canvas.width / range.all.length;
    const [low, high] = [Math.min(from, to), Math.max(from, to)];
    for (const [bin, count] of range.all.entries()) {
      const bar = (rows: number, colour: string) => {
        const tall = rows === 0 ? 0 : Math.max(2, (rows / highest) * canvas.height);
        paper.fillStyle = colour;
        paper.fillRect(bin * step, canvas.height - tall, Math.max(1, step - 2), tall);
      };
      bar(count, "#9a9a9a");
      bar(Math.min(count, range.matching[bin] ?? 0), "#3b82f6");
      if (isChoosing && bin >= low && bin <= high) {
        paper.fillStyle = "#f59e0b88";
        paper.fillRect(bin * step, 0, Math.max(1, step - 1), canvas.height);
      }
    }
  };
  const say = () => {
    if (range === undefined) return;
    const bins = range.kind === "values" || from === to
      ? describeBin(range, column, to)
      : rangeText(range, column, Math.min(from, to), Math.max(from, to));
    element.setAttribute("aria-valuenow", String(to));
    element.setAttribute("aria-valuetext", bins);
    element.title = bins;
  };
  const choose = () => {
    isChoosing = false;
    paint();
    if (range !== undefined) apply(rangeText(range, column, Math.min(from, to), Math.max(from, to)));
  };
  const binAt = (event: PageEvent) => {
    const bins = range?.all.length ?? 1;
    return Math.max(0, Math.min(bins - 1, Math.floor((event.offsetX / (canvas.clientWidth || width)) * bins)));
  };
  element.addEventListener("pointerdown", (event) => {
    if (range === undefined) return;
    from = to = binAt(event);
    isChoosing = true;
    element.setPointerCapture(event.pointerId);
    paint();
  });
  element.addEventListener("pointermove", (event) => {
    if (range === undefined) return;
    to = binAt(event);
    if (!isChoosing || range.kind === "values") from = to;
    say();
    if (isChoosing) paint();
  });
  element.addEventListener("pointerup", () => {
    if (isChoosing) choose();
  });
  element.addEventListener("keydown", (event) => {
    if (range === undefined || event.altKey || event.metaKey || event.ctrlKey) return;
    const last = range.all.length - 1;
    const steps: Readonly<Record<string, number>> = { ArrowLeft: to - 1, ArrowRight: to + 1, Home: 0, End: last };
    if (event.key === "Enter" || event.key === " ") choose();
    else if (event.key === "Escape") isChoosing = false;
    else if (steps[event.key] !== undefined) {
      to = Math.max(0, Math.min(last, steps[event.key]));
      if (!event.shiftKey || range.kind === "values") from = to;
      isChoosing = true;
    } else return;
    event.preventDefault();
    event.stopPropagation();
    say();
    paint();
  });
  return {
    element,
    draw: (answer) => {
      range = readRange(answer);
      element.style.visibility = range === undefined ? "hidden" : "";
      element.setAttribute("aria-valuemax", String(Math.max(0, (range?.all.length ?? 1) - 1)));
      say();
      paint();
    },
  };
}

/** Draws the distributions of the columns in sight, one after the other: rows are asked for first. */
export function drawDistributions(page: LivePage): void {
  const { parts, state } = page;
  if (parts.view.getAttribute("data-counting") !== null) return;
  const keyOf = (column: number) => JSON.stringify(filtersOf(page, column));
  const column = columnsInSight(page).map((place) => state.shown[place])
    .find((column) => parts.heads.get(column)?.drawnFor !== keyOf(column));
  const head = column === undefined ? undefined : parts.heads.get(column);
  if (column === undefined || head === undefined) return;
  const key = keyOf(column);
  parts.view.setAttribute("data-counting", "");
  page.channel.ask({ op: "distribution", column, filters: filtersOf(page, column) }).then((answer) => {
    head.drawnFor = key;
    head.draw(answer);
  }, () => {
    // A column that cannot be counted has none; what is wrong with the table is said by its rows.
    head.drawnFor = key;
  }).then(() => {
    parts.view.removeAttribute("data-counting");
    page.draw();
  });
}
