/**
 * The columnar index of the embedded registry: finds, counts, sorts and takes facets.
 *
 * @module
 */
export { openIndex } from "./open_index.ts";
export { resumeIndex, startIndex } from "./start_index.ts";
export type {
  Finder,
  FinishOptions,
  FoundRows,
  IndexBounds,
  IndexSummary,
  IndexWriter,
  OpenIndexOptions,
  RowRange,
  StartIndexOptions,
  Summary,
} from "./types.ts";
