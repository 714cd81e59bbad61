/**
 * Whether a body is damaged gzip. `fetch` of Deno decompresses by itself, and its errors differ only in their text:
 * `tests/client/gzip_fault_test.ts` fails when Deno words them otherwise.
 */
import { CutGzipError, GzipError } from "../io/gzip/gunzip.ts";

const FETCH_WORDS = /gzip header|crc|corrupt|invalid (block|distance|stored|code)/i;

/** Whether the bytes are invalid; a premature end is a broken connection. */
export function isGzipFault(cause: unknown): cause is Error {
  if (cause instanceof GzipError) return !(cause instanceof CutGzipError);
  return cause instanceof TypeError && FETCH_WORDS.test(cause.message);
}
