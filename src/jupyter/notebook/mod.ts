/**
 * What a person sees in a notebook. Importing this module in a notebook puts in place what a notebook needs: the output
 * guard, which keeps printed lines under their own cell on the stock Deno kernel, the display of frames and errors, and
 * the listener for Stop; elsewhere the import does nothing.
 *
 * @module
 */
import "./install.ts";

export { DISPLAY, display, type Displayable, type MediaBundle } from "@seqreg/core/io/display";
export { installGuard } from "./guard.ts";
export { installNotebook } from "./install.ts";
export { CriteriaError } from "@seqreg/core/query";
export { live, type LiveOptions } from "./live/live.ts";
export type { LiveCode } from "../live/live_code.ts";
export type { FrameSource, LiveInput, LiveLake } from "./live/live_source.ts";
export { type LiveFrameOptions, type LiveOrder, LiveView } from "./live/live_view.ts";
export { createProgress, type ProgressOptions, type ProgressTiming } from "./progress.ts";
export { show } from "./show.ts";
export { type SequenceStrip, sequenceStrip } from "./sequence_strip.ts";
export { stopSignal } from "./stop.ts";
export { type CellValue, type ShownValue, type TableContent, tableView } from "./table_view.ts";
export { inNotebook, type WorkOptions } from "./work.ts";
export type { Ledger, LedgerEntry, Provenance } from "@seqreg/core/contract";
export type { OnProgress, ProgressEvent } from "@seqreg/core/io/tasks";
export {
  LEDGER_CODES,
  type LedgerCode,
  type LedgerCodeInfo,
  type LedgerLevel,
} from "@seqreg/core/contract/ledger_codes";
