/** An export begun for named records, or for those that match. */
import type { RegistryClient } from "../../client/mod.ts";
import { checkOptions } from "../../options/check_options.ts";
import type { OptionRules } from "../../options/option_rule.ts";
import * as rule from "../../options/rules.ts";
import { INFORMATION, KEYS } from "../../contract/enumerations.ts";
import { EXPORT_RUN_OPTIONS, type ExportRequest, type ExportRunOptions } from "./export_request.ts";
import { ExportRun } from "./export_run.ts";
import { type Records, scopeOf } from "./records.ts";
import { EXPORT_TYPE } from "./scan_options.ts";

/** How `Registry.download` asks. */
export type DownloadFileOptions = Omit<ExportRunOptions, "place">;

/** What `Registry.download` writes, and how. */
export type DownloadRecordsOptions = DownloadFileOptions & Omit<ExportRequest, "scope">;

const { place: _, ...DOWNLOAD_OPTIONS } = EXPORT_RUN_OPTIONS;

const DOWNLOAD_RECORDS_OPTIONS = {
  ...DOWNLOAD_OPTIONS,
  information: rule.required(rule.oneOf(INFORMATION)),
  fileType: EXPORT_TYPE,
  keys: rule.oneOf(KEYS),
  metadata: rule.texts,
} satisfies OptionRules<DownloadRecordsOptions>;

/**
 * Begins an export; nothing is asked yet.
 *
 * @throws {TypeError | RangeError} If records or options cannot be followed.
 */
export function startDownload(
  { client, place }: { readonly client: RegistryClient; readonly place: string },
  records: Records | ExportRequest,
  options: DownloadRecordsOptions | DownloadFileOptions,
): ExportRun {
  if (isRequest(records)) {
    checkOptions<DownloadFileOptions>("download()", options, DOWNLOAD_OPTIONS);
    return new ExportRun(client, records, { ...options, place });
  }
  const given = options as DownloadRecordsOptions;
  checkOptions("download()", given, DOWNLOAD_RECORDS_OPTIONS);
  const { information, fileType, keys, metadata, ...run } = given;
  const request = { scope: scopeOf(records), information, fileType, keys, metadata };
  return new ExportRun(client, request, { ...run, place });
}

function isRequest(records: Records | ExportRequest): records is ExportRequest {
  return typeof records === "object" && records !== null && "scope" in records;
}
