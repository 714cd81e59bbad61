/**
 * Where a person filters a column: in the words of live tables, and by values to choose from. Runs in the browser; see
 * `cells.ts`.
 */
import { cellKey, type SentCell, shownText } from "./cells.ts";
import { type ColumnCondition, countValues, isActive, testOf } from "./conditions.ts";
import { findRows } from "./find_rows.ts";
import { columnName, type LiveTableView, makeButton, makeElement, makeTick } from "./live_table.ts";
import { filterHelp, filterHint } from "./read_filter.ts";
import type { PageElement } from "./page.ts";

export function fillFilterPanel(table: LiveTableView, column: number, panel: PageElement): void {
  const { root, facts, state } = table;
  const kind = facts.kinds[column];
  const name = columnName(facts, column);
  let condition = state.conditions.get(column) ?? { text: "", chosen: [] };

  const text = makeElement(root, "input", "", {
    type: "text",
    autocomplete: "off",
    spellcheck: "false",
    "aria-label": `filter ${name}`,
    placeholder: filterHint(kind),
  });
  const help = makeElement(root, "small", `${filterHelp(kind)}; missing, present; ! before any: the other rows`, {
    style: "display:block",
  });
  const fault = makeElement(root, "div", "", { role: "alert" });
  const values = makeElement(root, "div", "", {
    role: "group",
    "aria-label": `values of ${name}`,
    style: "max-height:13em;overflow:auto;margin:4px 0",
  });
  text.value = condition.text;

  const change = (changes: Partial<ColumnCondition>) => {
    condition = { ...condition, ...changes };
    if (isActive(condition)) state.conditions.set(column, condition);
    else state.conditions.delete(column);
    state.page = 0;
    fault.textContent = testOf(condition, kind).fault;
    if (fault.textContent === "") text.removeAttribute("aria-invalid");
    else text.setAttribute("aria-invalid", "true");
  };
  const list = () =>
    drawValues(table, column, condition, values, (chosen) => {
      change({ chosen });
      table.draw();
    });
  const changed = (changes: Partial<ColumnCondition>) => {
    change(changes);
    table.draw();
    if (kind !== "sequence") list();
  };
  text.addEventListener("input", () => changed({ text: text.value }));

  const line = makeElement(root, "div");
  const clear = makeButton(root, "clear", () => {
    text.value = "";
    changed({ text: "", chosen: [] });
  }, { "aria-label": `clear filter of ${name}` });
  line.append(makeElement(root, "b", `${name} `), text, " ", clear);
  panel.append(line, help, fault);
  if (kind === "sequence") {
    panel.append(makeElement(root, "small", "only the first characters of each sequence are in the table"));
  } else {
    panel.append(values);
    table.refresh = list;
  }
  changed({});
}

/** Lists the values that the other filters let through, with how often they occur, to be ticked. */
export function drawValues(
  table: LiveTableView,
  column: number,
  condition: ColumnCondition,
  list: PageElement,
  choose: (chosen: readonly SentCell[]) => void,
): void {
  const { root, columns, facts, state } = table;
  const most = 100;
  const conditions = new Map(state.conditions).set(column, { ...condition, chosen: [] });
  const rows = findRows(columns, facts, { ...state, conditions, sorted: -1 });
  const counts = countValues(columns[column], rows);
  const chosen = new Map(condition.chosen.map((cell) => [cellKey(cell), cell]));
  const present = new Set(counts.map(({ cell }) => cellKey(cell)));
  const absent = condition.chosen.filter((cell) => !present.has(cellKey(cell))).map((cell) => ({ cell, count: 0 }));
  const shown = [...absent, ...counts.slice(0, most)];
  list.replaceChildren(
    ...shown.map(({ cell, count }) => {
      const text = shownText(cell);
      const name = text === "" ? "(empty text)" : text.length > 80 ? `${text.slice(0, 80)}…` : text;
      return makeTick(root, `${name} (${count.toLocaleString("en")})`, chosen.has(cellKey(cell)), (isTicked) => {
        if (isTicked) chosen.set(cellKey(cell), cell);
        else chosen.delete(cellKey(cell));
        choose([...chosen.values()]);
      });
    }),
  );
  const rest = counts.length - Math.min(counts.length, most);
  if (rest > 0) {
    list.append(
      makeElement(root, "small", `and ${rest.toLocaleString("en")} more values: write a filter to see fewer`),
    );
  }
}
