/**
 * What a table needs of the page around it: its clipboard, and keys that JupyterLab leaves alone. Runs in the browser;
 * see `cells.ts`.
 */
import { makeElement } from "./live_table.ts";
import type { PageElement, PageEvent } from "./page.ts";

/** Copies a text; `done` receives whether the browser allowed it. The focus stays where it is. */
export function copyText(root: PageElement, text: string, done: (isCopied: boolean) => void): void {
  const page = root.ownerDocument;
  const copyOldWay = () => {
    // Without a secure context, such as a server reached over http, pages have no clipboard.
    const before = page.activeElement;
    const area = makeElement(root, "textarea");
    area.value = text;
    page.body.append(area);
    area.select();
    const isCopied = page.execCommand("copy");
    area.remove();
    before?.focus();
    done(isCopied);
  };
  const clipboard = page.defaultView?.navigator.clipboard;
  if (clipboard === undefined) copyOldWay();
  else clipboard.writeText(text).then(() => done(true), copyOldWay);
}

/** Marks, in JupyterLab's own way, which keys are not its shortcuts while an element has the focus. */
export function ownKeys(root: PageElement, isOwn: (event: PageEvent) => boolean): void {
  const view = root.ownerDocument.defaultView;
  // JupyterLab hears keys before the page does, from the document; the window hears them first.
  const guard = (event: PageEvent) => {
    const isHere = root.isConnected && root.contains(event.target);
    if (!isHere) return view?.removeEventListener("keydown", guard, true);
    // Its shortcuts match the element with the focus, which is where it looks for this attribute.
    if (isOwn(event)) event.target.setAttribute("data-lm-suppress-shortcuts", "true");
    else event.target.removeAttribute("data-lm-suppress-shortcuts");
  };
  root.addEventListener("focusin", () => view?.addEventListener("keydown", guard, true));
}
