/**
 * What makes a table live in a browser: filter, sort by a click or a key, pages. Works on the rows that were sent,
 * column by column, plain or compressed; values reach the page as text nodes only. Written out as source, since it runs
 * far from here.
 */
export const TABLE_SCRIPT = String.raw`function (id, data) {
  const root = document.getElementById(id);
  if (!root) return;
  const plain = root.querySelector("script[type='application/json']");
  const body = root.querySelector("tbody");
  const heads = [...root.querySelectorAll("th")];
  const more = root.querySelector(".seqreg-more");
  let page = 0, column = -1, direction = 1, words = "";
  const element = (name, text) => {
    const made = document.createElement(name);
    if (text !== undefined) made.textContent = text;
    return made;
  };
  const textOf = (value) => Array.isArray(value) ? value[2] : String(value);
  const short = (value) => typeof value === "number" && !Number.isInteger(value) ? String(Number(value.toPrecision(7))) : textOf(value);
  const numberOf = (value) => typeof value === "number" ? value : /^-?\d+$/.test(value) ? BigInt(value) : Number(value);
  const keyOf = (value, index) => value === null ? null : data.numeric[index] ? numberOf(value) : textOf(value);
  const isLast = (key) => key === null || Number.isNaN(key);
  const compare = (a, b) => {
    if (isLast(a) || isLast(b)) return isLast(a) === isLast(b) ? 0 : isLast(a) ? direction : -direction;
    return a < b ? -1 : a > b ? 1 : 0;
  };
  const strip = ([marks, description, characters]) => {
    const picture = element("canvas");
    picture.width = Math.max(1, marks.length);
    picture.height = 1;
    picture.style.cssText = "image-rendering:pixelated;width:192px;height:12px";
    picture.setAttribute("role", "img");
    picture.setAttribute("aria-label", description + ": " + characters);
    picture.title = description + ": " + characters;
    const pen = picture.getContext("2d");
    [...marks].forEach((mark, at) => {
      pen.fillStyle = "#" + data.colours[data.marks.indexOf(mark)];
      pen.fillRect(at, 0, 1, 1);
    });
    return picture;
  };
  const long = (text) => {
    const button = element("button", text.slice(0, data.shown) + "…");
    button.type = "button";
    button.title = text;
    button.style.cssText = "all:unset;cursor:pointer;text-decoration:underline dotted";
    button.onfocus = () => { button.style.outline = "2px solid currentColor"; };
    button.onblur = () => { button.style.outline = ""; };
    let whole = false;
    button.onclick = () => {
      whole = !whole;
      button.textContent = whole ? text : text.slice(0, data.shown) + "…";
      button.style.whiteSpace = whole ? "pre-wrap" : "nowrap";
      button.style.overflowWrap = whole ? "anywhere" : "";
    };
    return button;
  };
  const cellOf = (value, index) => {
    const text = value === null ? "null" : short(value);
    const cell = element("td");
    if (Array.isArray(value)) cell.append(strip(value));
    else if (text.length > data.shown) cell.append(long(text));
    else cell.textContent = text;
    cell.style.textAlign = data.numeric[index] ? "right" : "left";
    cell.style.whiteSpace = "nowrap";
    if (value === null) { cell.style.opacity = ".7"; cell.style.fontStyle = "italic"; }
    else if (!Array.isArray(value) && text !== String(value)) cell.title = String(value);
    return cell;
  };
  const status = element("span");
  status.setAttribute("role", "status");
  let columns = [], searched;
  const all = Array.from({ length: data.count }, (_, row) => row);
  const isFound = (row) => {
    searched ??= all.map((row) => columns.map((values) => textOf(values[row]).toLowerCase()));
    return searched[row].some((text) => text.includes(words));
  };
  const draw = () => {
    let rows = words ? all.filter(isFound) : all;
    if (column >= 0) {
      const values = columns[column];
      rows = rows.map((row) => [keyOf(values[row], column), row]).sort((a, b) => compare(a[0], b[0]) * direction).map(([, row]) => row);
    }
    const pages = Math.max(1, Math.ceil(rows.length / data.page));
    page = Math.max(0, Math.min(page, pages - 1));
    body.replaceChildren(...rows.slice(page * data.page, (page + 1) * data.page).map((row) => {
      const line = element("tr");
      columns.forEach((values, index) => line.append(cellOf(values[row], index)));
      return line;
    }));
    for (const button of steps) button.hidden = pages < 2;
    status.textContent = " " + rows.length.toLocaleString("en") + (rows.length === 1 ? " row" : " rows") + ", page " +
      (page + 1).toLocaleString("en") + " of " + pages.toLocaleString("en") + (data.limits ? "; " + data.limits : "") + " ";
    heads.forEach((head, index) => {
      const order = index !== column ? "none" : direction > 0 ? "ascending" : "descending";
      head.setAttribute("aria-sort", order);
      head.querySelector(".seqreg-order").textContent = order === "none" ? "" : direction > 0 ? " ▲" : " ▼";
    });
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
  const steps = [step("‹", "previous page", -1), step("›", "next page", 1)];
  const begin = (sent) => {
    columns = sent;
    heads.forEach((head, index) => {
      const button = element("button");
      button.type = "button";
      button.style.cssText = "all:unset;cursor:pointer";
      button.title = "sort";
      button.onfocus = () => { button.style.outline = "2px solid currentColor"; };
      button.onblur = () => { button.style.outline = ""; };
      const order = element("span", "");
      order.className = "seqreg-order";
      order.setAttribute("aria-hidden", "true");
      const name = head.firstChild;
      button.append(...head.childNodes);
      if (name) name.after(order);
      else button.append(order);
      button.onclick = () => { direction = column === index ? -direction : 1; column = index; draw(); };
      head.replaceChildren(button);
    });
    const limits = root.querySelector(".seqreg-limits");
    if (limits && data.count > 5) limits.remove();
    if (more) more.remove();
    const bar = element("div");
    bar.append(filter, status, ...steps);
    if (data.count > 5) root.insertBefore(bar, root.querySelector("[role=region]"));
    draw();
  };
  if (plain) return begin(JSON.parse(plain.textContent));
  const fail = () => {
    const note = element("p", "the rows could not be unpacked: this browser is too old to filter and sort them");
    root.append(note);
  };
  try {
    const bytes = Uint8Array.from(atob(root.querySelector("script[type='text/plain']").textContent), (byte) => byte.charCodeAt(0));
    new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).json().then(begin).catch(fail);
  } catch {
    fail();
  }
}`;
