/** A dataset archive to a table in memory. */
import type { ByteSource } from "../../io/bytes/byte_source.ts";
import { tableFromCsv } from "./from_csv.ts";
import { TABLE_OPTIONS, type TableOptions, type TypedTable } from "../types/table.ts";
import { checkOptions } from "../../options/check_options.ts";

/**
 * Makes a table of an archive (`.csv.gz`) or of some of its columns.
 *
 * The file is inflated and read as a stream; what is held are the columns asked for, about 100 bytes a cell. For
 * archives of millions of rows build a lake instead. The bytes are taken as they are: verify them first, as
 * `registry.dataset()` does.
 *
 * @param source Path of the archive.
 * @param options Definitions and the columns wanted.
 * @returns rows = records of the archive; columns typed by the definitions.
 * @throws {GzipError} If the archive is truncated or damaged; {ParseError} if it is not a CSV.
 * @throws {RegistryError} With code `disk` if it cannot be read.
 * @see Specification 4.1.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { gzipSync } from "node:zlib";
 * import { tableFromArchive } from "./from_archive.ts";
 *
 * const path = await Deno.makeTempFile({ suffix: ".csv.gz" });
 * await Deno.writeFile(path, gzipSync("Registry Accession,Country,Host\nvj000000000001,Kenya,\n"));
 *
 * assertEquals((await tableFromArchive(path, { columns: ["Country"] })).texts("Country"), ["Kenya"]);
 * await Deno.remove(path);
 * ```
 */
export async function tableFromArchive(source: ByteSource, options: TableOptions = {}): Promise<TypedTable> {
  checkOptions("tableFromArchive()", options, TABLE_OPTIONS);
  return await tableFromCsv(source, options);
}
