/**
 * The extension of JupyterLab and Notebook 7 that makes outputs of `live()` live: two files, which Jupyter finds in
 * `labextensions/seqreg-live` of any of its data folders.
 */
import { VERSION } from "@seqreg/core/contract/version";
import { visible } from "@seqreg/core/io/display";
import * as cells from "../in_browser/cells.ts";
import * as liveTable from "../in_browser/live_table.ts";
import * as channel from "../in_browser/live/channel.ts";
import * as connectKernel from "../in_browser/live/connect_kernel.ts";
import * as drawLive from "../in_browser/live/draw_live.ts";
import * as fetchLive from "../in_browser/live/fetch_live.ts";
import * as liveHeads from "../in_browser/live/live_heads.ts";
import * as liveKeys from "../in_browser/live/live_keys.ts";
import * as livePage from "../in_browser/live/live_page.ts";
import * as livePanels from "../in_browser/live/live_panels.ts";
import * as liveRanges from "../in_browser/live/live_ranges.ts";
import * as liveScroll from "../in_browser/live/live_scroll.ts";
import * as liveStyle from "../in_browser/live/live_style.ts";
import * as pageTools from "../in_browser/page_tools.ts";
import * as readFilter from "../in_browser/read_filter.ts";
import * as renewLive from "../in_browser/live/renew_live.ts";
import * as startLive from "../in_browser/live/start_live.ts";

const MODULES = [
  cells,
  liveTable,
  channel,
  connectKernel,
  drawLive,
  fetchLive,
  liveHeads,
  liveKeys,
  livePage,
  livePanels,
  liveRanges,
  liveScroll,
  liveStyle,
  pageTools,
  readFilter,
  renewLive,
  startLive,
];

/** Folder of the extension below a data folder of Jupyter. */
export const EXTENSION_FOLDER = "labextensions/seqreg-live";

export interface ExtensionFile {
  /** Path below a data folder of Jupyter, with `/` between names. */
  readonly path: string;
  /** Its content. */
  readonly text: string;
}

/** The functions of a live table in a page, as source; `offerExtension` and `startLive` are among them. */
export function liveCode(): string {
  return [visible, ...MODULES.flatMap((module) => Object.values(module))].map(String).join("\n");
}

export function extensionFiles(): ExtensionFile[] {
  const about = {
    name: "seqreg-live",
    version: VERSION,
    description: "Tables of any number of rows, live under a cell of the kernel Deno (seqreg).",
    jupyterlab: { _build: { load: "static/remoteEntry.js", extension: "./extension" } },
  };
  return [
    { path: `${EXTENSION_FOLDER}/package.json`, text: `${JSON.stringify(about, null, 2)}\n` },
    {
      path: `${EXTENSION_FOLDER}/static/remoteEntry.js`,
      text: `"use strict";\n(() => {\n${liveCode()}\nofferExtension(window);\n})();\n`,
    },
  ];
}
