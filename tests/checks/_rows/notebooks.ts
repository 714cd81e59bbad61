/** Checks of kernels and notebooks, also in a real JupyterLab and a real browser. */
import type { Check } from "../_runner/check.ts";
import { FRAMES, JUPYTER } from "./_shared.ts";

/** A check in JupyterLab and Chromium. */
function browser(name: string, row: Pick<Check, "shows" | "calls" | "minutes">): Check {
  return {
    name: `browser-${name.replaceAll("_", "-")}`,
    files: [`tests/browser/${name}.ts`],
    programs: ["chromium", "venv"],
    packages: JUPYTER,
    onPath: true,
    inTurn: "JupyterLab",
    ...row,
  };
}

export const NOTEBOOKS: readonly Check[] = [
  {
    name: "chaos",
    shows: "kernels and clients that are killed, cut off or deaf, also while a live table orders its rows",
    files: ["tests/checks/kernel/chaos.ts"],
    calls: ["src/jupyter/kernel/", "src/jupyter/live/"],
    minutes: 1,
    alone: true,
  },
  {
    name: "cells",
    shows: "test262, the project and the lessons as cells: valid stays valid, and only awaits are passed through",
    files: ["tests/checks/kernel/cells.ts"],
    calls: ["src/jupyter/kernel/code/"],
    minutes: 1,
  },
  {
    name: "names",
    shows: "every global in turn as the name of a cell's own: printing, await, help and Stop go on",
    files: ["tests/checks/kernel/names.ts"],
    calls: ["src/jupyter/kernel/inside/"],
    minutes: 3,
  },
  {
    name: "starts",
    shows: "300 kernels start, thirty at a time, on busy cores: all answer",
    files: ["tests/checks/kernel/starts.ts"],
    calls: ["src/jupyter/kernel/"],
    minutes: 0.5,
    alone: true,
  },
  {
    name: "stops",
    shows: "Stop at random moments on busy cores: exactly one reply and one `idle` each (`SEQREG_STOPS=2000`)",
    files: ["tests/checks/kernel/stops.ts"],
    calls: ["src/jupyter/kernel/"],
    programs: ["venv"],
    packages: ["nbclient"],
    minutes: 0.5,
    alone: true,
    seed: true,
  },
  {
    name: "lessons",
    shows: "every lesson runs cold in a kernel, its hidden answers too",
    files: ["tests/checks/notebooks/lessons.ts"],
    calls: ["notebooks/", "src/jupyter/", "src/core/registry/"],
    minutes: 0.5,
  },
  {
    name: "foreign-client",
    shows: "the first lesson in the installed kernel, run by nbclient (part of `.ci/run`)",
    files: ["tests/checks/notebooks/foreign_client.ts"],
    calls: ["src/jupyter/", "src/cli/jupyter/", "notebooks/"],
    programs: ["venv"],
    packages: ["nbclient"],
    minutes: 0.5,
  },
  {
    name: "typed-elsewhere",
    shows: "what lessons show to be typed in a shell and in Python",
    files: ["tests/checks/notebooks/typed_elsewhere.ts"],
    calls: ["notebooks/", "src/cli/commands/"],
    programs: ["venv"],
    packages: FRAMES,
    minutes: 0.5,
  },
  browser("charts", {
    shows: "every chart as it is drawn in JupyterLab, in light and dark",
    calls: ["src/analysis/chart/", "src/jupyter/notebook/"],
    minutes: 1,
  }),
  browser("displays", {
    shows: "the displays of JupyterLab at two widths, in light and dark, with axe",
    calls: ["src/jupyter/notebook/"],
    minutes: 2,
  }),
  browser("help", {
    shows: "completion and help in JupyterLab",
    calls: ["src/jupyter/kernel/help/"],
    minutes: 1,
  }),
  browser("jupyterlab", {
    shows: "our kernel and our displays in JupyterLab",
    calls: ["src/jupyter/"],
    minutes: 2,
  }),
  browser("landing_page", {
    shows: "the embedded registry's page, in light and dark",
    calls: ["src/embedded/service/"],
    minutes: 0.5,
  }),
  browser("lessons", {
    shows: "every lesson in JupyterLab",
    calls: ["notebooks/", "src/jupyter/"],
    minutes: 2,
  }),
  browser("live", {
    shows: "live tables in JupyterLab and in Notebook 7, and what ends under them",
    calls: ["src/jupyter/live/", "src/jupyter/notebook/", "src/jupyter/kernel/live/"],
    minutes: 4,
  }),
  browser("nbclient", {
    shows: "printed lines, errors and prompts through nbclient and nbconvert",
    calls: ["src/jupyter/kernel/"],
    minutes: 1,
  }),
  browser("tables", {
    shows: "tables in JupyterLab, in a page without scripts, and printed",
    calls: ["src/jupyter/notebook/"],
    minutes: 1,
  }),
];
