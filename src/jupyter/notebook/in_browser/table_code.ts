/**
 * The source that makes a table live in a browser, as text: the functions of this folder, and a few lines that unpack
 * rows and source.
 */
import { csvCell, csvRow, tsvCell, tsvRow } from "@seqreg/core/io/csv/csv_text";
import { visible } from "@seqreg/core/io/display";
import * as pageFunctions from "./page_functions.ts";

/** The source of everything that a live table needs; `startTable` begins it. */
export function tableCode(): string {
  const functions = [visible, csvCell, csvRow, tsvCell, tsvRow, ...Object.values(pageFunctions)];
  return `"use strict";\n${functions.map((code) => shorten(String(code))).join("\n")}`;
}

/** Takes away indentation and whole lines of comments; no text of these functions goes over several lines. */
function shorten(code: string): string {
  return code.replace(/^\s+/gm, "").replace(/^\/\/.*\n/gm, "");
}

/**
 * Begins a table: finds its element, unpacks its rows and the source above, and runs it. It is written into the output
 * as it stands, and called with the element's id and the table's facts.
 *
 * A page may hold the same output twice, so that the element is found from the running script. The text is zlib's
 * format, which has no members: browsers read only the first member of gzip.
 */
export const START_SCRIPT = String.raw`function (id, facts) {
  const here = document.currentScript && document.currentScript.closest(".seqreg-table");
  const root = here || [...document.querySelectorAll(".seqreg-table")].find((one) => one.id === id && !one.dataset.live);
  if (!root || root.dataset.live) return;
  root.dataset.live = "1";
  const read = (name) => {
    const script = root.querySelector("script." + name);
    if (script.type === "application/json") return Promise.resolve(script.textContent);
    const bytes = Uint8Array.from(atob(script.textContent), (byte) => byte.charCodeAt(0));
    return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"))).text();
  };
  const fail = () => {
    const note = document.createElement("p");
    note.textContent = "the rows could not be unpacked: this browser is too old to filter and sort them";
    root.append(note);
  };
  try {
    Promise.all([read("seqreg-rows"), read("seqreg-code")]).then(([rows, code]) => {
      // A live table has replaced it.
      if (!root.isConnected) return;
      const script = document.createElement("script");
      script.textContent = "(() => {" + code + "\ndocument.currentScript.start = startTable })()";
      root.append(script);
      script.remove();
      script.start(root, JSON.parse(rows), facts);
    }, fail);
  } catch {
    fail();
  }
}`;
