/**
 * What makes a table live in a browser: filter, sort by a click or a key, pages. Works on the rows that were sent; values
 * reach the page as text nodes only. Written out as source, since it runs far from here.
 */
export const TABLE_SCRIPT = String.raw`function (id) {
  const root = document.getElementById(id);
  if (!root) return;
  const data = JSON.parse(root.querySelector("script[type='application/json']").textContent);
  const body = root.querySelector("tbody");
  const heads = [...root.querySelectorAll("th")];
  const more = root.querySelector(".seqreg-more");
  let page = 0, column = -1, direction = 1, words = "";
  const element = (name, text) => {
    const made = document.createElement(name);
    if (text !== undefined) made.textContent = text;
    return made;
  };
  const compare = (a, b) => {
    if (a === b) return 0;
    if (a === null) return direction;
    if (b === null) return -direction;
    return typeof a === "number" && typeof b === "number" ? a - b : String(a) < String(b) ? -1 : 1;
  };
  const status = element("span");
  status.setAttribute("role", "status");
  const draw = () => {
    let rows = data.rows;
    if (words) rows = rows.filter((row) => row.some((value) => String(value).toLowerCase().includes(words)));
    if (column >= 0) rows = [...rows].sort((a, b) => compare(a[column], b[column]) * direction);
    const pages = Math.max(1, Math.ceil(rows.length / data.page));
    page = Math.max(0, Math.min(page, pages - 1));
    body.replaceChildren(...rows.slice(page * data.page, (page + 1) * data.page).map((row) => {
      const line = element("tr");
      row.forEach((value, index) => {
        const text = value === null ? "null" : String(value);
        const cell = element("td", text.length > data.shown ? text.slice(0, data.shown) + "…" : text);
        cell.style.textAlign = data.numeric[index] && value !== null ? "right" : "left";
        cell.style.whiteSpace = "nowrap";
        if (value === null) cell.style.opacity = ".5";
        if (text.length > data.shown) cell.title = text;
        line.append(cell);
      });
      return line;
    }));
    status.textContent = " " + rows.length + (rows.length === 1 ? " row" : " rows") + ", page " + (page + 1) + " of " + pages + " ";
    heads.forEach((head, index) =>
      head.setAttribute("aria-sort", index !== column ? "none" : direction > 0 ? "ascending" : "descending"));
  };
  const filter = element("input");
  filter.type = "search";
  filter.placeholder = "filter rows";
  filter.setAttribute("aria-label", "filter rows");
  filter.oninput = () => { words = filter.value.toLowerCase(); page = 0; draw(); };
  const step = (text, label, by) => {
    const button = element("button", text);
    button.type = "button";
    button.setAttribute("aria-label", label);
    button.onclick = () => { page += by; draw(); };
    return button;
  };
  heads.forEach((head, index) => {
    head.tabIndex = 0;
    head.style.cursor = "pointer";
    const sort = () => { direction = column === index ? -direction : 1; column = index; draw(); };
    head.onclick = sort;
    head.onkeydown = (event) => { if (event.key === "Enter" || event.key === " ") { event.preventDefault(); sort(); } };
  });
  if (more) more.remove();
  const bar = element("div");
  bar.append(filter, status, step("‹", "previous page", -1), step("›", "next page", 1));
  if (data.rows.length > 5) root.insertBefore(bar, root.querySelector("table"));
  draw();
}`;
