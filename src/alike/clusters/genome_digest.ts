/** Exact duplicates: sequences that are equal, whatever their case and strand. */
import { sha256Of } from "@seqreg/core/io/digest";

/** How a sequence equals an earlier one. */
export type DuplicateKind = "same" | "case" | "reverse-complement";

const COMPLEMENTS = new Uint8Array(256).map((_, byte) => byte);
for (const [base, paired] of ["AT", "CG", "RY", "KM", "BV", "DH"]) {
  COMPLEMENTS[base.charCodeAt(0)] = paired.charCodeAt(0);
  COMPLEMENTS[paired.charCodeAt(0)] = base.charCodeAt(0);
}

/** The digests by which duplicates are found. */
export interface GenomeDigests {
  /** Of the bytes. */
  readonly exact: string;
  /** Of the sequence in upper case. */
  readonly upper: string;
  /** The lesser one of `upper` and of the same of the reverse complement. */
  readonly canonical: string;
}

/** Digests a sequence; U stays U. */
export function digestsOf(sequence: Uint8Array): GenomeDigests {
  const upper = sequence.map((byte) => byte >= 97 && byte <= 122 ? byte - 32 : byte);
  const complement = upper.map((byte) => COMPLEMENTS[byte]).reverse();
  const [exact, inUpper, reverse] = [sequence, upper, complement].map((bytes) => sha256Of(bytes, "base64"));
  return { exact, upper: inUpper, canonical: inUpper < reverse ? inUpper : reverse };
}

/** How two sequences with the same canonical digest are equal. */
export function duplicateKind(digests: GenomeDigests, earlier: GenomeDigests): DuplicateKind {
  if (digests.exact === earlier.exact) return "same";
  return digests.upper === earlier.upper ? "case" : "reverse-complement";
}
