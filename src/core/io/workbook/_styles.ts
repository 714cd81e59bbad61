/** Styles of cells: how they show numbers. */
import type { ZipArchive, ZipEntry } from "../zip/zip_archive.ts";
import { builtInFormat, type NumberFormat, readNumberFormat } from "./_number_formats.ts";
import { readWholePart } from "./_xml_part.ts";

/**
 * Reads the styles of cells.
 *
 * @returns The number format of each style, by its index; `undefined` for those that show a number by its digits alone.
 * @throws {ParseError} If the part is malformed.
 */
export async function readStyles(
  archive: ZipArchive,
  entry: ZipEntry,
  options: { readonly name: string; readonly signal?: AbortSignal },
): Promise<readonly (NumberFormat | undefined)[]> {
  const codes = new Map<number, string>();
  const ids: number[] = [];
  let isOfCells = false;
  await readWholePart(archive, entry, {
    onOpen({ own: name }, attributes) {
      const id = Number(attributes.get("numFmtId") ?? 0);
      if (name === "cellXfs") isOfCells = true;
      else if (name === "xf" && isOfCells) ids.push(id);
      // Formats of conditional styles (`dxf`) come later and have numbers of their own.
      else if (name === "numFmt" && !codes.has(id)) codes.set(id, attributes.get("formatCode") ?? "");
    },
    onText() {},
    onClose({ own }) {
      if (own === "cellXfs") isOfCells = false;
    },
  }, options);
  return ids.map((id) => {
    const code = codes.get(id);
    return code === undefined ? builtInFormat(id) : readNumberFormat(code);
  });
}
