/** The enumerations of the interface, as spelled on the wire. */
import { checkArgument } from "../options/check_options.ts";
import { oneOf, required } from "../options/rules.ts";

/** What a download covers: all that match (`max`), or the named records. Source: Specification 2.7. */
export type Scope = "max" | "selection";
/** Every {@linkcode Scope}. */
export const SCOPES: readonly Scope[] = ["max", "selection"];

/** What a download contains. Source: Specification 2.7. */
export type Information = "metadata" | "registry_accessions" | "sequences";
/** Every {@linkcode Information}. */
export const INFORMATION: readonly Information[] = ["metadata", "registry_accessions", "sequences"];

/** How a download names fields. Source: Specification 2.7. */
export type Keys = "id" | "alias" | "human_readable";
/** Every {@linkcode Keys}. */
export const KEYS: readonly Keys[] = ["id", "alias", "human_readable"];

/** File types that a download may request. Source: Specification 2.7. */
export type FileType = "csv" | "fasta" | "json" | "tsv" | "xml";
/** Every {@linkcode FileType}. */
export const FILE_TYPES: readonly FileType[] = ["csv", "fasta", "json", "tsv", "xml"];

/** Direction of a sort. Source: Specification 2.7. */
export type SortOrder = "asc" | "desc";
/** Every {@linkcode SortOrder}. */
export const SORT_ORDERS: readonly SortOrder[] = ["asc", "desc"];

/** Formats of the definitions export. */
export type DefinitionFormat = "csv" | "json" | "xlsx";

/** Media type of each {@linkcode DefinitionFormat}. Source: Specification 2.7, metadata export Accept. */
export const DEFINITION_MEDIA_TYPES: Readonly<Record<DefinitionFormat, string>> = {
  csv: "text/csv",
  json: "application/json",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
};

/** The five combinations of information and file type that the interface serves. Source: Specification 4.2. */
export const DOWNLOAD_MEDIA_TYPES: Readonly<Record<Information, Readonly<Partial<Record<FileType, string>>>>> = {
  metadata: { csv: "text/csv", xml: "application/xml" },
  registry_accessions: { tsv: "text/tab-separated-values", xml: "application/xml" },
  sequences: { fasta: "application/x-fasta" },
};

/**
 * Finds the media type of a download.
 *
 * @returns The media type, or `undefined` when the combination is not one of the five.
 * @see Specification 4.2, the table of media types.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { downloadMediaType } from "./enumerations.ts";
 *
 * assertEquals(downloadMediaType("sequences", "fasta"), "application/x-fasta");
 * assertEquals(downloadMediaType("metadata", "fasta"), undefined);
 * ```
 */
export function downloadMediaType(information: Information, fileType: FileType): string | undefined {
  checkArgument("downloadMediaType()", "information", information, INFORMATION_RULE);
  checkArgument("downloadMediaType()", "fileType", fileType, FILE_TYPE_RULE);
  return DOWNLOAD_MEDIA_TYPES[information][fileType];
}

const INFORMATION_RULE = required(oneOf(INFORMATION));
const FILE_TYPE_RULE = required(oneOf(FILE_TYPES));
