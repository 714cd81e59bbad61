/** Regions of sequences as people write them, in the forms that samtools reads. */

export interface FastaRequest {
  /** The argument. */
  readonly text: string;
  readonly id: string;
  /** First and last base, counted from 1, both included; the last is `Infinity` for the end of the sequence. */
  readonly range?: { readonly from: number; readonly to: number };
  /** Whether the text is an id and a range that cannot be read. */
  readonly isMalformed?: boolean;
}

const REGION = /^([^]+):(?:([0-9][0-9,]*)(-(?:[0-9][0-9,]*)?)?|(-[0-9][0-9,]*))$/;

export const REGION_FORMS = "ID:FROM-TO, ID:FROM-, ID:-TO or ID:FROM with bases counted from 1, FROM not after TO";

/**
 * Reads `ID`, `ID:FROM-TO`, `ID:FROM-`, `ID:-TO` or `ID:FROM`, which goes to the end as in samtools; numbers may have
 * commas. An id equal to the whole text takes precedence.
 *
 * @param isKnown Whether there is a record with an id.
 */
export function readRegion(text: string, isKnown: (id: string) => boolean): FastaRequest {
  if (isKnown(text)) return { text, id: text };
  const match = REGION.exec(text);
  if (match !== null) {
    const [, id, first, rest, upTo] = match;
    const from = first === undefined ? 1 : baseNumber(first);
    const last = (upTo ?? rest ?? "").slice(1);
    const to = last === "" ? Infinity : baseNumber(last);
    return from >= 1 && from <= to ? { text, id, range: { from, to } } : { text, id, isMalformed: true };
  }
  const id = text.slice(0, Math.max(0, text.lastIndexOf(":")));
  return id !== "" && isKnown(id) ? { text, id, isMalformed: true } : { text, id: text };
}

function baseNumber(digits: string): number {
  return Number(digits.replaceAll(",", ""));
}
