/** What an export asks for, and how. */
import type { DownloadRequest } from "../../contract/download.ts";
import type { Information, Keys } from "../../contract/enumerations.ts";
import { MAX_SELECTION } from "../../contract/limits.ts";
import type { OptionRules } from "../../options/option_rule.ts";
import * as rule from "../../options/rules.ts";
import type { SearchFilter } from "../../contract/search.ts";
import type { OnProgress } from "../../io/tasks/progress.ts";
import { type AccessionList, summarizeList } from "../plan/accession_list.ts";
import { ReleaseWatch } from "../plan/release_watch.ts";
import type { ExportType } from "./scan_options.ts";

/** Which records an export covers: those that match, or those of a checked list. */
export type ExportScope =
  | { readonly query: string; readonly filter?: readonly SearchFilter[] }
  | { readonly list: AccessionList };

/** What is exported. */
export interface ExportRequest {
  /** Which records. */
  readonly scope: ExportScope;
  /** Metadata, accessions or sequences. */
  readonly information: Information;
  /** Format. */
  readonly fileType: ExportType;
  /** How fields are named in accession and sequence exports; the registry's default when absent. */
  readonly keys?: Keys;
  /** Public fields to include; all when absent or empty. */
  readonly metadata?: readonly string[];
}

/** Options of an {@linkcode ExportRun}. */
export interface ExportRunOptions {
  /** What the user does, as provenance states it; `download` by default. */
  readonly operation?: string;
  /** What provenance calls the registry; the client's base address by default. */
  readonly place?: string;
  /** Separators of a CSV that are taken: a comma alone, or, with a warning, semicolons and tabs too. */
  readonly separators?: "comma" | "any";
  /** Whether records of a FASTA that are no nucleotide sequences are left out of the bytes; false by default. */
  readonly readableOnly?: boolean;
  /** Accessions in a request at most; 10,000, the registry's own limit, by default. */
  readonly batchSize?: number;
  /** Compares the releases of the answers; one of its own, which notes that they differ, by default. */
  readonly watch?: ReleaseWatch;
  /** Receives the number of records so far. */
  readonly onProgress?: OnProgress;
  /** Ends the export with the signal's reason. */
  readonly signal?: AbortSignal;
}

export const EXPORT_RUN_OPTIONS = {
  operation: rule.text,
  place: rule.text,
  separators: rule.oneOf(["comma", "any"]),
  readableOnly: rule.flag,
  batchSize: rule.wholeNumber({ from: 1, to: MAX_SELECTION }),
  watch: rule.instanceOf("a ReleaseWatch", ReleaseWatch),
  onProgress: rule.callback(),
  signal: rule.signal,
} satisfies OptionRules<ExportRunOptions>;

/** The body of one request of an export: for what matches a search, or for the accessions that are selected. */
export function downloadRequest(
  { information, fileType, keys, metadata }: ExportRequest,
  search: { readonly query: string; readonly filter?: readonly SearchFilter[] },
  selected: readonly string[] | undefined,
): DownloadRequest {
  return {
    search: { query: search.query, ...search.filter !== undefined && { filter: search.filter } },
    download: {
      scope: selected === undefined ? "max" : "selection",
      information,
      fileType,
      ...keys !== undefined && { keys },
      ...metadata !== undefined && { metadata },
      ...selected !== undefined && { selected_ids: selected },
    },
  };
}

/** What provenance states of an export that took several requests. */
export function summarizeRequest(
  { scope, information, fileType, keys, metadata }: ExportRequest,
  batches: number,
): Record<string, unknown> {
  return {
    ..."list" in scope
      ? { scope: "selection", ...summarizeList(scope.list.accessions), batches }
      : { scope: "max", query: scope.query, filter: scope.filter ?? [] },
    information,
    fileType,
    ...keys !== undefined && { keys },
    ...metadata !== undefined && { metadata },
  };
}

/** What an answer is part of, in words: of the batches, the one that was selected. */
export function describePart(
  information: Information,
  batches: readonly (readonly string[])[],
  selected: readonly string[] | undefined,
): string {
  const what = information === "registry_accessions" ? "accessions" : information;
  if (selected === undefined || batches.length === 1) return `the export of ${what}`;
  return `batch ${batches.indexOf(selected) + 1} of the ${what}`;
}
