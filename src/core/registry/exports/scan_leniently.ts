/** A scan of an export that passes on what breaks its format in the middle. */
import { ParseError } from "../../errors.ts";
import { closing } from "../../io/bytes/closing.ts";
import { firstLineOf } from "../../io/bytes/describe_bytes.ts";
import { TextFormError } from "../../io/bytes/text_form_error.ts";
import { scanExport } from "./export_scan.ts";
import { ExportMismatchError, type ExportScanOptions, type ExportType } from "./scan_options.ts";

/**
 * Passes an export on; after a format error in the middle, it continues without parsing.
 *
 * @throws {ParseError} If it is another thing than was asked for, or is cut off.
 */
export function scanLeniently(
  fileType: ExportType,
  chunks: AsyncGenerator<Uint8Array>,
  options: ExportScanOptions,
  onFault: (fault: ParseError) => void,
): AsyncGenerator<Uint8Array> {
  return closing(() => scan(fileType, chunks, options, onFault), () => chunks.return(undefined));
}

async function* scan(
  fileType: ExportType,
  chunks: AsyncGenerator<Uint8Array>,
  options: ExportScanOptions,
  onFault: (fault: ParseError) => void,
): AsyncGenerator<Uint8Array> {
  const pending: Uint8Array[] = [];
  let head: Uint8Array | undefined;
  let hasEnded = false;
  const tapped = (async function* () {
    for (let next = await chunks.next(); !next.done; next = await chunks.next()) {
      head ??= next.value.slice(0, 512);
      pending.push(next.value);
      yield next.value;
    }
    hasEnded = true;
  })();
  try {
    for await (const chunk of scanExport(fileType, tapped, options)) {
      dropBytes(pending, chunk.length);
      yield chunk;
    }
  } catch (error) {
    if (!(error instanceof ParseError) || error instanceof ExportMismatchError || fileType === "fasta") throw error;
    if (error instanceof TextFormError) {
      const message = `${error.message}; asking again does not help: the file is as the registry sent it`;
      onFault(new ParseError(message, {}, { cause: error }));
    } else if (hasEnded) {
      const message = `${error.message}: it is cut off, first line: ${firstLineOf(head ?? new Uint8Array(0))}`;
      throw new ExportMismatchError(`${message}; ask for it again`, {}, { cause: error });
    } else onFault(error);
    yield* pending;
    yield* chunks;
  }
}

/** Takes so many bytes off the front of chunks. */
function dropBytes(chunks: Uint8Array[], bytes: number): void {
  let left = bytes;
  while (left > 0 && chunks.length > 0) {
    const [first] = chunks;
    if (first.length > left) chunks[0] = first.subarray(left);
    else chunks.shift();
    left -= Math.min(left, first.length);
  }
}
