/** Digests that name a sequence by its bases: GA4GH refget and MD5. */
import { createHash } from "node:crypto";
import { basesOf } from "../text/bases_of.ts";

/** Digests of one sequence in upper case. */
export interface SequenceDigests {
  /** GA4GH digest: `SQ.` and 32 characters, the first 24 bytes of the SHA-512 in base64url. */
  readonly ga4gh: string;
  /** MD5, 32 lower-case hexadecimal digits, as `M5` of samtools. */
  readonly md5: string;
}

/**
 * Digests what the length of a sequence counts, in upper case: every byte but ASCII white space. So other sequences
 * have other digests. Those of printable ASCII are the ones of samtools, which leaves out all else; GA4GH has A to Z
 * alone.
 *
 * @param sequence Bases, as bytes or as text, of which the bytes in UTF-8 count.
 * @throws {TypeError} If it is neither.
 * @see GA4GH refget sequences 2.0; the SAM specification, tag `M5`. The registry's specification shows no digests.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { sequenceDigests } from "./sequence_digests.ts";
 *
 * assertEquals(sequenceDigests("acgt"), {
 *   ga4gh: "SQ.aKF498dAxcJAqme6QYQ7EZ07-fiw8Kw2",
 *   md5: "f1f8f4bf413b16ad135722aa4591043e",
 * });
 * ```
 */
export function sequenceDigests(sequence: string | Uint8Array): SequenceDigests {
  const bases = upperCased(basesOf("sequenceDigests()", "sequence", sequence));
  const sha512 = createHash("sha512").update(bases).digest();
  return {
    ga4gh: `SQ.${sha512.subarray(0, 24).toString("base64url")}`,
    md5: createHash("md5").update(bases).digest("hex"),
  };
}

function upperCased(sequence: Uint8Array): Uint8Array {
  const bases = new Uint8Array(sequence.length);
  for (let at = 0; at < sequence.length; at++) {
    const base = sequence[at];
    bases[at] = base >= 0x61 && base <= 0x7a ? base - 0x20 : base;
  }
  return bases;
}
