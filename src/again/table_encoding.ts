/** The encoding of one of two tables, which one option names for both. */
import { openBytes } from "@seqreg/core/io/bytes";

/**
 * Finds whether a table has the encoding that was named: of two versions, one may have been saved as UTF-8 meanwhile,
 * and would be read as other characters without an error.
 *
 * @param path A file; a pipe, which is read once, has the encoding that was named.
 * @returns The encoding; `undefined` if the file is UTF-8.
 */
export async function tableEncoding(path: string, encoding: string, signal?: AbortSignal): Promise<string | undefined> {
  if (!(await Deno.stat(path)).isFile) return encoding;
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let isBeyondAscii = false;
  for await (const chunk of openBytes(path, { signal })) {
    let text: string;
    try {
      text = decoder.decode(chunk, { stream: true });
    } catch {
      return encoding;
    }
    // UTF-16 has zeros in texts of ASCII.
    if (text.includes("\0")) return encoding;
    isBeyondAscii ||= text.length < chunk.length;
  }
  return isBeyondAscii || /^utf-?16/i.test(encoding) ? undefined : encoding;
}
