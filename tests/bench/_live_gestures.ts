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

/** Draws a range on the distribution of a column, from one share of its width to another. */
export const brush = (column: string, from: number, to: number): string =>
  `{ const range = document.querySelector('[aria-label="range of ${column}"]');
     // A pointer that no mouse moves cannot be captured.
     range.setPointerCapture = () => {};
     const { left, top, width } = range.getBoundingClientRect();
     for (const [type, share] of [["pointerdown", ${from}], ["pointermove", ${to}], ["pointerup", ${to}]]) {
       range.dispatchEvent(new PointerEvent(type, { clientX: left + share * width, clientY: top + 10, bubbles: true }));
     } }`;

/** Goes to one of the first rows, drawn at random. */
export const jumpWithin = (rows: number): string =>
  write("go to row", `String(1 + Math.floor(Math.random() * ${rows}))`);

const wheel = (pixels: number) =>
  `${VIEW}.dispatchEvent(new WheelEvent("wheel", { deltaY: ${pixels}, bubbles: true, cancelable: true }))`;

/** Turns the wheel by more rows than are in sight. */
export const WHEEL: string = wheel(1000);

/** Pixels of the rows in sight. */
const SIGHT = 16 * 22;

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

/** Rows of {@linkcode scrollThrough}. */
export const SCROLLED = 200;

/** Time of scrolling from the top to the last of {@linkcode SCROLLED} rows, and its first value. */
export async function scrollThrough({ page }: LabPage): Promise<{ readonly time: number; readonly last: string }> {
  return await page.evaluate(`(async () => {
    const began = performance.now();
    for (;;) {
      const last = document.querySelector('[data-row="${SCROLLED}"] [role=gridcell]')?.textContent;
      if (last) return { time: performance.now() - began, last };
      ${wheel(SIGHT)};
      while (!${FILLED}) await new Promise((resolve) => setTimeout(resolve, 2));
    }
  })()`);
}

/** Time from a filter until the rows that match are there and are counted, and how many they are. */
export async function countFiltered(
  { page }: LabPage,
  filter: string,
): Promise<{ readonly time: number; readonly count: number }> {
  return await page.evaluate(`(async () => {
    const began = performance.now();
    ${filter};
    for (;;) {
      const status = document.querySelector("[data-seqreg-live=open] [role=status]").textContent;
      const [, count] = /: ([\\d,]+) of /.exec(status) ?? [];
      if (count !== undefined && ${FILLED}) {
        return { time: performance.now() - began, count: Number(count.replaceAll(",", "")) };
      }
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
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
