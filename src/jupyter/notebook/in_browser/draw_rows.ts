/** The rows of one page as elements: values reach the page as text only. Runs in the browser; see `cells.ts`. */
import { type SentCell, shownText } from "./cells.ts";
import { type LiveTableView, makeButton, makeElement } from "./live_table.ts";
import type { PageElement } from "./page.ts";

export function drawRows(table: LiveTableView, body: PageElement): void {
  const { root, columns, state, found } = table;
  const first = state.page * state.pageRows;
  const base = pageColour(root);
  body.replaceChildren(
    ...found.slice(first, first + state.pageRows).map((row, index) => {
      // The heads are the first row.
      const line = makeElement(root, "tr", "", { "aria-rowindex": String(first + index + 2) });
      for (const column of state.shown) {
        const cell = drawCell(table, columns[column][row], column);
        if (column === state.pinned) pin(cell, base);
        line.append(cell);
      }
      return line;
    }),
  );
}

export function drawCell({ root, facts }: LiveTableView, value: SentCell, column: number): PageElement {
  const cell = makeElement(root, "td", "", { tabindex: "-1", "aria-colindex": String(column + 1) });
  const isNumber = facts.kinds[column] === "number";
  cell.style.cssText = `text-align:${isNumber ? "right" : "left"};white-space:pre`;
  const text = shownText(value);
  if (typeof value === "object" && value?.length === 3) cell.append(drawStrip(root, value, facts));
  else if (text.length > facts.shown) cell.append(drawLong(root, text, facts.shown));
  else cell.textContent = text;
  if (value === null) cell.style.cssText += ";opacity:.7;font-style:italic";
  else if (typeof value === "number" && text !== String(value)) cell.title = String(value);
  return cell;
}

/** Draws a text of which only the beginning is shown until it is pressed. */
export function drawLong(root: PageElement, text: string, shown: number): PageElement {
  const begin = `${text.slice(0, shown).toWellFormed()}…`;
  let isWhole = false;
  const button = makeButton(root, begin, () => {
    isWhole = !isWhole;
    button.textContent = isWhole ? text : begin;
    button.style.whiteSpace = isWhole ? "pre-wrap" : "pre";
    button.style.overflowWrap = isWhole ? "anywhere" : "";
  }, { tabindex: "-1", style: "all:unset;cursor:pointer;text-decoration:underline dotted", title: text });
  return button;
}

export function drawStrip(
  root: PageElement,
  value: readonly [marks: string, description: string, characters: string],
  { marks, colours }: { readonly marks: string; readonly colours: readonly string[] },
): PageElement {
  const words = shownText(value);
  const picture = makeElement(root, "canvas", "", { role: "img", "aria-label": words, title: words });
  picture.width = Math.max(1, value[0].length);
  picture.height = 1;
  picture.style.cssText = "image-rendering:pixelated;width:192px;height:12px";
  const pen = picture.getContext("2d");
  for (let at = 0; at < value[0].length; at++) {
    pen.fillStyle = `#${colours[marks.indexOf(value[0][at])]}`;
    pen.fillRect(at, 0, 1, 1);
  }
  return picture;
}

/** Keeps a cell in view while the others scroll; `base` hides what is scrolled below it. */
export function pin(cell: PageElement, base: string): void {
  cell.style.cssText += `;position:sticky;left:0;z-index:1;background:${base};box-shadow:1px 0 0 0 currentColor`;
}

/** The colour behind the table: JupyterLab's where it has one, else the nearest that is not transparent. */
export function pageColour(root: PageElement): string {
  const view = root.ownerDocument.defaultView;
  let colour = "Canvas";
  for (let at: PageElement | null = root; at !== null && view !== null; at = at.parentElement) {
    const { backgroundColor } = view.getComputedStyle(at);
    if (!/^transparent$|^rgba\(.*, 0\)$/.test(backgroundColor)) {
      colour = backgroundColor;
      break;
    }
  }
  return `var(--jp-layout-color0, ${colour})`;
}

/** Lets fields and lists be light or dark as the text around them is. */
export function followScheme(root: PageElement): void {
  const colour = root.ownerDocument.defaultView?.getComputedStyle(root).color ?? "";
  const [red, green, blue] = (colour.match(/\d+/g) ?? []).map(Number);
  if (blue !== undefined) root.style.colorScheme = red + green + blue > 384 ? "dark" : "light";
}
