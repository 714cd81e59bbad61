/**
 * What rooms below the notebook's leave to it: how a result is drawn, and what work has in a notebook. The notebook's
 * room gives both when it is loaded; without it a result shows its words, and work has what its caller gave.
 */
import type { Ledger, Provenance } from "../../contract/ledger.ts";
import type { OnProgress } from "../tasks/progress.ts";
import { type MediaBundle, notebookApi } from "./display.ts";
import { visible } from "./html.ts";

/** What every long operation takes. */
export interface WorkOptions {
  /** Receives the progress of the work. */
  readonly onProgress?: OnProgress;
  /** Ends the work with the signal's reason. */
  readonly signal?: AbortSignal;
}

/** A value of a summary's table. */
export type SummaryCell = string | number | bigint | boolean | null;

/** What a result says of itself: a table, and the ledger below it. */
export interface ResultSummary {
  /** The result in words, for where nothing is drawn. */
  readonly text: string;
  readonly caption: string;
  readonly columns: readonly string[];
  /** Types of the columns, as frames spell them. */
  readonly types?: readonly string[];
  /** How many rows there are. */
  readonly total: number;
  /** Reads the first rows, at most so many. */
  readonly read: (most: number) => readonly (readonly SummaryCell[])[];
  /** Whether the caption is followed by the size; so by default. */
  readonly sized?: boolean;
  /** How to get all rows where not all are shown. */
  readonly complete?: string;
  readonly ledger: Ledger;
  readonly provenance: Provenance;
}

/** What a notebook does for work that begins in it. */
export interface NotebookHost {
  /** Installs what a notebook needs. Idempotent. */
  install(): void;
  /** Adds progress under the cell, and an end at Stop. */
  completeWork<T extends WorkOptions>(options: T): T & WorkOptions;
}

let host: NotebookHost | undefined;
let draw: ((summary: ResultSummary) => MediaBundle) | undefined;

export function setNotebookHost(given: NotebookHost): void {
  host = given;
}

/** Sets how results are drawn. */
export function setResultView(view: (summary: ResultSummary) => MediaBundle): void {
  draw = view;
}

/** Draws a result; in words where nothing that draws is loaded. */
export function viewResult(summary: ResultSummary): MediaBundle {
  return draw?.(summary) ?? { "text/plain": visible(summary.text) };
}

/** Prepares a notebook, if this program runs in one. */
export function prepareNotebook(): void {
  if (notebookApi() !== undefined) host?.install();
}

/**
 * Completes options in a notebook: progress is shown if work takes longer than a moment, and Stop ends it. Elsewhere
 * the options stay unchanged.
 */
export function completeWork<T extends WorkOptions>(options: T): T & WorkOptions {
  return host?.completeWork(options) ?? options;
}
