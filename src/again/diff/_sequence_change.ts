/** How a sequence changed: its digests, lengths and what of its ends is the same. */
import { sequenceDigests } from "@seqreg/core/fasta/stats/sequence_digests";
import type { FieldChange, SequenceChange } from "./record_change.ts";

/** The GA4GH digest of a sequence, which depends neither on case nor on white space: `SQ.…`. */
export function digestOf(sequence: string): string {
  return sequenceDigests(sequence).ga4gh;
}

/** Compares two sequences; `undefined` if they are equal. A missing one has no digest. */
export function compareSequences(before: string | null, after: string | null): FieldChange | undefined {
  if (before === after) return undefined;
  const change = { old: before && digestOf(before), new: after && digestOf(after) };
  if (before === null || after === null) return { ...change, how: "value" };
  const [old, now] = [before, after].map((text) => text.replace(/[\t-\r ]+/g, ""));
  const how = change.old !== change.new ? "value" : old === now ? "space" : "case";
  return { ...change, how, sequence: compareEnds(old, now) };
}

function compareEnds(before: string, after: string): SequenceChange {
  const [old, now] = [before.toUpperCase(), after.toUpperCase()];
  const shorter = Math.min(old.length, now.length);
  let sameStart = 0;
  while (sameStart < shorter && old.charCodeAt(sameStart) === now.charCodeAt(sameStart)) sameStart++;
  let sameEnd = 0;
  while (
    sameEnd < shorter - sameStart &&
    old.charCodeAt(old.length - 1 - sameEnd) === now.charCodeAt(now.length - 1 - sameEnd)
  ) sameEnd++;
  const longer = Math.max(old.length, now.length);
  return {
    oldLength: old.length,
    newLength: now.length,
    sameStart,
    sameEnd,
    identity: longer === 0 ? 1 : (sameStart + sameEnd) / longer,
  };
}
