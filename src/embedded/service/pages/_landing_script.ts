/** What the landing page does in a browser: one search, shown by text nodes alone, and the address it was called by. */
export const LANDING_SCRIPT = `"use strict";
const base = new URL(".", location.href).href;
for (const place of document.querySelectorAll(".base")) {
  place.textContent = base.slice(0, -1).replaceAll("'", "%27");
}
const form = document.getElementById("search");
const said = document.getElementById("said");
const found = document.getElementById("found");
const steering = /[\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069]/g;
const visible = (text) => text.replace(steering, (character) => "\\\\u{" + character.charCodeAt(0).toString(16) + "}");
const made = (name, text) => {
  const element = document.createElement(name);
  if (text !== undefined) element.textContent = visible(text);
  return element;
};
const written = (value) => value === null ? "" : String(value);
const row = (name, cells) => {
  const line = made("tr");
  for (const cell of cells) {
    const element = made(name, cell);
    if (name === "th") element.scope = "col";
    line.append(element);
  }
  return line;
};
const tableOf = (results) => {
  const fields = Object.keys(results[0].source).slice(0, 8);
  const table = made("table");
  const head = made("thead");
  head.append(row("th", fields));
  const rows = made("tbody");
  for (const { source } of results) rows.append(row("td", fields.map((field) => written(source[field]))));
  table.append(made("caption", "The first " + fields.length + " fields of each record"), head, rows);
  const scroller = made("div");
  scroller.className = "scroller";
  scroller.tabIndex = 0;
  scroller.setAttribute("role", "region");
  scroller.setAttribute("aria-label", "Records found");
  scroller.append(table);
  return scroller;
};
const facetsOf = (facets) => {
  const list = made("dl");
  for (const [field, values] of Object.entries(facets)) {
    if (values.length === 0) continue;
    const most = values.slice(0, 5).map(({ value, count }) => value + " (" + count.toLocaleString("en") + ")");
    list.append(made("dt", field), made("dd", most.join(", ") + (values.length > 5 ? ", …" : "")));
  }
  const details = made("details");
  details.append(made("summary", "Facets: the most frequent values among them"), list);
  return list.childElementCount === 0 ? [] : [details];
};
const say = (text, fault) => {
  said.textContent = text;
  said.className = fault ? "fault" : "";
};
let running;
form.addEventListener("submit", async (event) => {
  event.preventDefault();
  running?.abort();
  const { signal } = running = new AbortController();
  say("Searching …", false);
  try {
    const begun = performance.now();
    const response = await fetch(new URL("v2/search", base), {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ query: form.elements.query.value, pageSize: 10 }),
      signal,
    });
    const body = await response.json();
    found.replaceChildren();
    if (!response.ok) {
      const { detail } = body;
      say(typeof detail === "string" ? detail : detail.map(({ msg }) => msg).join("; "), true);
      return;
    }
    const { total, results, facets } = body;
    const ms = Math.max(1, Math.round(performance.now() - begun));
    const shown = results.length < total ? ", the first " + results.length + " of them below" : "";
    say(total.toLocaleString("en") + (total === 1 ? " record" : " records") + " in " + ms + " ms" + shown, false);
    if (results.length > 0) found.append(tableOf(results), ...facetsOf(facets));
  } catch (fault) {
    if (signal.aborted) return;
    found.replaceChildren();
    say("The registry did not answer: " + fault.message, true);
  }
});
`;
