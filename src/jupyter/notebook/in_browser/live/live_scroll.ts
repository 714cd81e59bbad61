/** Which rows are in sight: the bar, the wheel, *go to row*. Runs in the browser; see `../cells.ts`. */
import { type LivePage, sizesOf } from "./live_page.ts";

/** The last row that can be the first in sight. */
export function lastFirst({ total, facts }: LivePage): number {
  return Math.max(0, total - facts.height);
}

/** Height of all rows as the bar has it: browsers lay out no more than some million pixels. */
export function barHeight({ total, facts }: LivePage): number {
  const { row, head, longest } = sizesOf();
  return Math.min(longest, Math.max(total, facts.height) * row + head);
}

/** Moves the bar to the rows in sight. */
export function place(page: LivePage): void {
  const { grid, view } = page.parts;
  const height = barHeight(page);
  grid.style.height = `${height}px`;
  const { row, head } = sizesOf();
  const room = height - head - page.facts.height * row;
  const top = lastFirst(page) === 0 ? 0 : Math.round((page.first / lastFirst(page)) * room);
  if (Math.abs(view.scrollTop - top) > 1) view.scrollTop = top;
  view.setAttribute("data-top", String(view.scrollTop));
}

/** Brings a row to the top. */
export function moveTo(page: LivePage, row: number): void {
  const first = Math.max(0, Math.min(lastFirst(page), Math.round(row)));
  if (first === page.first) return;
  page.first = first;
  place(page);
  page.draw();
}

/** Hears the bar and the wheel. */
export function listenToScroll(page: LivePage): void {
  const { view } = page.parts;
  view.addEventListener("scroll", () => {
    // The bar is where it was put: only the columns are others.
    if (Math.abs(view.scrollTop - Number(view.getAttribute("data-top"))) < 1) return page.draw();
    const { row, head } = sizesOf();
    const room = Math.max(1, barHeight(page) - head - page.facts.height * row);
    page.first = Math.max(0, Math.min(lastFirst(page), Math.round((view.scrollTop / room) * lastFirst(page))));
    view.setAttribute("data-top", String(view.scrollTop));
    page.draw();
  });
  view.addEventListener("wheel", (event) => {
    if (event.ctrlKey || event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) return;
    const by = Math.sign(event.deltaY) * Math.max(1, Math.round(Math.abs(event.deltaY) / sizesOf().row));
    const to = Math.max(0, Math.min(lastFirst(page), page.first + by));
    // At either end the notebook scrolls on.
    if (to === page.first) return;
    event.preventDefault();
    moveTo(page, to);
  }, { passive: false });
}
