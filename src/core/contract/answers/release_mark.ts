/**
 * The mark of a registry's release: which state of its data an answer is of.
 *
 * The specification shows no header of an answer, so a registry may add one. UniProt (`X-UniProt-Release`) and LAPIS
 * (`Lapis-Data-Version`) state theirs in one, too.
 *
 * @module
 */

/** Name of the header field with the mark. */
export const RELEASE_HEADER = "registry-release";

/** A mark as it may stand in texts: without spaces, and short. */
const MARK = /^[\x21-\x7e]{1,128}$/;

/** Reads the mark of an answer; `undefined` if it has none, or one that is no mark. */
export function releaseOf(headers: Headers): string | undefined {
  const mark = headers.get(RELEASE_HEADER)?.trim() ?? "";
  return MARK.test(mark) ? mark : undefined;
}
