/** Another order, another choice of rows, other files. Runs in the browser; see `../cells.ts`. */
import { makeButton } from "../live_table.ts";
import type { LiveFailure } from "./channel.ts";
import { filtersOf, type LivePage } from "./live_page.ts";
import { place } from "./live_scroll.ts";

/** Shows what went wrong, and what can be done. */
export function tellFailure(page: LivePage, failure: LiveFailure): void {
  if (failure.skipped) return;
  const { message } = page.parts;
  const again = () => {
    message.replaceChildren();
    if (!failure.changed) return page.renew(true);
    page.channel.ask({}, "renew").then(({ facts }) => {
      const { columns, count } = Object(facts);
      if (Array.isArray(columns) && typeof count === "number") page.restart({ ...page.facts, columns, count });
    }, (why) => page.fail(why));
  };
  message.replaceChildren();
  message.append(`${failure.message} `, makeButton(page.root, failure.changed ? "open anew" : "try again", again));
}

/** The order or the choice of rows is another one: from the top. */
export function renewLive(page: LivePage, isChoice: boolean): void {
  page.version++;
  page.rows = new Map();
  page.first = 0;
  page.place.row = 0;
  if (isChoice) {
    page.isCounted = page.state.filters.size === 0;
    // Until they are counted there may be as many.
    page.total = page.facts.count;
  }
  page.parts.message.replaceChildren();
  place(page);
  page.draw();
  settle(page);
}

/** Once the first rows are shown: counts those that match, then has the order of all of them made. */
export function settle(page: LivePage): void {
  const { version } = page;
  const filters = filtersOf(page);
  const isNow = () => version === page.version && page.root.isConnected;
  const order = () => {
    const { sort } = page.state;
    if (sort === null && filters.length === 0) return;
    // A jump says what is wrong with it.
    page.channel.ask({ op: "settle", sort, filters }).catch(() => {});
  };
  setTimeout(() => {
    if (!isNow()) return;
    if (page.parts.grid.getAttribute("aria-busy") === "true") return settle(page);
    if (page.isCounted) return order();
    page.channel.ask({ op: "count", filters }).then(({ count }) => {
      if (!isNow() || typeof count !== "number") return;
      page.total = count;
      page.isCounted = true;
      page.first = Math.max(0, Math.min(page.first, count - page.facts.height));
      place(page);
      page.draw();
      order();
    }, (failure) => {
      if (isNow()) page.fail(failure);
    });
  }, 20);
}
