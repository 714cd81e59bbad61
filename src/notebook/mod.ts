/**
 * What a person sees in a notebook. Importing this module in a notebook puts in place what a notebook needs: the output
 * guard, which keeps printed lines under their own cell on the stock Deno kernel, the display of frames and errors, and
 * the listener for Stop; elsewhere the import does nothing.
 *
 * @module
 */
import { installNotebook } from "./install.ts";

installNotebook();

export { DISPLAY, display, type Displayable, type MediaBundle, type NotebookApi, notebookApi } from "./display.ts";
export { errorView } from "./error_view.ts";
export { type FrameLike, frameView, isFrame, isLazyFrame, type LazyFrameLike, lazyFrameView } from "./frame_view.ts";
export { installGuard } from "./guard.ts";
export { installNotebook } from "./install.ts";
export { cut, DATA_CLASS, escapeHtml, visible } from "./html.ts";
export { describeLedger, ledgerView } from "./ledger_view.ts";
export {
  createProgress,
  describeProgress,
  describeStop,
  type ProgressOptions,
  type ProgressTiming,
} from "./progress.ts";
export { resultView, show, stackViews, viewOf, viewOfKnown } from "./show.ts";
export { type SequenceStrip, sequenceStrip, stripPicture } from "./sequence_strip.ts";
export { stopSignal } from "./stop.ts";
export { type CellValue, type TableContent, tableView } from "./table_view.ts";
export { inNotebook, type WorkOptions } from "./work.ts";
