/** Where a person chooses which columns are shown, and which stays in view. Runs in the browser; see `cells.ts`. */
import { columnName, type LiveTableView, makeButton, makeElement, makeSelect, makeTick } from "./live_table.ts";
import type { PageElement } from "./page.ts";

export function fillColumnPanel(table: LiveTableView, panel: PageElement): void {
  const { root, facts, state } = table;
  const all = facts.names.map((_, column) => column);
  const list = makeElement(root, "div", "", {
    role: "group",
    "aria-label": "columns",
    style: "max-height:13em;overflow:auto;margin:4px 0;columns:14em",
  });
  const find = makeElement(root, "input", "", {
    type: "text",
    placeholder: "find columns",
    "aria-label": "find columns",
    autocomplete: "off",
  });
  const found = () => {
    const words = find.value.trim().toLowerCase();
    return all.filter((column) => facts.names[column].toLowerCase().includes(words));
  };
  const show = (columns: readonly number[], isShown: boolean) => {
    const shown = new Set(state.shown);
    for (const column of columns) {
      if (isShown) shown.add(column);
      else shown.delete(column);
    }
    state.shown = all.filter((column) => shown.has(column));
    table.draw();
  };
  const fill = () =>
    list.replaceChildren(
      ...found().map((column) =>
        makeTick(root, columnName(facts, column), state.shown.includes(column), (isTicked) => show([column], isTicked))
      ),
    );
  const several = (isShown: boolean) => () => {
    show(found(), isShown);
    fill();
  };
  const choices = [
    ["-1", "none"] as const,
    ...all.map((column) => [String(column), columnName(facts, column)] as const),
  ];
  const pinned = makeSelect(root, "column that stays in view", choices, String(state.pinned));
  pinned.style.maxWidth = "20em";
  pinned.addEventListener("change", () => {
    state.pinned = Number(pinned.value);
    table.draw();
  });
  find.addEventListener("input", fill);
  const line = makeElement(root, "div");
  line.append(find, " ", makeButton(root, "all", several(true)), " ", makeButton(root, "none", several(false)));
  line.append(" stays in view: ", pinned);
  panel.append(line, list);
  fill();
}
