/**
 * The extension of JupyterLab and Notebook 7 that makes outputs of `live()` live: two files, which Jupyter finds in
 * `labextensions/seqreg-live` of any of its data folders.
 */
import { VERSION } from "@seqreg/core/contract/version";
import { visible } from "@seqreg/core/io/display";
import * as liveFunctions from "../in_browser/live/live_functions.ts";

/** Folder of the extension below a data folder of Jupyter. */
export const EXTENSION_FOLDER = "labextensions/seqreg-live";

export interface ExtensionFile {
  /** Path below a data folder of Jupyter, with `/` between names. */
  readonly path: string;
  readonly text: string;
}

/** The functions of a live table in a page, as source; `offerExtension` and `startLive` are among them. */
export function liveCode(): string {
  return [visible, ...Object.values(liveFunctions)].map(String).join("\n");
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
