/**
 * What a person sees in a notebook. Importing this module in a notebook installs the output guard, which keeps printed
 * lines under their own cell on the stock Deno kernel; elsewhere the import does nothing.
 *
 * @module
 */
import { installGuard } from "./guard.ts";

installGuard();

export { DISPLAY, display, type Displayable, type MediaBundle, type NotebookApi, notebookApi } from "./display.ts";
export { type FrameLike, frameView, isFrame } from "./frame_view.ts";
export { installGuard } from "./guard.ts";
export { cut, escapeHtml, visible } from "./html.ts";
export { describeLedger, ledgerView } from "./ledger_view.ts";
export { createProgress, describeProgress, type ProgressOptions, type ProgressTiming } from "./progress.ts";
export { resultView, show, stackViews, viewOf } from "./show.ts";
export { stopSignal } from "./stop.ts";
export { type CellValue, type TableContent, tableView } from "./table_view.ts";
