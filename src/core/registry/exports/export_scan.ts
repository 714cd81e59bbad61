/**
 * Reads which records an export holds, while its bytes go by untouched.
 *
 * A scan must not change an export, but must report its content. Each file type has a scan: a generator that yields
 * every byte that it receives, once the beginning has shown that the type is right.
 */
import { transformed } from "../../io/bytes/closing.ts";
import { scanFasta } from "./scan_fasta.ts";
import { scanRows } from "./scan_rows.ts";
import type { ExportScanOptions, ExportType } from "./scan_options.ts";
import { scanXml } from "./scan_xml.ts";

export { ExportMismatchError, type ExportScanOptions, type ExportType, type InvalidRecord } from "./scan_options.ts";

/**
 * Passes an export on and reports its records.
 *
 * @param chunks Its bytes; its owner may reuse a chunk when the next one is requested.
 * @throws {ParseError} If it is something else than such an export, its text breaks its format, or it is cut off. The
 * bytes before that have been yielded, but for those of a beginning that shows something else.
 */
export function scanExport(
  fileType: ExportType,
  chunks: AsyncIterable<Uint8Array>,
  options: ExportScanOptions,
): AsyncGenerator<Uint8Array> {
  return transformed(chunks, (bytes) => {
    switch (fileType) {
      case "csv":
      case "tsv":
        return scanRows(fileType, bytes, options);
      case "xml":
        return scanXml(bytes, options);
      case "fasta":
        return scanFasta(bytes, options);
    }
  });
}
