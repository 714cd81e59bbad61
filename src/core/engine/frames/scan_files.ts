/** Parquet files as one lazy frame of polars. */
import { Buffer } from "node:buffer";
import type { LazyDataFrame } from "nodejs-polars";
import { isRecord } from "../../options/is_record.ts";
import type { Polars } from "./frame_columns.ts";

/**
 * Scans exactly the files of a list, in its order: never a pattern, so that a name is what it is and a file that is
 * absent is an error. Nothing is read yet.
 *
 * @param paths One path at least.
 * @throws {TypeError} If this version of polars writes plans in another form.
 */
export function scanFiles(pl: Polars, paths: readonly string[]): LazyDataFrame {
  return withPaths(pl, pl.scanParquet("", { cache: false }), paths);
}

/**
 * Makes the plan of a scan read a list of files: `scanParquet` takes one path, which may be a pattern.
 *
 * @param change Changes the settings of the scan in addition.
 * @throws {TypeError} If this version of polars writes plans in another form.
 */
export function withPaths(
  pl: Polars,
  scan: LazyDataFrame,
  paths: readonly string[],
  change: (settings: Record<string, unknown>) => void = () => {},
): LazyDataFrame {
  const plan: unknown = JSON.parse(scan.serialize("json").toString());
  const node = memberOf(plan, "Scan");
  const settings = memberOf(node, "unified_scan_args");
  memberOf(node, "sources").Paths = paths.map((inner) => ({ inner }));
  settings.glob = false;
  memberOf(settings, "hive_options").enabled = false;
  change(settings);
  return pl.LazyDataFrame.deserialize(Buffer.from(JSON.stringify(plan)), "json");
}

/** A member of a plan that is an object. @throws {TypeError} If it is something else. */
export function memberOf(value: unknown, name: string): Record<string, unknown> {
  const member = isRecord(value) ? value[name] : undefined;
  if (isRecord(member)) return member;
  throw new TypeError(`Cannot scan files: this version of polars writes plans without ${name}; report it`);
}
