/** Digests by which a record that is read again is recognised as the indexed one. */
import { crc32 } from "node:zlib";

/** Makes lower case upper case; a few other characters become equal, which does not matter here. */
const CASE_MASK = 0xdf;

/** The CRC-32 of a sequence, whatever its case. */
export function recordDigest(sequence: Uint8Array): number {
  return crc32(sequence.map((byte) => byte & CASE_MASK));
}
