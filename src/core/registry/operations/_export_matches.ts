/** The export of what a search matches, for the records that no page can have. */
import type { RegistryClient } from "../../client/mod.ts";
import { ExportRun } from "../exports/export_run.ts";
import type { SearchCriteria } from "../plan/search_criteria.ts";
import type { SearchAllOptions } from "./search_all_options.ts";

/** Starts the export; nothing is requested yet. */
export function exportMatches(
  client: RegistryClient,
  { query, filter }: SearchCriteria,
  { place, watch, signal }: SearchAllOptions,
): ExportRun {
  return new ExportRun(client, {
    scope: { query, ...filter !== undefined && filter.length > 0 && { filter } },
    information: "metadata",
    fileType: "csv",
  }, { separators: "any", ...watch && { watch }, place, signal });
}
