/** Gestures on a live table in JupyterLab, as code of the page, and the times that they take. */
import type { LabPage } from "../browser/_lab.ts";

/** Longest wait for rows. */
export const WAIT_MS = 120_000;

/** Whether every cell in sight is there. */
const FILLED = `(() => {
  const grid = document.querySelector("[data-seqreg-live=open] [role=grid]");
  return grid?.getAttribute("aria-busy") === "false" && grid.querySelector("[data-row] [role=gridcell]")?.textContent;
})()`;

const VIEW = 'document.querySelector("[data-seqreg-live=open] .seqreg-live-view")';

export const runCell = (cell: number): string =>
  `jupyterapp.shell.currentWidget.content.activeCellIndex = ${cell}; jupyterapp.commands.execute("notebook:run-cell")`;

export const sortBy = (column: string): string =>
  `document.querySelector('[role=columnheader][data-column="${column}"] button').click()`;

const write = (label: string, text: string) =>
  `{ const field = document.querySelector('[aria-label="${label}"]'); field.value = ${text};
     field.dispatchEvent(new Event("change")); }`;

export const filterBy = (column: string, text: string): string => write(`filter ${column}`, JSON.stringify(text));

/** Goes to one of the first rows, drawn at random. */
export const jumpWithin = (rows: number): string =>
  write("go to row", `String(1 + Math.floor(Math.random() * ${rows}))`);

/** Turns the wheel by more rows than are in sight. */
export const WHEEL =
  `${VIEW}.dispatchEvent(new WheelEvent("wheel", { deltaY: 1000, bubbles: true, cancelable: true }))`;

/** Drags the bar to an offset drawn at random. */
export const DRAG = `{ const view = ${VIEW}; view.scrollTop = Math.random() * 0.9 * view.scrollHeight;
  view.dispatchEvent(new Event("scroll")); }`;

/** Takes the time of every distribution that is asked for from now on. */
export const WATCH_HISTOGRAMS = `{
  globalThis.histograms = [];
  let began = 0;
  new MutationObserver((changes) => {
    for (const { target, oldValue } of changes) {
      const isAsked = target.hasAttribute("data-counting");
      if (isAsked && oldValue === null) began = performance.now();
      else if (!isAsked && oldValue !== null) histograms.push(performance.now() - began);
    }
  }).observe(document.body, {
    subtree: true, attributes: true, attributeFilter: ["data-counting"], attributeOldValue: true,
  });
}`;

/** Time from a gesture until every cell in sight is there. */
export async function timed({ page }: LabPage, gesture: string): Promise<number> {
  return await page.evaluate<number>(`(async () => {
    const began = performance.now();
    ${gesture};
    while (!${FILLED}) await new Promise((resolve) => setTimeout(resolve, 2));
    return performance.now() - began;
  })()`);
}

/** Waits until nothing is asked for, nor counted. */
export async function calm({ page }: LabPage): Promise<void> {
  await page.waitForFunction(`!document.querySelector("[data-counting], [data-asking]") && ${FILLED}`, null, {
    timeout: WAIT_MS,
  });
}

/** Time of the first live table of a kernel, in its second cell; the first one opens what is shown, and ends before. */
export async function firstCell(lab: LabPage): Promise<number> {
  await lab.page.evaluate(`(async () => {
    await jupyterapp.shell.currentWidget.sessionContext.session.kernel.info;
    ${runCell(0)};
  })()`);
  await lab.page.waitForFunction(
    `jupyterapp.shell.currentWidget.content.widgets[0].model.executionCount > 0 &&
      jupyterapp.shell.currentWidget.sessionContext.session.kernel.status === "idle"`,
    null,
    { timeout: WAIT_MS },
  );
  await new Promise((resolve) => setTimeout(resolve, 500));
  return await timed(lab, runCell(1));
}
