/** Questions for what the rows in sight lack. Runs in the browser; see `../cells.ts`. */
import type { LiveAnswer } from "./channel.ts";
import { columnsInPage, columnsInSight, filtersOf, type LivePage, type PageRow } from "./live_page.ts";
import { drawDistributions } from "./live_ranges.ts";

/** Asks for what the rows in sight lack: one question at a time, for the columns in sight first. */
export function fetchLive(page: LivePage): void {
  const { parts } = page;
  const wanted = lackingColumns(page, columnsInSight(page));
  parts.grid.setAttribute("aria-busy", String(wanted.length > 0));
  if (parts.view.getAttribute("data-asking") !== null) return;
  if (wanted.length > 0) return askRows(page, wanted);
  drawDistributions(page);
  // Columns out of sight come when nothing has moved for a while.
  const { version, first } = page;
  setTimeout(() => {
    if (version !== page.version || first !== page.first || !page.root.isConnected) return;
    const others = lackingColumns(page, columnsInPage(page));
    if (others.length > 0 && parts.view.getAttribute("data-asking") === null) askRows(page, others);
  }, 400);
}

/** Asks for values of some columns of the rows in sight. */
export function askRows(page: LivePage, wanted: readonly number[]): void {
  const { parts, facts, version } = page;
  parts.view.setAttribute("data-asking", "");
  const offset = Math.max(0, page.first - 4);
  const limit = Math.min(facts.height + 8, page.total - offset);
  const columns = wanted.slice(0, 60);
  const { sort } = page.state;
  page.channel.ask({ op: "rows", offset, limit, columns, sort, filters: filtersOf(page) }).then((answer) => {
    parts.view.removeAttribute("data-asking");
    if (version === page.version) takeRows(page, { offset, limit, columns }, answer);
    page.draw();
  }, (failure) => {
    parts.view.removeAttribute("data-asking");
    if (version !== page.version) return page.draw();
    // What is lacking does not come by itself.
    parts.grid.setAttribute("aria-busy", "false");
    page.fail(failure);
  });
}

/** Columns of which a row in sight lacks the value. */
export function lackingColumns(page: LivePage, places: readonly number[]): number[] {
  const end = Math.min(page.first + page.facts.height, page.total);
  return places.map((place) => page.state.shown[place]).filter((column) => {
    for (let row = page.first; row < end; row++) if (page.rows.get(row)?.cells.has(column) !== true) return true;
    return false;
  });
}

/** Keeps rows that have come; fewer than were asked for are the last. */
export function takeRows(
  page: LivePage,
  { offset, limit, columns }: { readonly offset: number; readonly limit: number; readonly columns: readonly number[] },
  { rows, ids }: LiveAnswer,
): void {
  if (!Array.isArray(rows) || !Array.isArray(ids)) return;
  if (page.rows.size > 20_000) page.rows.clear();
  for (const [index, id] of ids.entries()) {
    const known = page.rows.get(offset + index);
    const row: PageRow = known !== undefined && known.id === id ? known : { id: Number(id), cells: new Map() };
    for (const [at, column] of columns.entries()) row.cells.set(column, rows[index][at]);
    page.rows.set(offset + index, row);
  }
  if (ids.length === limit) return;
  page.total = offset + ids.length;
  // Beyond the end nothing shows how many rows there are.
  page.isCounted ||= ids.length > 0 || offset === 0;
}
