/** Files of a table as they are now, so that one that was written over them is recognised. */
import { isRecord } from "@seqreg/core/options/is_record";
import { join } from "node:path";
import { isObjectAddress } from "@seqreg/core/io/objects/object_address";
import { findTable } from "@seqreg/core/tables/lake/build/lake_layout";
import { findObjectFiles } from "./object_files.ts";
import type { LiveColumnSource, LiveFile, LiveOrigin, LiveSource } from "./live_question.ts";

/**
 * Describes files.
 *
 * @param paths Their paths, in the order of the rows.
 * @throws {Deno.errors.NotFound} If one is not there.
 */
export async function describeFiles(paths: readonly string[]): Promise<LiveFile[]> {
  return await Promise.all(paths.map(async (path) => {
    const real = await Deno.realPath(path);
    const { size, mtime } = await Deno.stat(real);
    return { path: real, bytes: size, modified: mtime?.getTime() ?? 0 };
  }));
}

/** Describes a table's files once more: of a lake those that it has now. */
export async function renewSource(source: LiveSource): Promise<LiveSource> {
  const { origin, files } = source;
  if (origin.kind !== "lake") return { ...source, files: await describeFiles(files.map(({ path }) => path)) };
  const found = isObjectAddress(origin.lake)
    ? await findObjectFiles(origin.lake, origin.table)
    : await findFolderFiles(origin.lake, origin.table);
  if (found === undefined) throw new TypeError(`Cannot open ${origin.table} of ${origin.lake}: the table is gone`);
  const { columns } = source;
  const names = new Set(found.manifest.columns.map(({ name }) => name));
  return {
    ...source,
    files: found.files,
    ...columns !== undefined && { columns: columns.filter(({ name }) => names.has(name)) },
  };
}

async function findFolderFiles(lake: string, table: string) {
  const found = await findTable(lake, table);
  if (found === undefined) return undefined;
  const { folder, manifest } = found;
  return { files: await describeFiles(manifest.files.map(({ name }) => join(folder, name))), manifest };
}

/**
 * Reads a source as it comes from a cell.
 *
 * @throws {TypeError} If it is another value, such as a source of another version of the toolkit.
 */
export function readSource(value: unknown): LiveSource {
  const { files, columns, origin, query } = isRecord(value) ? value : {};
  const isWhole = isOrigin(origin) && Array.isArray(files) && files.every(isFile) &&
    (columns === undefined || (Array.isArray(columns) && columns.every(isColumn))) &&
    (query === undefined || typeof query === "string");
  if (isWhole) {
    return { files, origin, ...columns !== undefined && { columns }, ...query !== undefined && { query } };
  }
  throw new TypeError("Cannot open the table: the notebook's toolkit describes it in another way than the kernel's");
}

function isOrigin(value: unknown): value is LiveOrigin {
  return isRecord(value) && (value.kind === "files" || value.kind === "frame" ||
    (value.kind === "lake" && typeof value.lake === "string" && typeof value.table === "string"));
}

function isFile(value: unknown): value is LiveFile {
  return isRecord(value) && typeof value.path === "string" && typeof value.bytes === "number" &&
    typeof value.modified === "number";
}

function isColumn(value: unknown): value is LiveColumnSource {
  return isRecord(value) && typeof value.name === "string" &&
    ["alias", "label", "type", "description", "unit"].every((key) =>
      value[key] === undefined || typeof value[key] === "string"
    );
}
