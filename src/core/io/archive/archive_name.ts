/**
 * Names of archives: a stem, `.csv`, and the ending of a compression.
 *
 * What a name ends with is a habit of people: how bytes are compressed is recognised by the bytes.
 */
import { COMPRESSION_ENDINGS } from "../compression/compression.ts";

const endings = COMPRESSION_ENDINGS.map((ending) => ending.replace(".", "\\.")).join("|");
const ARCHIVE = new RegExp(`\\.csv(?:${endings})$`, "i");
const TABLE = new RegExp(`(?:\\.(?:csv|tsv|tab|txt|xlsx|xlsm|json|jsonl|ndjson|parquet))?(?:${endings})?$`, "i");

/**
 * Returns the stem of a compressed CSV's name or path, such as that of `map.csv.gz`; `undefined` for other names.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { archiveStem } from "./archive_name.ts";
 *
 * assertEquals(["map.csv.gz", "map.csv.zst", "map.tsv"].map(archiveStem), ["map", "map", undefined]);
 * ```
 */
export function archiveStem(name: string): string | undefined {
  return ARCHIVE.test(name) ? name.replace(ARCHIVE, "") : undefined;
}

/** Returns the name that a table gets of its file: without the ending of its form and that of a compression. */
export function tableStem(name: string): string {
  return name.replace(TABLE, "");
}

/** The names that a compressed CSV may have, by its stem. */
export function archiveNames(stem: string): string[] {
  return COMPRESSION_ENDINGS.map((ending) => `${stem}.csv${ending}`);
}
